"""The tables of a result: what was made of the points first, then every point. Cells are words already."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from drivecast.document.measurement import Row, rows
from drivecast.document.result import Result
from drivecast.document.transactions import varied
from drivecast.present import database
from drivecast.present.measured import naming, steady
from drivecast.quantity import number

EVERY = "Every point"
BESIDE = "Targets beside the first"
LONG = (EVERY, BESIDE)
"""Tables with a row a point, which no first page has room for."""

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Table:
    """Cells under heads; figures are set to the right."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: int = 1
    """How many columns from the left hold words."""
    note: str = ""

    def slim(self) -> "Table":
        """The same with each column of words whose cells are all alike told once, in the title."""
        alike = [
            at for at in range(self.words) if len({row[at] for row in self.rows}) == 1 and len(self.heads) > 2
        ]
        told = "".join(f", {self.rows[0][at]}" for at in alike)
        kept = [at for at in range(len(self.heads)) if at not in alike]
        return Table(
            self.title + told,
            tuple(self.heads[at] for at in kept),
            [tuple(row[at] for at in kept) for row in self.rows],
            self.words - len(alike),
            self.note,
        )


def of_result(result: Result) -> list[Table]:
    """Every table that has rows."""
    found = result.findings
    if result.kind == "database":
        made = [
            Table(title, tuple(cells[0]), [tuple(line) for line in cells[1:]], of_words)
            for title, cells, of_words in database.tables(result)
        ]
        return [*made, _transactions(result)]
    made = [
        *(Table(*one) for one in (steady.tables(result) if result.kind == "steady-state" else ())),
        _knees(found.get("knees", [])),
        _commits(found.get("commits", [])),
        _caps(found.get("caps", [])),
        _waits(found.get("waits", [])),
        _settled(found.get("settled", [])),
        _jitter(found.get("jitter", [])),
        _repeats(found.get("repeats", [])),
        _ratios(found.get("ratios", [])),
        points(result),
    ]
    return [table for table in made if table.rows]


def points(result: Result) -> Table:
    """Every point, repeats apart."""
    found = rows(result.points)
    heads = (
        "target",
        "workload",
        "with",
        "IOPS",
        "MB/s",
        "mean ms",
        "median ms",
        "p95 ms",
        "p99 ms",
    )
    made = [
        (
            row.target,
            naming.load(row.series),
            _with(row),
            number.iops(row.iops),
            _mb(row.bytes_per_s),
            *_ms(row),
        )
        for row in found
    ]
    return Table(EVERY, heads, made, 3, "Latencies of reads and writes together.")


def _with(row: Row) -> str:
    """How the workload was asked for."""
    deep = f"depth {row.depth}" if row.threads == 1 else f"{row.threads} threads"
    return deep if row.engine in ("", "io_uring") else f"{deep}, {row.engine}"


def _ms(row: Row) -> tuple[str, ...]:
    parts = (row.latency_ns_mean, row.latency_ns_p50, row.latency_ns_p95, row.latency_ns_p99)
    return tuple(number.milliseconds(part) for part in parts)


def _mb(bytes_per_s: float) -> str:
    return number.significant(bytes_per_s / 1e6)


def _knees(found: Rows) -> Table:
    heads = (
        "target",
        "workload",
        "knee",
        "most IOPS",
        "lone ms",
        "depth for 90 %",
        "p99 ms there",
        "depth kept",
    )
    made = [
        (
            row["target"],
            naming.load(row["series"]),
            f"{'' if row['reached'] else '≥ '}{number.significant(row['depth'], 2)}",
            number.iops(row["iops_max"]),
            number.milliseconds(row["round_ns"]),
            str(row["depth_enough"]),
            number.milliseconds(row["latency_ns_p99_enough"]),
            number.percent(row["depth_kept"]),
        )
        for row in found
    ]
    note = (
        "Knee: how many requests the target works on at once, X_max × the time of a lone one; "
        "≥ where the sweep ended before the most was seen."
    )
    return Table("Knees", heads, made, 2, note)


def _commits(found: Rows) -> Table:
    heads = (
        "target",
        "log write",
        "commits/s",
        "mean ms",
        "p99 ms, at most",
        "write p99 ms",
        "flush p50 ms",
        "flush p99 ms",
    )
    made = [
        (
            row["target"],
            number.binary_size(row["block_bytes"]),
            number.iops(row["commits_per_s"]),
            *(
                number.milliseconds(row[key])
                for key in (
                    "commit_ns_mean",
                    "commit_ns_p99_most",
                    "write_ns_p99",
                    "flush_ns_p50",
                    "flush_ns_p99",
                )
            ),
        )
        for row in found
    ]
    return Table("Commits", heads, made, 2, "One session that writes to a log and flushes it, over and over.")


def _caps(found: Rows) -> Table:
    heads = ("target", "mix", "IOPS stay at", "for sizes", "MB/s stay at", "for sizes")
    made = [
        (
            row["target"],
            naming.kind(row["read_fraction"]),
            *_level(row["iops"], 1.0),
            *_level(row["bytes_per_s"], 1e6),
        )
        for row in found
        if row["iops"] or row["bytes_per_s"]
    ]
    return Table("Rates that stay the same over a factor of four in size", heads, made, 2)


def _level(level: Mapping[str, Any] | None, unit: float) -> tuple[str, str]:
    if level is None:
        return number.ABSENT, number.ABSENT
    sizes = f"{number.binary_size(level['from_bytes'])} – {number.binary_size(level['to_bytes'])}"
    return number.significant(level["per_s"] / unit), sizes


def _waits(found: Rows) -> Table:
    heads = (
        "target",
        "workload",
        "outstanding",
        "threads that wait",
        "one that does not",
        "ratio",
        "p99 ms",
        "p99 ms",
    )
    made = [
        (
            row["target"],
            naming.load(row["series"]),
            str(row["depth"]),
            number.iops(row["sync_iops"]),
            number.iops(row["async_iops"]),
            number.multiple(row["ratio"]),
            number.milliseconds(row["sync_latency_ns_p99"]),
            number.milliseconds(row["async_latency_ns_p99"]),
        )
        for row in found
    ]
    return Table("Waiting", heads, made, 2)


def _settled(found: Rows) -> Table:
    heads = ("target", "workload", "settled after", "then IOPS", "first stretches", "stretch")
    made = [
        (
            row["target"],
            naming.load(row["series"]),
            number.duration(row["settled_after_s"]) if row["reached"] else "not settled",
            number.iops(row["iops_settled"]),
            number.iops(row["iops_first"]),
            number.duration(row["stretch_s"]),
        )
        for row in found
    ]
    note = "Settled: five stretches within 20 % of their mean, their line moving by no more than 10 % (SNIA's rule)."
    return Table("Settling", heads, made, 2, note)


def _jitter(found: Rows) -> Table:
    heads = (
        "target",
        "workload",
        "seconds",
        "IOPS",
        "spread",
        "1 % of seconds below",
        "least",
        "stalls",
        "longest ms",
    )
    made = [
        (
            row["target"],
            naming.load(row["series"]),
            number.count(row["seconds"]),
            number.iops(row["iops_median"]),
            number.percent(row["variation"]),
            number.iops(row["iops_q1"]),
            number.iops(row["iops_min"]),
            number.count(row["stalls"]),
            number.milliseconds(row["latency_ns_max"]),
        )
        for row in found
    ]
    note = "Spread: standard deviation over mean. A stall: a second with less than half of the median."
    return Table("Second by second", heads, made, 2, note)


def _repeats(found: Rows) -> Table:
    heads = ("target", "workload", "depth", "first IOPS", "again IOPS", "ratio")
    made = [
        (
            row["target"],
            naming.load(row["series"]),
            str(row["depth"]),
            number.iops(row["iops_first"]),
            number.iops(row["iops_again"]),
            number.multiple(row["ratio"]),
        )
        for row in found
    ]
    return Table("Measured again at the end", heads, made, 2)


def _ratios(found: Rows) -> Table:
    heads = ("target", "over", "workload", "depth", "throughput", "p99 latency")
    made = [
        (
            row["target"],
            row["over"],
            naming.load(row["series"]),
            str(row["depth"]),
            number.multiple(row["iops_ratio"]),
            number.multiple(row["latency_p99_ratio"]),
        )
        for row in found
    ]
    return Table(BESIDE, heads, made, 3)


def _transactions(result: Result) -> Table:
    heads = ("target", "with", "transactions/s", "errors", "mean ms", "p95 ms", "p99 ms")
    names = varied(result.points)
    made = []
    for point in result.points:
        if point.transactions is not None:
            told = point.transactions.latency_ns
            settings = database.described(point.settings, [*names, "repeat"])
            cells = (number.milliseconds(told.get(key)) for key in ("mean", "q0.95", "q0.99"))
            per_s = number.iops(point.transactions.per_s)
            made.append((point.target, settings, per_s, number.count(point.transactions.errors), *cells))
    return Table(EVERY, heads, made, 2)
