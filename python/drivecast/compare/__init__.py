"""Predicted beside measured: how far off, in which direction, and whether more than the measurement's own noise.

outcome     what is read of an outcome, checked
steady      which points of a steady-state test count
side        what lies on one side: the runs of a result, or of one outcome
predict     the other side, simulated from a design
alike       what must agree before two runs are put beside each other
resample    the noise of a run's figures, by the bootstrap
judge       ratios, and whether they are within the tolerance
shape       how many modes a distribution has
words       all of it in sentences and tables
kind        the kinds of workload that errors are kept by
history     the errors so far, in a file
record      what of a comparison is kept
standing    what the errors so far say of a design
listing     the history in columns
"""
