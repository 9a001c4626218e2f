"""What the errors so far say of a prediction: by drive and kind of workload, the nearest that there is.

The nearest first: the same drive under the same kind; the same drive under any; the same kind on any drive. Figures are
medians of the ratios of predicted to measured, one a comparison, with the range of all (a range, and no interval: few
comparisons make no distribution, and those of one drive are not independent).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Literal

from drivecast.compare.error_log import Record

Scope = Literal["drive and kind", "drive", "kind", "none"]
FIGURES = {"iops": ("all", "iops"), "p50": (None, "q0.5"), "p99": (None, "q0.99")}
"""What is told of the history; quantiles of reads and of writes together."""


@dataclass(frozen=True)
class Spread:
    """Ratios of predicted to measured over comparisons."""

    n: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Standing:
    """How far predictions have been off so far."""

    scope: Scope
    n: int
    """Comparisons within the scope."""
    within: int
    """Of them, those whose prediction was within its tolerance."""
    iops: Spread | None = None
    p50: Spread | None = None
    p99: Spread | None = None

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)


def standing(records: Sequence[Record], drives: Sequence[str], kind: str) -> Standing:
    """The errors that matter for a design of these drives under this kind of workload."""
    wanted = sorted(set(drives))
    of_drive = [one for one in records if sorted(one.drives) == wanted]
    scopes: tuple[tuple[Scope, list[Record]], ...] = (
        ("drive and kind", [one for one in of_drive if one.kind == kind]),
        ("drive", of_drive),
        ("kind", [one for one in records if one.kind == kind]),
    )
    for scope, found in scopes:
        if found:
            return summary(scope, found)
    return Standing("none", 0, 0)


def summary(scope: Scope, records: Sequence[Record]) -> Standing:
    """Median and range of the ratios of records."""
    within = sum(one.outcome == "within" for one in records)
    return Standing(scope, len(records), within, **{name: _spread(records, name) for name in FIGURES})


def _spread(records: Sequence[Record], name: str) -> Spread | None:
    op, figure = FIGURES[name]
    ratios = [one for record in records for one in record.ratios if one.figure == figure]
    found = [one.ratio for one in ratios if op is None or one.op == op]
    return Spread(len(found), median(found), min(found), max(found)) if found else None


def sentence(of: Standing, drive: str, kind: str) -> str:
    """It in one sentence."""
    if of.scope == "none":
        return f"never compared with a measurement: neither {drive} nor a workload of this kind ({kind})"
    where = {
        "drive and kind": f"{drive} under this kind of workload ({kind})",
        "drive": f"{drive}, though never under this kind of workload ({kind})",
        "kind": f"this kind of workload ({kind}), though never on {drive}",
        "none": "",
    }[of.scope]
    times = {1: "once", 2: "twice"}.get(of.n, f"{of.n} times")
    parts = [
        f"{name} {told(spread)} × what was measured"
        for name, spread in (("p99", of.p99), ("IOPS", of.iops))
        if spread
    ]
    came = f": predicted {', '.join(parts)}" if parts else ""
    return f"compared with a measurement {times} for {where}{came}"


def told(spread: Spread | None) -> str:
    """Median and range: `0.96 (0.81 to 1.12)`."""
    if spread is None:
        return "–"
    value = f"{spread.median:.2f}"
    return value if spread.low == spread.high else f"{value} ({spread.low:.2f} to {spread.high:.2f})"


def rows(records: Sequence[Record]) -> list[dict[str, Any]]:
    """One row for each design's drives and kind of workload."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for one in records:
        groups.setdefault((" + ".join(one.drives), one.kind), []).append(one)
    found = []
    for (drive, kind), members in sorted(groups.items()):
        of = summary("drive and kind", members)
        row: dict[str, Any] = {"drive": drive, "kind": kind, "comparisons": of.n, "within": of.within}
        for name in FIGURES:
            spread: Spread | None = getattr(of, name)
            row |= {
                name: spread and spread.median,
                f"{name}_low": spread and spread.low,
                f"{name}_high": spread and spread.high,
            }
        found.append(row)
    return found
