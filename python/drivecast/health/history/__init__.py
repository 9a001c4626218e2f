"""The history of drives: a database of samples that may be imported in any order, any number of times, by anyone.

Represented: drives (identity, where last seen, newest figures) as rows, samples packed by month and by 256 drives.
Left out: the documents that samples were read from. `docs/explanation/health-history.md` has the reasons and the
measurements, `docs/reference/health-history.md` the tables.
"""

from drivecast.health.history.history import History

__all__ = ["History"]
