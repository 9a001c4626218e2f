"""Workload models: read, fitted, played, and compared with the trace they were fitted to.

file               a model on disk or by name: TOML to JSON and back, checked by the core
fit_windows        windows of a trace that represent all of it
panel              how each window fares on devices, by which windows are compared
window_choice      which windows are kept, and how far they may be off
counters           a model from counters, and what of it is assumed
trace_measures     what of a trace is compared, and how far two distributions are apart
reference          the three devices on which outcomes are compared
validate           all of it: parts, score, verdict
validate_counters  the same against counters, which show less
"""
