"""What each requirement costs: the cheapest design without it, and with one step more of it.

Model. As in a scenario of `flip`: the search again with the requirement otherwise, among designs that cost less than
the winner where it is loosened, and a few of the cheapest where it is tightened. The price is the difference of their
expected costs. Loosened are the limits on p99, the headroom (to the peak itself), and the failures that are tolerated
(by one); tightened are these failures (by one more). A limit on the chance of losing data is loosened where there is
one. What leaves the same design the cheapest costs nothing. Left out: two requirements at once, and designs beyond the
`flip.TRIES` cheapest that no bound rules out.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from drivecast.document.buyers_question import ShadowPrice
from drivecast.plan import space
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Options
from drivecast.plan.flip import Question, cost_usd, peers, required, searched
from drivecast.plan.rank import Place
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Bench
from drivecast.plan.trial_pool import try_one
from drivecast.quantity import number

Name = Literal["p99", "headroom", "drive_losses", "data_loss"]
NO_LIMIT_NS, NO_LIMIT_TIMES = 1_000_000_000, 10
"""A p99 that is no limit to speak of, and times one that is stated: a run that is saturated misses it, and ends."""
LOSSES_MOST = 2


@dataclass(frozen=True)
class Otherwise:
    """A requirement, and the requirements with another in its place."""

    name: Name
    value: str
    instead: str | None
    needs: Requirements
    is_looser: bool = True


def otherwise(needs: Requirements) -> Iterator[Otherwise]:
    """What is loosened or tightened, one at a time."""
    of = [("reads", needs.p99_read_ns), ("writes", needs.p99_write_ns)]
    stated = " and ".join(f"{op} {number.latency(limit)}" for op, limit in of if limit is not None)
    read, write = (no_limit_ns(limit) for _, limit in of)
    yield Otherwise("p99", stated, None, replace(needs, p99_read_ns=read, p99_write_ns=write))
    if needs.headroom > 1:
        value = number.headroom(needs.headroom)
        yield Otherwise("headroom", value, number.headroom(1.0), replace(needs, headroom=1.0))
    for losses in (needs.drive_losses - 1, needs.drive_losses + 1):
        if 0 <= losses <= LOSSES_MOST:
            other = replace(needs, drive_losses=losses)
            is_looser = losses < needs.drive_losses
            yield Otherwise("drive_losses", f"{needs.drive_losses}", f"{losses}", other, is_looser)
    if needs.limits_data_loss:
        value = number.probability(needs.data_loss)
        yield Otherwise("data_loss", value, None, replace(needs, data_loss=1.0))


def no_limit_ns(limit_ns: int | None) -> int | None:
    """What is required in place of a limit on p99: next to nothing; none where there are no such requests."""
    return None if limit_ns is None else max(NO_LIMIT_NS, NO_LIMIT_TIMES * limit_ns)


def questions(
    places: Sequence[Place], bench: Bench, limits: Limits, options: Options
) -> list[Question[ShadowPrice]]:
    """The price of each requirement."""
    return [
        Question(f"without {other.name}", partial(_price, other, places, bench, limits, options))
        for other in otherwise(bench.requirements)
    ]


def _price(
    other: Otherwise, places: Sequence[Place], bench: Bench, limits: Limits, options: Options
) -> ShadowPrice:
    scenario = required(other.name, other.instead or "", other.needs, bench.branched(), limits)
    losses = other.needs.drive_losses
    able = [place for place in places if place.candidate.design.failures_tolerated >= losses]
    tried = (try_one(place.candidate.design, scenario.bench, scenario.limits) for place in able[:1])
    known = [each for each in tried if each.fits] or peers(scenario, able[1:])
    if other.is_looser:
        known += [place.candidate for place in able[1:]]
    least_usd = min((cost_usd(each) for each in known if each.fits), default=math.inf)
    ladders = space.searched(bench.catalog, other.needs, options.where, limits.profile)
    fits = [each for each in (*known, *searched(scenario, known, ladders, least_usd, 1.0)) if each.fits]
    best = min(fits, key=lambda each: (cost_usd(each), each.design.line), default=None)
    now = min((place.candidate for place in places), key=cost_usd)
    change_usd = (
        0.0 if best is None or best.design.line == now.design.line else cost_usd(now) - cost_usd(best)
    )
    return ShadowPrice(
        requirement=other.name,
        value=other.value,
        instead=other.instead,
        costs_usd=None if best is None else change_usd * (1 if other.is_looser else -1),
        without=best.design.line if best else None,
    )
