"""What a run does, step by step, with the time each took: lines of the library's `logging`, which `-v` shows.

A step is what a person would name: a log that is read, a design that is simulated, a file that is written, a program
that is run. Its line comes when it ends, so those within it come first. Steps of threads are told apart by what they
name alone. The cost of one that is not shown is a look at the level.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOG = logging.getLogger("drivecast")
"""Silent unless the program that imports us asks for `INFO`."""


@contextmanager
def timed(what: str, *values: object) -> Iterator[None]:
    """Log `what` (with `%s` for each value) when the block ends, and how long it took or that it failed."""
    if not LOG.isEnabledFor(logging.INFO):
        yield
        return
    began = time.monotonic()
    try:
        yield
    except BaseException as error:
        LOG.info(f"{what}: %s after %.3f s", *values, type(error).__name__, time.monotonic() - began)
        raise
    LOG.info(f"{what}: %.3f s", *values, time.monotonic() - began)
