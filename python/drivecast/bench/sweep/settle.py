"""When a long run has settled: SNIA's rule for steady state on the means of equal stretches of time.

MODEL. The stretches take the place of the rounds: the run has settled at the end of the first five of them whose
throughput lies within 20 % of its mean and whose fitted line moves by no more than 10 % of it (`drivecast.bench.pts`).
What came before is warm-up, and figures taken in it flatter or slander the target. A rest of more than a stretch
between two parts of a run (an interruption) begins the warm-up again: a drive cleans up while it rests.
"""

from collections.abc import Sequence
from datetime import datetime
from statistics import fmean

from drivecast.bench.pts import steady
from drivecast.document.findings import Settled
from drivecast.document.outcome import Second
from drivecast.document.result import Point

STRETCH_S = 60.0
"""Of a run of an hour and more; the rule's rounds are minutes too."""

STRETCHES_LEAST = 30
"""A shorter run has shorter stretches, so that the rule has that many to look at."""


def settled(parts: Sequence[Point]) -> Settled:
    """When the parts of one run together have settled, and the mean of each stretch."""
    unbroken = _unbroken(parts)
    seconds = [row for part in unbroken for row in (part.outcome.seconds if part.outcome else ())]
    width = max(1, round(min(STRETCH_S, len(seconds) / STRETCHES_LEAST)))
    means = stretches(seconds, width)
    rule = steady.sought({"iops": means}) if len(means) >= steady.WINDOW else None
    window = rule.windows.get("iops") if rule else None
    reached = bool(rule and rule.reached)
    return Settled(
        reached=reached,
        settled_after_s=rule.rounds * width if rule and reached else None,
        stretch_s=width,
        iops=means,
        iops_settled=window.mean if window and reached else None,
        iops_first=fmean(means[: steady.WINDOW]) if means else None,
        rested=len(unbroken) < len(parts),
    )


def stretches(seconds: Sequence[Second], width: int) -> list[float]:
    """Requests a second in each whole stretch of `width` seconds."""
    carried = [float(row["reads"]) + float(row["writes"]) for row in seconds]
    whole = len(carried) // width
    return [fmean(carried[index * width : (index + 1) * width]) for index in range(whole)]


def _unbroken(parts: Sequence[Point]) -> list[Point]:
    """The parts behind the last long rest."""
    kept: list[Point] = []
    over: float | None = None
    for part in parts:
        begun = datetime.fromisoformat(part.started).timestamp()
        if over is not None and begun - over > STRETCH_S:
            kept = []
        kept.append(part)
        over = begun + part.ramp_s + (part.outcome.duration_s if part.outcome else 0.0)
    return kept
