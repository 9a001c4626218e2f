"""Workloads and targets by the names that people give them: `random 16 KiB reads` for `random(16KiB, read=1)`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from drivecast.present import terminal
from drivecast.quantity import number

_LINE = re.compile(r"(random|sequential)\((\d+)\s?(B|KiB|MiB)((?:, ?\w+=[^,()]+)*)\)")


def load(line: str) -> str:
    """A workload in words; as it stands where it is no plain line."""
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return terminal.clean(line)
    settings = dict(item.strip().split("=", 1) for item in found[4].split(",") if item.strip())
    if set(settings) - {"read", "iodepth"}:
        return line
    what = kind(settings.get("read", "1"))
    return f"{found[1]} {found[2]} {found[3]}{',' if '%' in what else ''} {what}"


def sentence(text: str) -> str:
    """Words with a capital first, all else as it is."""
    return text[:1].upper() + text[1:]


def kind(read: str | float) -> str:
    """Reads, writes, or what of each."""
    share = float(read)
    if share in (0.0, 1.0):
        return "reads" if share else "writes"
    return f"{number.percent(share)} reads"


def label(target: str, series: str, targets: int, serieses: int) -> str:
    """The name of a line in a figure: what varies among its lines."""
    if targets > 1:
        # A figure with a control character in it cannot be drawn.
        return terminal.clean(f"{target}: {load(series)}" if serieses > 1 else target)
    return load(series)


def names(rows: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """The values of `key`, each once, in order."""
    return list(dict.fromkeys(str(row[key]) for row in rows))
