"""The tables of a result: its findings first, then every point. Cells are text already."""

from collections.abc import Callable, Mapping

from drivecast.document.findings import Finding, Findings, Level
from drivecast.document.measurement import Row, rows
from drivecast.document.result import Result
from drivecast.document.transactions import varied
from drivecast.present.measured import naming, steady_state, transactions
from drivecast.present.measured.cells import Table
from drivecast.quantity import number

EVERY = "Every point"
BESIDE = "Targets compared with the first"
LONG = (EVERY, BESIDE)
"""Tables with a row a point, which no first page has space for."""

LINE: Mapping[str, Callable[[Finding | Row], str]] = {
    "target": lambda row: row.target,
    "workload": lambda row: naming.load(row.series),
}
"""What a line in a figure is of."""


def of_result(result: Result) -> list[Table]:
    """Return every table that has rows."""
    if result.kind == "database":
        return [*transactions.tables(result), _transactions(result)]
    found = result.findings
    made = [*steady_state.tables(found), *_carried(found), *_repeated(found), points(result)]
    return [table for table in made if table.rows]


def points(result: Result) -> Table:
    """Return every point, repeats apart."""
    return Table.of(
        EVERY,
        rows(result.points),
        {
            **LINE,
            "with": _with,
            "IOPS": lambda row: number.iops(row.iops),
            "MB/s": lambda row: number.significant(row.bytes_per_s / 1e6),
            "mean ms": lambda row: number.milliseconds(row.latency_ns_mean),
            "p50 ms": lambda row: number.milliseconds(row.latency_ns_p50),
            "p95 ms": lambda row: number.milliseconds(row.latency_ns_p95),
            "p99 ms": lambda row: number.milliseconds(row.latency_ns_p99),
        },
        words=3,
        note="Latencies of reads and writes together.",
    )


def _with(row: Row) -> str:
    """Return depth or threads, and the engine where it is not the usual one."""
    deep = f"depth {row.depth}" if row.threads == 1 else f"{row.threads} threads"
    return deep if row.engine in ("", "io_uring") else f"{deep}, {row.engine}"


def _carried(found: Findings) -> list[Table]:
    """Return what a target carries: at which depth, in commits, by size, by kind of waiting."""
    return [
        Table.of(
            "Knees",
            found.knees,
            {
                **LINE,
                "knee": lambda row: f"{'' if row.reached else '≥ '}{number.significant(row.depth, 2)}",
                "max IOPS": lambda row: number.iops(row.iops_max),
                "lone ms": lambda row: number.milliseconds(row.round_ns),
                "depth for 90 %": lambda row: str(row.depth_enough),
                "p99 ms there": lambda row: number.milliseconds(row.latency_ns_p99_enough),
                "depth kept": lambda row: number.percent(row.depth_kept),
            },
            note="Knee: how many requests the target serves at once, X_max × the time of a lone request; "
            "≥ where the sweep ended before X_max was reached.",
        ),
        Table.of(
            "Commits",
            found.commits,
            {
                "target": lambda row: row.target,
                "log write": lambda row: number.binary_size(row.block_bytes),
                "commits/s": lambda row: number.iops(row.commits_per_s),
                "mean ms": lambda row: number.milliseconds(row.commit_ns_mean),
                "p99 ms ≤": lambda row: number.milliseconds(row.commit_ns_p99_most),
                "write p99 ms": lambda row: number.milliseconds(row.write_ns_p99),
                "flush p50 ms": lambda row: number.milliseconds(row.flush_ns_p50),
                "flush p99 ms": lambda row: number.milliseconds(row.flush_ns_p99),
            },
            note="One session that writes to a log and flushes it, over and over.",
        ),
        Table.of(
            "Rates that stay the same over a factor of four in size",
            [row for row in found.caps if row.iops or row.bytes_per_s],
            {
                "target": lambda row: row.target,
                "mix": lambda row: naming.kind(row.read_fraction),
                "IOPS stay at": lambda row: _rate(row.iops, 1.0),
                "for sizes": lambda row: _sizes(row.iops),
                "MB/s stay at": lambda row: _rate(row.bytes_per_s, 1e6),
                "for sizes ": lambda row: _sizes(row.bytes_per_s),
            },
        ),
        Table.of(
            "Waiting",
            found.waits,
            {
                **LINE,
                "outstanding": lambda row: str(row.depth),
                "threads that wait": lambda row: number.iops(row.sync_iops),
                "one that does not": lambda row: number.iops(row.async_iops),
                "ratio": lambda row: number.multiple(row.ratio),
                "p99 ms": lambda row: number.milliseconds(row.sync_latency_ns_p99),
                "p99 ms ": lambda row: number.milliseconds(row.async_latency_ns_p99),
            },
        ),
    ]


def _repeated(found: Findings) -> list[Table]:
    """Return how figures change: over time, when repeated, from target to target."""
    return [
        Table.of(
            "Settling",
            found.settled,
            {
                **LINE,
                "settled after": lambda row: (
                    number.duration(row.settled_after_s) if row.reached else "not settled"
                ),
                "then IOPS": lambda row: number.iops(row.iops_settled),
                "first stretches": lambda row: number.iops(row.iops_first),
                "stretch": lambda row: number.duration(row.stretch_s),
            },
            note="Settled: five stretches within 20 % of their mean, the fitted line moving by 10 % at most "
            "(SNIA's rule).",
        ),
        Table.of(
            "Second by second",
            found.jitter,
            {
                **LINE,
                "seconds": lambda row: number.count(row.seconds),
                "IOPS": lambda row: number.iops(row.iops_median),
                "spread": lambda row: number.percent(row.variation),
                "1 % of seconds below": lambda row: number.iops(row.iops_q1),
                "min": lambda row: number.iops(row.iops_min),
                "stalls": lambda row: number.count(row.stalls),
                "max ms": lambda row: number.milliseconds(row.latency_ns_max),
            },
            note="Spread: standard deviation over mean. A stall: a second with less than half of the median.",
        ),
        Table.of(
            "Repeated at the end",
            found.repeats,
            {
                **LINE,
                "depth": lambda row: str(row.depth),
                "first IOPS": lambda row: number.iops(row.iops_first),
                "repeat IOPS": lambda row: number.iops(row.iops_again),
                "ratio": lambda row: number.multiple(row.ratio),
            },
        ),
        Table.of(
            BESIDE,
            found.ratios,
            {
                "target": lambda row: row.target,
                "over": lambda row: row.over,
                "workload": lambda row: naming.load(row.series),
                "depth": lambda row: str(row.depth),
                "throughput": lambda row: number.multiple(row.iops_ratio),
                "p99 latency": lambda row: number.multiple(row.latency_p99_ratio),
            },
            words=3,
        ),
    ]


def _rate(level: Level | None, unit: float) -> str:
    return number.significant(level.per_s / unit) if level else number.ABSENT


def _sizes(level: Level | None) -> str:
    if level is None:
        return number.ABSENT
    return f"{number.binary_size(level.from_bytes)} – {number.binary_size(level.to_bytes)}"


def _transactions(result: Result) -> Table:
    heads = ("target", "with", "transactions/s", "errors", "mean ms", "p95 ms", "p99 ms")
    names = [*varied(result.points), "repeat"]
    made = [
        (
            point.target,
            transactions.described(point.settings, names),
            number.iops(found.per_s),
            number.count(found.errors),
            *(number.milliseconds(found.latency_ns.get(key)) for key in ("mean", "q0.95", "q0.99")),
        )
        for point in result.points
        if (found := point.transactions) is not None
    ]
    return Table(EVERY, heads, made, 2)
