"""The tables of a result: its findings first, then every point. Cells are text already."""

from drivecast.document.findings import Findings, Level
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


def of_result(result: Result) -> list[Table]:
    """Return every table that has rows."""
    if result.kind == "database":
        return [*transactions.tables(result), _transactions(result)]
    found = result.findings
    makers = (_knees, _commits, _caps, _waits, _settled, _jitter, _repeats, _ratios)
    made = [*steady_state.tables(found), *(maker(found) for maker in makers), points(result)]
    return [table for table in made if table.rows]


def points(result: Result) -> Table:
    """Return every point, repeats apart."""
    heads = ("target", "workload", "with", "IOPS", "MB/s", "mean ms", "p50 ms", "p95 ms", "p99 ms")
    made = [
        (
            row.target,
            naming.load(row.series),
            _with(row),
            number.iops(row.iops),
            number.significant(row.bytes_per_s / 1e6),
            *map(
                number.milliseconds,
                (row.latency_ns_mean, row.latency_ns_p50, row.latency_ns_p95, row.latency_ns_p99),
            ),
        )
        for row in rows(result.points)
    ]
    return Table(EVERY, heads, made, 3, "Latencies of reads and writes together.")


def _with(row: Row) -> str:
    """Return depth or threads, and the engine where it is not the usual one."""
    deep = f"depth {row.depth}" if row.threads == 1 else f"{row.threads} threads"
    return deep if row.engine in ("", "io_uring") else f"{deep}, {row.engine}"


def _knees(found: Findings) -> Table:
    heads = (
        "target",
        "workload",
        "knee",
        "max IOPS",
        "lone ms",
        "depth for 90 %",
        "p99 ms there",
        "depth kept",
    )
    made = [
        (
            row.target,
            naming.load(row.series),
            f"{'' if row.reached else '≥ '}{number.significant(row.depth, 2)}",
            number.iops(row.iops_max),
            number.milliseconds(row.round_ns),
            str(row.depth_enough),
            number.milliseconds(row.latency_ns_p99_enough),
            number.percent(row.depth_kept),
        )
        for row in found.knees
    ]
    note = (
        "Knee: how many requests the target serves at once, X_max × the time of a lone request; "
        "≥ where the sweep ended before X_max was reached."
    )
    return Table("Knees", heads, made, 2, note)


def _commits(found: Findings) -> Table:
    heads = ("target", "log write", "commits/s", "mean ms", "p99 ms ≤", "write p99 ms", "flush p50 ms")
    made = [
        (
            row.target,
            number.binary_size(row.block_bytes),
            number.iops(row.commits_per_s),
            *map(
                number.milliseconds,
                (
                    row.commit_ns_mean,
                    row.commit_ns_p99_most,
                    row.write_ns_p99,
                    row.flush_ns_p50,
                    row.flush_ns_p99,
                ),
            ),
        )
        for row in found.commits
    ]
    return Table(
        "Commits",
        (*heads, "flush p99 ms"),
        made,
        2,
        "One session that writes to a log and flushes it, over and over.",
    )


def _caps(found: Findings) -> Table:
    heads = ("target", "mix", "IOPS stay at", "for sizes", "MB/s stay at", "for sizes")
    made = [
        (row.target, naming.kind(row.read_fraction), *_level(row.iops, 1.0), *_level(row.bytes_per_s, 1e6))
        for row in found.caps
        if row.iops or row.bytes_per_s
    ]
    return Table("Rates that stay the same over a factor of four in size", heads, made, 2)


def _level(level: Level | None, unit: float) -> tuple[str, str]:
    if level is None:
        return number.ABSENT, number.ABSENT
    sizes = f"{number.binary_size(level.from_bytes)} – {number.binary_size(level.to_bytes)}"
    return number.significant(level.per_s / unit), sizes


def _waits(found: Findings) -> Table:
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
            row.target,
            naming.load(row.series),
            str(row.depth),
            number.iops(row.sync_iops),
            number.iops(row.async_iops),
            number.multiple(row.ratio),
            number.milliseconds(row.sync_latency_ns_p99),
            number.milliseconds(row.async_latency_ns_p99),
        )
        for row in found.waits
    ]
    return Table("Waiting", heads, made, 2)


def _settled(found: Findings) -> Table:
    heads = ("target", "workload", "settled after", "then IOPS", "first stretches", "stretch")
    made = [
        (
            row.target,
            naming.load(row.series),
            number.duration(row.settled_after_s) if row.reached else "not settled",
            number.iops(row.iops_settled),
            number.iops(row.iops_first),
            number.duration(row.stretch_s),
        )
        for row in found.settled
    ]
    note = "Settled: five stretches within 20 % of their mean, the fitted line moving by 10 % at most (SNIA's rule)."
    return Table("Settling", heads, made, 2, note)


def _jitter(found: Findings) -> Table:
    heads = (
        "target",
        "workload",
        "seconds",
        "IOPS",
        "spread",
        "1 % of seconds below",
        "min",
        "stalls",
        "max ms",
    )
    made = [
        (
            row.target,
            naming.load(row.series),
            number.count(row.seconds),
            number.iops(row.iops_median),
            number.percent(row.variation),
            number.iops(row.iops_q1),
            number.iops(row.iops_min),
            number.count(row.stalls),
            number.milliseconds(row.latency_ns_max),
        )
        for row in found.jitter
    ]
    note = "Spread: standard deviation over mean. A stall: a second with less than half of the median."
    return Table("Second by second", heads, made, 2, note)


def _repeats(found: Findings) -> Table:
    heads = ("target", "workload", "depth", "first IOPS", "repeat IOPS", "ratio")
    made = [
        (
            row.target,
            naming.load(row.series),
            str(row.depth),
            number.iops(row.iops_first),
            number.iops(row.iops_again),
            number.multiple(row.ratio),
        )
        for row in found.repeats
    ]
    return Table("Repeated at the end", heads, made, 2)


def _ratios(found: Findings) -> Table:
    heads = ("target", "over", "workload", "depth", "throughput", "p99 latency")
    made = [
        (
            row.target,
            row.over,
            naming.load(row.series),
            str(row.depth),
            number.multiple(row.iops_ratio),
            number.multiple(row.latency_p99_ratio),
        )
        for row in found.ratios
    ]
    return Table(BESIDE, heads, made, 3)


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
