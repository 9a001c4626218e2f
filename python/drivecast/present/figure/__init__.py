"""Figures, a file a subject; each is a pure function from tables to an Altair chart."""
