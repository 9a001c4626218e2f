"""One figure a file; each has `chart`, a pure function from tables to an Altair chart."""
