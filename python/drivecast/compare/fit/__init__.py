"""A device fitted to its own runs: `drivecast compare fit RESULTS… -o drive.toml`.

Measured runs (`bench`) become observations, one a setting; some are held out. A simulated device of the chosen kind is
refined until its figures are theirs, and what the data do not determine is assumed and listed. The held-out runs, never
used before, then decide the error, which is stated in the drive's file.

observation      what a fit takes of results
hold_out         which observations are never fitted to
variant          parameters, estimates, what a fit needs of a kind of device; ssd_, disk_ and volume_variants: the kinds
burst, stall     burst credits and stalls of a volume, in closed form
forward          the simulator, playing what was measured
refine           parameters refined until simulated and measured agree
fit              all of it; accuracy: the error on held-out runs
drive_file       the file that a fit makes
"""
