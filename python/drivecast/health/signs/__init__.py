"""Signs of failure other than wear: errors that grow, spare that shrinks, and silence; from samples alone.

Each file takes the samples of some drives, sorted by drive and time, and gives a row a drive.
"""
