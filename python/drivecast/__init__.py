"""Drivecast: which storage should a workload run on, how fast, how long, and for how much.

The stages are modules and each hands the next a table or a frozen specification::

    trace → profile → simulate → assess → plan → report

Everything per I/O happens in Rust (`drivecast._core`); Python owns what happens per run.
"""

from importlib.metadata import version

__version__ = version("drivecast")
