"""Workloads and targets by the names that people give them: `random 16 KiB reads` for `random(16KiB, read=1)`."""

import re

from drivecast.present.grid import clean
from drivecast.quantity import number

LAGS = {"median": "q0.5", "p99": "q0.99", "p99.9": "q0.999", "p99.99": "q0.9999", "max": "max"}
"""Quantiles of a distribution on one line, by name."""
_LINE = re.compile(r"(random|sequential)\((\d+)\s?(B|KiB|MiB)((?:, ?\w+=[^,()]+)*)\)")


def load(line: str) -> str:
    """Return a workload in plain words; as it is where it is no plain line."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return clean(line)
    settings = dict(item.strip().split("=", 1) for item in found[4].split(",") if item.strip())
    if set(settings) - {"read", "iodepth"}:
        return line
    what = kind(settings.get("read", "1"))
    return f"{found[1]} {found[2]} {found[3]}{',' if '%' in what else ''} {what}"


def sentence(text: str) -> str:
    """Return a text with a capital first, all else as it is."""
    return text[:1].upper() + text[1:]


def kind(read: str | float | None) -> str:
    """Return reads, writes, or how much of each."""
    share = float(read or 0.0)
    if share in (0.0, 1.0):
        return "reads" if share else "writes"
    return f"{number.percent(share)} reads"


def label(target: str, series: str, targets: int, serieses: int) -> str:
    """Return the name of a line in a figure: what varies among its lines."""
    if targets > 1:
        # A figure with a control character in it cannot be drawn.
        return clean(f"{target}: {load(series)}" if serieses > 1 else target)
    return load(series)
