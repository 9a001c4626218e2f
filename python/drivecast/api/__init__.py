"""What `import drivecast` gives: the verbs as functions, over values that pickle, compare and show themselves.

workload_value   a workload as a value: a line, a trace, counters, a model, a frame
frame            a log as a table
catalog_mapping  drives by name
verbs            profile, simulate, wear, compare
attach           attach
model            fit
plans            plan, versus
task             a part of a sweep, for threads, processes and other machines
sweep            many runs, on any executor
views            how documents show themselves in a notebook

Nothing is worked out here: each function opens what it is given and calls the stage that its verb calls.
"""
