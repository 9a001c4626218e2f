"""Predicted next to measured: how far off, in which direction, and whether by more than the measurement's noise.

comparison_side  one side of a comparison: the runs of a result, or of one outcome
predict          the other side, simulated from a design
matching         what must agree before two runs are compared
resample         the noise of a run's figures, by the bootstrap
bootstrap        the circular block bootstrap of a series
modes            how many modes a distribution has
comparison       all runs of a measurement, each with its prediction: ratios, and whether they are within the tolerance
workload_kind    the kinds of workload that errors are listed by
error_log        the errors so far, in a file, and what of a comparison is added to it
error_summary    medians and ranges of the errors so far, for a drive and a kind of workload
fit              a device fitted to its own measured runs
"""
