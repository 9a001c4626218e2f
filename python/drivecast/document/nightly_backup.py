"""The nightly backup in a log, as a plan has it."""

from typing import Literal

from drivecast.document.part import Part


class Backup(Part):
    """The nightly backup in a log, and what is made of it."""

    start_s: float
    """From the start of the log."""
    length_s: float
    start: str | None = None
    """On the clock of the log's place; none where it has no times."""
    end: str | None = None
    bytes: int
    """What it reads beyond the day's own load."""
    requests: int
    request_bytes: float
    throughput_bytes_per_s: float
    handling: Literal["meet", "exclude"]
    """Whether a design must keep up with it."""
