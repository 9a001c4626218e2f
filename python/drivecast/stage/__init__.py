"""Stages, thin over `_core`: a log, a run, wear, loss of data, a rebuild."""
