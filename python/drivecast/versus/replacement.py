"""Whether the first design takes the place of another.

Model. In each condition that both survive, the measure is the other's p99 of reads and of writes under the least load,
that of today. The first replaces it up to the largest load below which it keeps up, and its p99s are no longer than
those. Two p99s whose intervals overlap are in the order of their values, and `clear_at` ends before; where nothing else
speaks against the first, the answer is undecided. In a closed loop the measure is IOPS: at every depth as many or more.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from drivecast.catalog.latency_error import OPS
from drivecast.document.array_state import Condition
from drivecast.document.versus import By, Reached, Replacement, Run
from drivecast.quantity.interval import Span

Runs = dict[tuple[str, Condition, float], Run]


def replacing(
    design: str, other: str, runs: Runs, by: By, at: Sequence[float], conditions: Sequence[Condition]
) -> Replacement:
    """Compare two designs."""
    both = [
        condition
        for condition in conditions
        if not runs[design, condition, at[0]].lost and not runs[other, condition, at[0]].lost
    ]
    compare = _reached if by == "speedup" else _outdone
    found = [compare(design, other, runs, at, condition) for condition in both]
    lost = [
        condition
        for condition in conditions
        if runs[design, condition, at[0]].lost and not runs[other, condition, at[0]].lost
    ]
    survives = bool(found) and not lost
    holds = survives and all(each.at is not None for each in found)
    return Replacement(
        design=design,
        other=other,
        holds=holds,
        undecided=survives and not holds and all(each.at is not None or each.undecided for each in found),
        reached=found,
    )


def _reached(design: str, other: str, runs: Runs, at: Sequence[float], condition: Condition) -> Reached:
    """How much of a timed load it takes."""
    today = runs[other, condition, at[0]]
    mine = [runs[design, condition, load] for load in at]
    within = list(takewhile(lambda run: run.keeps_up and _within(run, today), mine))
    clear = list(takewhile(lambda run: _clearly(run, today), within))
    return Reached(
        condition=condition,
        at=within[-1].at if within else None,
        clear_at=clear[-1].at if clear else None,
        undecided=not within and mine[0].keeps_up is True and not _surely_longer(mine[0], today),
    )


def _pairs(run: Run, today: Run) -> Iterator[tuple[Span, Span]]:
    """Its p99 and the other's, of each kind of request that both have."""
    for op in OPS:
        mine, its = run.p99(op), today.p99(op)
        if mine is not None and its is not None:
            yield mine, its


def _within(run: Run, today: Run) -> bool:
    """Whether its p99s are no longer."""
    return all((mine.value or 0) <= (its.value or 0) for mine, its in _pairs(run, today))


def _clearly(run: Run, today: Run) -> bool:
    """Whether the intervals of both p99s do not overlap; those of a saturated run are unknown, and its p99s grow."""
    for mine, its in _pairs(run, today):
        least = its.low if its.low is not None else its.value
        if mine.high is None or least is None or mine.high > least:
            return False
    return True


def _surely_longer(run: Run, today: Run) -> bool:
    """Whether one of its p99s is longer beyond the intervals of both; without an interval the value is taken."""
    for mine, its in _pairs(run, today):
        least = mine.low if mine.low is not None else mine.value
        most = its.high if its.high is not None else its.value
        if (least or 0) > (most or 0):
            return True
    return False


def _outdone(design: str, other: str, runs: Runs, at: Sequence[float], condition: Condition) -> Reached:
    """How many times the requests it serves in a closed loop, over all depths."""
    ratios = [
        (runs[design, condition, depth].iops or 0.0) / (runs[other, condition, depth].iops or 1.0)
        for depth in at
    ]
    least = min(ratios)
    return Reached(condition=condition, at=at[-1] if least >= 1.0 else None, iops_ratio=least)
