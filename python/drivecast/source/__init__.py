"""Where a log is: files, standard input, URLs, a server of Prometheus."""
