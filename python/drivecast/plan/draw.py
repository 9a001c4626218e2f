"""What is not known of designs, drawn for all of them at once.

The model and its arithmetic are in `crates/assess/src/draw.rs`, which the page of a report calls, too.
Here are candidates as it takes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from drivecast import _core
from drivecast.plan.candidate import Candidate
from drivecast.plan.trial import Trial
from drivecast.plan.verdict import Verdict
from drivecast.quantity.interval import Interval


@dataclass(frozen=True)
class Judged:
    """A candidate that was tried."""

    candidate: Candidate
    trial: Trial
    verdict: Verdict

    @classmethod
    def those_of(cls, candidates: Sequence[Candidate]) -> list["Judged"]:
        """Those of the candidates that were."""
        return [
            cls(each, each.trial, each.verdict)
            for each in candidates
            if each.trial is not None and each.verdict is not None
        ]


def bought(draw: _core.Draw, judged: Sequence[Judged], data_loss: float) -> _core.Drawn:
    """What is drawn of a design of these parts, which all must hold and together lose no more data than `data_loss`."""
    return draw.bought(
        [
            (each.verdict.costing.facts, ends(each.verdict.loss.probability), each.trial.chance)
            for each in judged
        ],
        data_loss,
    )


def rented(draw: _core.Draw, provider: str, cost_usd: Interval | None) -> _core.Drawn:
    """What is drawn of a rented design; one without a price is never the cheapest."""
    return draw.rented(provider, ends(cost_usd) if cost_usd else None)


def ends(span: Interval) -> tuple[float, float, float]:
    """An interval as the arithmetic takes it."""
    return span.low, span.value, span.high
