"""The history of errors as text for the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from drivecast.compare.error_summary import FIGURES, Spread, told
from drivecast.present import terminal


def by_kind(found: Sequence[Mapping[str, Any]]) -> str:
    """The rows in columns."""
    lines = [_line("drive", "kind of workload", "n", "within", "IOPS", "p50", "p99")]
    for row in found:
        spreads = [
            told(Spread(1, row[name], row[f"{name}_low"], row[f"{name}_high"]) if row[name] else None)
            for name in FIGURES
        ]
        lines.append(_line(row["drive"], row["kind"], row["comparisons"], row["within"], *spreads))
    return terminal.joined([terminal.clean(line) for line in lines])


def _line(drive: str, kind: str, n: object, within: object, iops: str, p50: str, p99: str) -> str:
    return f"{drive:<28} {kind:<34}{n!s:>4}{within!s:>8}{iops:>25}{p50:>25}{p99:>25}"


def each(found: Sequence[Mapping[str, Any]]) -> str:
    """Every comparison in columns."""
    names = ("iops", "read_p50", "read_p99", "write_p50", "write_p99")
    lines = [f"{'drive':<28} {'workload':<44}" + "".join(f"{name.replace('_', ' '):>11}" for name in names)]
    for row in found:
        cells = "".join(f"{'–' if row[name] is None else format(row[name], '.2f'):>11}" for name in names)
        lines.append(f"{row['drive']:<28} {row['workload']:<44}{cells}  {row['outcome']}")
    return terminal.joined([terminal.clean(line) for line in lines])
