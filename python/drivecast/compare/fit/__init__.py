"""A device fitted to its own runs: `drivecast compare fit RESULTS… -o drive.toml`.

Measured runs (`bench`) become observations, one a setting; some are held out. A simulated device of the chosen kind is
refined until its figures are theirs, and what the data cannot tell is assumed and says so. The held-out runs, never
used before, then decide the error, which stands in the drive's file. Exports what the verb needs.
"""

from drivecast.compare.fit.document import document, rows
from drivecast.compare.fit.drive_file import name_of
from drivecast.compare.fit.fit import Fit, toml
from drivecast.compare.fit.request import Request, carry_out
from drivecast.compare.fit.text import text

__all__ = ["Fit", "Request", "carry_out", "document", "name_of", "rows", "text", "toml"]
