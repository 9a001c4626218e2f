"""The search: designs are tried cheapest first, until nothing that is left can be among those that are shown.

Model. A chain is one drive with one kind of redundancy in rising counts: with more drives it costs more and carries
more, so it ends at the first that fits. Chains wait by the least that their next design can cost: what it costs where
it idles, wears nothing and is never outgrown. Drives of a class often cost the same, so costs within `ALIKE` are one
step, in which drives that promise more come first: measured ones, then those of more random I/O by their sheets. A
round tries the `ROUND` first of them, on however many threads, so what is tried does not depend on these. `Shown` says
what is still wanted: what may cost less than the cheapest few by more than such a step, and likewise on each side of
the questions that buyers ask (disks or flash, mirror or parity). Elsewhere than in this process what another machine
finds is remembered here, and what is known of a design goes along with it.
"""

import heapq
import math
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from drivecast.catalog.sheet import SsdSheet
from drivecast.document.miss import Miss
from drivecast.document.outcome import Outcome
from drivecast.document.wear import Amplification
from drivecast.executors import Job
from drivecast.plan.bound import Limits, best_disk, dearer, least_cost_usd, rule_out
from drivecast.plan.candidate import Candidate
from drivecast.plan.load import Synthetic
from drivecast.plan.space import Ladder
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.trial_pool import Part, Progress, Shared, run, try_one
from drivecast.plan.verdict import Verdict, judge
from drivecast.stage.design import COPIES, PARITY, Design

ROUND = 8
"""Designs tried together, whatever the number of threads: what is tried must not depend on that."""
USUAL_TRIES = 32
"""Half of the progress of a search."""
ALIKE = 0.02
"""Share of the cost that nobody would try another drive for (assumed)."""
ENDLESS = 1e12
"""Times the load that an ideal array carries: it is never outgrown."""
SHOWN = 6
"""Designs that fit, of which all that cost less than the last are wanted."""
FAR = 4.0
"""Times the cheapest: nobody asks for the best of a side that costs more."""
UNTRIED = Miss(kind="time", is_bound=True)
Side = tuple[str, str]


def side(design: Design) -> Side:
    """What buyers compare: the medium, and copies, parity or neither."""
    drive = design.drive
    special = "consumer" if drive.is_consumer else "qlc" if drive.cells == "QLC" else None
    media = (special or drive.bay) if drive.is_flash else "disk"
    kind = "parity" if design.level in PARITY else "copies" if design.level in COPIES else "none"
    return media, kind


class Wanted(Protocol):
    """What is worth a try, from what has been found to fit."""

    def add(self, design: Design, cost_usd: float) -> None:
        """A design that fits."""

    def take(self) -> None:
        """One more is tried."""

    def wants(self, design: Design, least_usd: float) -> bool:
        """Whether a design that costs no less than this is worth a try."""

    @property
    def cheapest_usd(self) -> float:
        """Of those that fit; infinite where none does."""


@dataclass
class Shown:
    """The cheapest few, and of each side the cheapest."""

    costs: list[float] = field(default_factory=list)
    sides: dict[Side, float] = field(default_factory=dict)

    def add(self, design: Design, cost_usd: float) -> None:
        """A design that fits."""
        insort(self.costs, cost_usd)
        of = side(design)
        self.sides[of] = min(cost_usd, self.sides.get(of, math.inf))

    def take(self) -> None:
        """However many: these are all that are shown."""

    def wants(self, design: Design, least_usd: float) -> bool:
        """Whether a design that costs no less than this may be among them."""
        if not self.costs:
            return True
        last_usd = self.costs[SHOWN - 1] if len(self.costs) >= SHOWN else math.inf
        most_usd = max(last_usd, self.sides.get(side(design), math.inf))
        return least_usd * (1 + ALIKE) <= most_usd and least_usd <= FAR * self.costs[0]

    @property
    def cheapest_usd(self) -> float:
        """Of those that fit."""
        return self.costs[0] if self.costs else math.inf


@dataclass
class Near:
    """Those that may be tied with the cheapest."""

    within: float
    cheapest_usd: float = math.inf
    most_usd: float = math.inf
    """Where one that fits is known that is none of the search."""
    tries_left: float = math.inf
    """Designs that are still tried, at most, once one is known to fit."""

    def add(self, _design: Design, cost_usd: float) -> None:
        """A design that fits."""
        self.cheapest_usd = min(self.cheapest_usd, cost_usd)

    def take(self) -> None:
        """One more is tried."""
        self.tries_left -= math.isfinite(min(self.most_usd, self.cheapest_usd))

    def wants(self, _design: Design, least_usd: float) -> bool:
        """Whether a design that costs no less than this may be tied."""
        is_near = least_usd <= min(self.most_usd, self.within * self.cheapest_usd)
        return is_near and (self.tries_left > 0 or math.isinf(min(self.most_usd, self.cheapest_usd)))


@dataclass(order=True)
class Chain:
    """Designs of a ladder that no bound rules out, of which the first is next."""

    order: tuple[float, ...]
    place: int
    least_usd: float = field(compare=False)
    designs: Sequence[Design] = field(compare=False)
    is_close: bool = field(compare=False)
    """Whether the least cost has all that is known before anything is tried."""

    @staticmethod
    def of(designs: Sequence[Design], place: int, limits: Limits) -> "Chain":
        """A chain by the price of drives and bays, which is soon found."""
        least_usd = least_cost_usd(designs[0], limits)
        return Chain(_order(designs[0], least_usd), place, least_usd, designs, is_close=False)

    def closer(self, limits: Limits) -> "Chain":
        """The same by all that is certain of its cost."""
        least_usd = max(self.least_usd, idle_cost_usd(self.designs[0], limits))
        order = _order(self.designs[0], least_usd)
        return replace(self, order=order, least_usd=least_usd, is_close=True)

    def after(self, limits: Limits) -> "Chain | None":
        """The chain without its first."""
        left = self.designs[1:]
        return Chain.of(left, self.place, limits) if left else None


def _order(design: Design, least_usd: float) -> tuple[float, ...]:
    """The step of the cost, then what promises more; see the module."""
    sheet = design.drive.sheet
    rates = sheet.performance if isinstance(sheet, SsdSheet) else None
    promise = rates.random_read_iops.value + rates.random_write_iops.value if rates else 0.0
    step = math.floor(math.log(max(least_usd, 1.0)) / math.log1p(ALIKE))
    return step, not design.drive.latency_measured, -promise, least_usd


def idle_cost_usd(design: Design, limits: Limits) -> float:
    """What a design costs that idles, wears nothing, misses nothing and is never outgrown."""
    return _idle(design, None, limits).cost.planned_usd


def _idle(design: Design, wear: Amplification | None, limits: Limits) -> Verdict:
    """The verdict on a design that idles and is never outgrown, with that wear."""
    trial = Trial(Outcome(iops=0.0, utilization=0.0), wear, None, None, {}, held=ENDLESS)
    return judge(design, trial, limits.catalog, limits.requirements, limits.profile)


def chains(
    ladders: Sequence[Ladder], found: list[list[Candidate]], limits: Limits, bench: Bench
) -> list[Chain]:
    """What the bounds leave of the ladders, as a heap; what they rule out is put into `found`."""
    opened = []
    for ladder in ladders:
        rulings = [(design, rule_out(design, limits) or bench.overtaxed(design, limits)) for design in ladder]
        found.append([Candidate(design, ruling) for design, ruling in rulings if ruling is not None])
        if left := [design for design, ruling in rulings if ruling is None]:
            opened.append(Chain.of(left, len(found) - 1, limits))
    heapq.heapify(opened)
    return opened


Trying = Callable[[Sequence[Sequence[Design]]], Iterator[tuple[int, list[Candidate]]]]
"""Tries the first of each of some chains, and gives what it found with their places as they end."""


def search(
    waiting: list[Chain],
    found: list[list[Candidate]],
    limits: Limits,
    wanted: Wanted,
    trying: Trying,
    passed: Callable[[], bool] = lambda: False,
) -> None:
    """Try what is wanted of the chains; all else is dearer, too large, or left when time has passed."""
    while waiting and not passed():
        first = _first(waiting, found, limits, wanted)
        tried = dict(trying([chain.designs for chain in first]))
        for at, chain in enumerate(first):
            if at not in tried:
                heapq.heappush(waiting, chain)
                continue
            found[chain.place] += tried[at]
            candidate, *larger_miss = tried[at]
            if larger_miss:
                continue
            if candidate.fits and candidate.verdict is not None:
                wanted.add(candidate.design, candidate.verdict.cost.planned_usd)
                ruling = Miss(kind="smaller-fits", found=candidate.design.bays, is_bound=True)
                found[chain.place] += [Candidate(larger, ruling) for larger in chain.designs[1:]]
            elif (rest := chain.after(limits)) is not None:
                heapq.heappush(waiting, rest)
    for chain in waiting:
        found[chain.place] += [Candidate(design, UNTRIED) for design in chain.designs]


def _first(waiting: list[Chain], found: list[list[Candidate]], limits: Limits, wanted: Wanted) -> list[Chain]:
    """The chains of a round; those before them that are not wanted end here."""
    first: list[Chain] = []
    while waiting and len(first) < ROUND:
        chain = heapq.heappop(waiting)
        if not wanted.wants(chain.designs[0], chain.least_usd):
            rulings = (dearer(design, limits, wanted.cheapest_usd) for design in chain.designs)
            found[chain.place] += map(Candidate, chain.designs, rulings)
        elif chain.is_close:
            wanted.take()
            first.append(chain)
        else:
            heapq.heappush(waiting, chain.closer(limits))
    return first


def try_next(designs: Sequence[Design], bench: Bench, limits: Limits) -> list[Candidate]:
    """Try the first of a chain: what misses the required load is seen soonest, and needs no figures.

    Of disks, which nothing ages, the largest is tried at once then: where that misses as well, all between do.
    """
    design, *larger = designs
    needed = bench.requirements.headroom
    miss = Miss(kind="latency", load=needed, is_bound=True)
    if larger and bench.is_known_to_miss(larger[-1], needed):
        return [Candidate(each, miss) for each in designs]
    if design.level in PARITY:
        alone = bench.array_alone(design)
        if alone is not None:
            return [Candidate(design, alone)]
    if (
        isinstance(bench.load, Synthetic)
        and bench.wears(design)
        and (worn := worn_out(design, bench, limits)) is not None
    ):
        return [worn]
    if _holds(design, needed, bench, limits):
        return [try_one(design, bench, limits)]
    if design.is_flash or not larger or _holds(larger[-1], needed, bench, limits):
        return [Candidate(design, miss)]
    bench.misses_as_well(designs, needed)
    return [Candidate(each, miss) for each in designs]


def _holds(design: Design, times: float, bench: Bench, limits: Limits) -> bool:
    """Whether a design holds a load. Of disks a part is asked, then the best of the kind: often it answers for all."""
    if not design.is_flash and (
        bench.misses_share(design, times) or bench.misses_first(best_disk(design, limits), times)
    ):
        return False
    return bench.holds(design, times)


def worn_out(design: Design, bench: Bench, limits: Limits) -> Candidate | None:
    """A design whose flash does not last, with its latency at the peak: no higher load matters. None where it lasts."""
    wear = bench.wear(design)
    misses = _idle(design, wear, limits).misses
    miss = next((miss for miss in misses if miss.kind in ("rated-writes", "flash-life")), None)
    if miss is None:
        return None
    if bench.brisk:
        return Candidate(design, miss.model_copy(update={"is_bound": True}))
    trial = bench.at_peak(design)
    trial = trial if trial.miss else replace(trial, wear=wear)
    verdict = judge(design, trial, limits.catalog, limits.requirements, limits.profile)
    return Candidate(design, trial=trial, verdict=verdict)


def by_job(job: Job[Shared], update: Progress) -> Trying:
    """The parts of a job try them; how many there will be is not known, so progress slows down."""
    before = 0

    def trying(of_chains: Sequence[Sequence[Design]]) -> Iterator[tuple[int, list[Candidate]]]:
        nonlocal before
        tried, before = before, before + len(of_chains)

        def advance(share: float, what: str) -> None:
            now = tried + share * len(of_chains)
            update(now / (now + USUAL_TRIES), what)

        work = [(at, Part(try_next, designs, designs)) for at, designs in enumerate(of_chains)]
        return run(work, job, advance)

    return trying


def here(bench: Bench, limits: Limits) -> Trying:
    """Tried in the calling thread, one after another."""
    return lambda of_chains: ((at, try_next(each, bench, limits)) for at, each in enumerate(of_chains))
