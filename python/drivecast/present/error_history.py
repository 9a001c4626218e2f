"""The errors of predictions so far: tables, a line a drive and kind of workload or a comparison; and sentences."""

from collections.abc import Sequence
from typing import Any

from drivecast.document.error_log import ComparisonRow, ErrorLog, KindRow
from drivecast.document.plan import Plan
from drivecast.document.prediction_error import DesignError
from drivecast.present import grid


def lines(log: ErrorLog) -> list[grid.Line]:
    """The table, and how many comparisons it is of."""
    kinds = [row for row in log.rows if isinstance(row, KindRow)]
    each = [row for row in log.rows if isinstance(row, ComparisonRow)]
    return [*(_each(each) if each else _by_kind(kinds)), f"{log.comparisons} comparisons in {log.history}"]


def _by_kind(rows: Sequence[KindRow]) -> list[grid.Line]:
    cells = [
        (
            row.drive,
            row.kind,
            row.comparisons,
            row.within,
            _spread(row.iops, row.iops_low, row.iops_high),
            _spread(row.p50, row.p50_low, row.p50_high),
            _spread(row.p99, row.p99_low, row.p99_high),
        )
        for row in rows
    ]
    return [*grid.table(("<drive", "<kind of workload", "n", "within", "IOPS", "p50", "p99"), cells)]


def _spread(median: float | None, low: float | None, high: float | None) -> str | None:
    """Median and range: `0.96 (0.81 to 1.12)`."""
    if median is None:
        return None
    return f"{median:.2f}" if low == high else f"{median:.2f} ({low:.2f} to {high:.2f})"


def _each(rows: Sequence[ComparisonRow]) -> list[grid.Line]:
    heads = ("<drive", "<workload", "iops", "read p50", "read p99", "write p50", "write p99", "<")
    cells = [
        (
            row.drive,
            row.workload,
            *(
                None if ratio is None else f"{ratio:.2f}"
                for ratio in (row.iops, row.read_p50, row.read_p99, row.write_p50, row.write_p99)
            ),
            row.outcome,
        )
        for row in rows
    ]
    return [*grid.table(heads, cells)]


def worded(plan: Plan) -> Plan:
    """The plan with the errors so far in words."""
    found = plan.prediction_error
    if found is None:
        return plan
    rows = [row.model_copy(update={"statement": statement(row)}) for row in found.designs]
    leading = next((row for row in rows if row.design == plan.winner), next(iter(rows), None))
    words = leading.statement if leading else "never compared with a measurement"
    stated = found.model_copy(update={"statement": words, "designs": rows})
    return plan.model_copy(update={"prediction_error": stated})


def statement(of: DesignError) -> str:
    """The errors so far in a sentence, and the error that the file of a fitted drive states."""
    return "; ".join([_compared(of), *([_fitted(of.held_out)] if of.held_out else [])])


def _compared(of: DesignError) -> str:
    drive, kind = of.drive, of.kind
    if of.scope == "none":
        return f"never compared with a measurement: neither {drive} nor a workload of this kind ({kind})"
    where = {
        "drive and kind": f"{drive} under this kind of workload ({kind})",
        "drive": f"{drive}, though never under this kind of workload ({kind})",
        "kind": f"this kind of workload ({kind}), though never on {drive}",
    }[of.scope]
    times = {1: "once", 2: "twice"}.get(of.n, f"{of.n} times")
    parts = [
        f"{name} {_spread(spread.median, spread.low, spread.high)} × measured"
        for name, spread in (("p99", of.p99), ("IOPS", of.iops))
        if spread
    ]
    came = f": predicted {', '.join(parts)}" if parts else ""
    return f"compared with a measurement {times} for {where}{came}"


def _fitted(held_out: dict[str, Any]) -> str:
    runs = f"{held_out['runs']} run{'' if held_out['runs'] == 1 else 's'}"
    p50, p50_most, p99, p99_most = (
        f"{held_out[f'{quantile}_error_{which}'] * 100:.0f} %"
        for quantile in ("p50", "p99")
        for which in ("median", "max")
    )
    return (
        f"fitted to runs, and on {runs} held out p50 off by {p50} in the median (at most {p50_most}), p99 by {p99} "
        f"(at most {p99_most})"
    )
