"""What attached designs did under a database, next to its transactions: requests, latencies, and lateness.

A rate of transactions that was not served on time is of this machine, and is marked so wherever it is shown.
"""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from drivecast.document.attached import LATE_SHARE_MAX, AttachedTarget, Carried, on_time
from drivecast.document.findings import Throughput
from drivecast.document.result import Point, Result
from drivecast.present import grid
from drivecast.present.measured.cells import Table
from drivecast.quantity import number

MARK = "*"
LATE = (
    f"{MARK} not served on time: more than {number.percent(LATE_SHARE_MAX)} of the I/O wait was this machine's, and so "
    "is the figure. Fewer `--threads`, or an idle machine, may help"
)
_FIGURES: tuple[tuple[str, Callable[[Carried], float | None], number.Text], ...] = (
    ("reads/s", lambda found: found.reads_per_s, number.iops),
    ("writes/s", lambda found: found.writes_per_s, number.iops),
    ("flushes/s", lambda found: found.flushes_per_s, number.iops),
    ("read p50", lambda found: found.read_p50_ns, number.milliseconds),
    ("read p99", lambda found: found.read_p99_ns, number.milliseconds),
    ("write p50", lambda found: found.write_p50_ns, number.milliseconds),
    ("write p99", lambda found: found.write_p99_ns, number.milliseconds),
    ("flush p99", lambda found: found.flush_p99_ns, number.milliseconds),
    ("late p99", lambda found: found.lateness.p99_ns, number.milliseconds),
    ("late", lambda found: found.late_share, number.percent),
)


@dataclass(frozen=True)
class Carriage:
    """The points of a result, and how their targets and settings are shown."""

    points: Sequence[Point]
    names: Mapping[str, str]
    """Of targets, where there are several."""
    heads: tuple[str, ...]
    settings: Callable[[Point], tuple[str, ...]]

    def tables(self) -> list[Table]:
        """Return the table, where designs are attached."""
        groups: dict[tuple[str, ...], list[Carried]] = {}
        for point in self.points:
            for found in point.attached or []:
                named = (self.names[point.target],) if self.names else ()
                groups.setdefault((*named, found.holds, *self.settings(point)), []).append(found)
        if not groups:
            return []
        heads = (
            *([""] if self.names else []),
            "holds",
            *self.heads,
            *(head for head, *_ in _FIGURES),
            "on time",
        )
        rows = [(*key, *_cells(found)) for key, found in groups.items()]
        words = len(heads) - len(_FIGURES) - 1
        return [Table("Attached designs (latencies in ms, medians of the repeats)", heads, rows, words)]

    def lines(self) -> list[str | Text]:
        """Return the same for the terminal, with what the marks mean."""
        made: list[str | Text] = []
        for table in self.tables():
            late = any(not on_time(point.attached or []) for point in self.points)
            made += grid.wrapped(LATE, indent=2, hanging=2) if late else []
            made += [
                "",
                "  attached designs, while measured; median latencies in ms; late: share of the I/O wait",
            ]
            made += grid.table(table.heads, table.rows, indent=2)
        return made


def described(result: Result, names: Mapping[str, str]) -> list[str]:
    """Return what is attached of each design, and in which state its time began."""
    rows = [(row.name, found) for row in result.targets for found in row.attached]
    made = [
        f"  {f'{names[name]}: ' if name in names else ''}{number.size(found.size_bytes)} of "
        f"{number.size(found.usable_bytes)} attached for {found.holds}, {_state(found)}"
        for name, found in rows
    ]
    if rows:
        made += grid.wrapped("data were loaded at full speed, before design time began", indent=2)
    return made


def sentences(points: Sequence[Point]) -> list[str]:
    """Return whether attached designs were on time, where there are any."""
    known = [point for point in points if point.attached]
    if not known:
        return []
    late = [point for point in known if not on_time(point.attached or [])]
    if not late:
        return [f"Attached designs were served on time in all {len(known)} points"]
    where = ", ".join(dict.fromkeys(point.target for point in late))
    return [
        f"In {len(late)} of {len(known)} points the attached design was not served on time ({where}): those "
        "transaction rates are this machine's"
    ]


def mark(row: Throughput | None) -> str:
    """Return what is set behind a figure that is of this machine."""
    return MARK if row is not None and row.on_time is False else ""


def _cells(found: Sequence[Carried]) -> tuple[str, ...]:
    on_time = sum(run.on_time for run in found)
    return (
        *(wording(_median(map(of, found))) for _head, of, wording in _FIGURES),
        f"{on_time} of {len(found)}",
    )


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _state(found: AttachedTarget) -> str:
    if found.state is None:
        return "no flash"
    if found.state == "fresh":
        return "flash erased"
    filled = "" if found.fill == 1.0 else f" over {number.percent(found.fill)} of it"
    return f"flash in the steady state of random writes{filled}"
