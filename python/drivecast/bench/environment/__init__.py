"""Where something was measured: all it takes to measure it again, and what disturbed it.

Read from `/proc` and `/sys` without privileges. What the system does not report is null, never guessed.
"""

from drivecast.bench.environment.machine import machine
from drivecast.bench.environment.storage import storage
from drivecast.bench.environment.watch import Watch

__all__ = ["Watch", "machine", "storage"]
