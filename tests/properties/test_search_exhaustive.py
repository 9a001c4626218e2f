"""The search finds what trying everything finds, and its answer moves only as it must.

Drives are queues here, nothing is simulated: a drive serves so many requests a second, an array of n drives n times
that, each write once a copy, or four or six times with parity; p99 at utilisation ρ is a service time over 1 − ρ. A
disk that is no slower by its sheet serves no less: what the search concludes from the best disk rests on that.
Costs, bounds and ranking are the real ones.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bundled import CATALOG
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import OPS, QUANTILES
from drivecast.document.miss import Miss
from drivecast.document.wear import Amplification
from drivecast.plan.best_first import ALIKE, Shown, chains, here, search
from drivecast.plan.bound import Limits, is_no_slower, is_sold, rule_out
from drivecast.plan.candidate import Candidate
from drivecast.plan.load import Synthetic
from drivecast.plan.rank import Place, ranked
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.space import Ladder, searched
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.trial_pool import try_one
from drivecast.quantity.interval import Interval
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.design import Design
from made_up_load import PEAK, PROFILE
from worn import wear

SOLD = sorted(name for name, drive in CATALOG.drives.items() if is_sold(drive, CATALOG, include_old=False))
NO_FASTER = {
    name: [name, *(other for other in SOLD if is_no_slower(CATALOG.drives[name], CATALOG.drives[other]))]
    for name in SOLD
}
"""The disks that a disk is no slower than, by its sheet."""
DRIVES_MOST, MEMBERS_MOST = 12, 8
PEAK_IOPS = 2000.0
STEADY = Synthetic(CounterLoad(4096, 0.5, PEAK_IOPS, 60.0, None, ()))
WRITES = {"raid1": 1.0, "raid10": 1.0, "raid5": 4.0, "raid50": 4.0, "raid6": 6.0, "raid60": 6.0}


@dataclass
class Queues:
    """What the search asks of a bench."""

    catalog: Catalog
    requirements: Requirements
    write_share: float
    serves_iops: dict[str, float]
    brisk: bool = False
    load: Synthetic = STEADY
    missed: dict[str, float] = field(default_factory=dict)

    def utilization(self, design: Design, load: float) -> float:
        """Share of the drives' time that a multiple of the peak takes."""
        copies = design.count / design.data_drives if design.level in ("raid1", "raid10") else 1.0
        each = 1 - self.write_share + self.write_share * copies * WRITES.get(design.level, 1.0)
        return load * PEAK_IOPS * each / (design.count * self.serves_iops[design.drive.name])

    def miss(self, design: Design, load: float) -> Miss | None:
        """Whether the array is busier than it can be."""
        busy = self.utilization(design, load)
        return Miss(kind="latency", load=load, shortfall=busy) if busy > 0.9 else None

    def holds(self, design: Design, load: float) -> bool:
        """As a bench says it."""
        return self.miss(design, load) is None

    def misses_first(self, design: Design, load: float) -> bool:
        """A queue shows at once what it cannot serve."""
        return not self.holds(design, load)

    def is_known_to_miss(self, design: Design, load: float) -> bool:
        """As a bench remembers it."""
        return load >= self.missed.get(design.line, float("inf"))

    def misses_as_well(self, designs: Sequence[Design], load: float) -> None:
        """As a bench remembers it."""
        self.missed |= {design.line: load for design in designs}

    def array_alone(self, *_: object) -> Miss | None:
        """An array takes no time."""
        return None

    def misses_share(self, *_: object) -> bool:
        """No part is slower than all of it."""
        return False

    def overtaxed(self, *_: object) -> Miss | None:
        """The load is no counters."""
        return None

    def wears(self, design: Design) -> bool:
        """Every load writes."""
        return design.is_flash

    def wear(self, design: Design) -> Amplification:
        """What the array writes."""
        return wear(parity_factor=WRITES.get(design.level, 1.0) / 2 or 1.0, members=design.count)

    def at_peak(self, design: Design) -> Trial:
        """The trial of a design that wears out: the same."""
        return self.try_out(design)

    def try_out(self, design: Design) -> Trial:
        """The trial of a design."""
        most = 0.9 / self.utilization(design, 1.0)
        p99_ns = 1e5 / max(0.1, 1 - self.utilization(design, 1.0))
        latency = {(op, name): Interval.exactly(p99_ns) for op in OPS for name in QUANTILES}
        miss = self.miss(design, self.requirements.headroom)
        return Trial(PEAK, self.wear(design) if design.is_flash else None, miss, most, latency, held=most)  # type: ignore[arg-type]


@dataclass
class Question:
    """A load, what is required, and the drives to choose from."""

    catalog: Catalog = field(repr=False)
    needs: Requirements
    write_share: float
    serves_iops: dict[str, float]

    @property
    def limits(self) -> Limits:
        """What the bounds are compared with."""
        return Limits(self.catalog, self.needs, PROFILE, include_old=False, trimmed=True)

    @property
    def bench(self) -> Bench:
        """Queues in place of simulated drives."""
        return cast("Bench", Queues(self.catalog, self.needs, self.write_share, self.serves_iops))

    def ladders(self) -> list[Ladder]:
        """The designs of few drives."""
        found = searched(self.catalog, self.needs, "metal", PROFILE)
        small = (tuple(each for each in ladder if each.bays <= MEMBERS_MOST) for ladder in found)
        return [ladder for ladder in small if ladder]

    def by_search(self) -> list[Candidate]:
        """What the search tried."""
        found: list[list[Candidate]] = []
        bench = self.bench
        waiting = chains(self.ladders(), found, self.limits, bench)
        search(waiting, found, self.limits, Shown(), here(bench, self.limits))
        return [each for rung in found for each in rung if each.trial is not None]

    def by_trying_all(self) -> list[Candidate]:
        """Everything that may fit."""
        all_of = (design for ladder in self.ladders() for design in ladder)
        return [
            try_one(each, self.bench, self.limits) for each in all_of if rule_out(each, self.limits) is None
        ]

    def winner(self, candidates: Sequence[Candidate]) -> Place | None:
        """The first in the ranking."""
        places = ranked(candidates, self.needs, seed=1)
        return places[0] if places else None


def cheapest_usd(candidates: Sequence[Candidate]) -> float:
    """The least that is spent on a design that fits."""
    costs = (each.verdict.cost.planned_usd for each in candidates if each.fits and each.verdict)
    return min(costs, default=float("inf"))


def _asked(names: Sequence[str], iops: Sequence[float], write_share: float, **given_: float) -> Question:
    catalog = replace(CATALOG, drives={name: CATALOG.drives[name] for name in sorted(set(names))})
    needs = derive(Given(**given_), PROFILE)  # type: ignore[arg-type]
    serves = dict(zip(SOLD, (iops * len(SOLD))[: len(SOLD)], strict=True))
    serves = {name: max(serves[other] for other in NO_FASTER[name]) for name in SOLD}
    return Question(catalog, needs, write_share, serves)


questions = st.builds(
    _asked,
    st.lists(st.sampled_from(SOLD), min_size=1, max_size=DRIVES_MOST),
    st.lists(st.floats(200, 200_000), min_size=5, max_size=11),
    st.floats(0.0, 1.0),
    capacity_bytes=st.sampled_from([200 * 10**9, 10**12, 4 * 10**12, 20 * 10**12]),
    years=st.sampled_from([3.0, 5.0]),
    drive_losses=st.integers(0, 2),
)


@settings(max_examples=80)
@given(questions)
def test_the_search_finds_the_winner_of_trying_all(question: Question) -> None:
    found, best = (question.winner(tried) for tried in (question.by_search(), question.by_trying_all()))
    assert (found is None) == (best is None)
    if found is None or best is None or found.candidate.design.line == best.candidate.design.line:
        return
    # Of drives that cost the same, those that are not tried are of the same array.
    shapes = {(each.candidate.design.level, each.candidate.design.count) for each in (found, best)}
    assert len(shapes) == 1
    assert math.isclose(found.entry.total_usd, best.entry.total_usd, rel_tol=ALIKE)


@settings(max_examples=80)
@given(questions, st.sampled_from(SOLD))
def test_another_drive_makes_nothing_dearer(question: Question, name: str) -> None:
    more = replace(question.catalog, drives={**question.catalog.drives, name: CATALOG.drives[name]})
    with_it = replace(question, catalog=more)
    assert cheapest_usd(with_it.by_search()) <= (1 + ALIKE) * cheapest_usd(question.by_search())


@settings(max_examples=80)
@given(questions)
def test_a_looser_limit_makes_nothing_dearer(question: Question) -> None:
    looser = replace(question.needs, headroom=question.needs.headroom / 2)
    cheapest = cheapest_usd(replace(question, needs=looser).by_search())
    assert cheapest <= (1 + ALIKE) * cheapest_usd(question.by_search())


@settings(max_examples=50)
@given(questions, st.randoms(use_true_random=False))
def test_the_order_of_the_catalog_decides_nothing(question: Question, random: object) -> None:
    names = list(question.catalog.drives)
    random.shuffle(names)  # type: ignore[attr-defined]
    shuffled = replace(question.catalog, drives={name: CATALOG.drives[name] for name in names})
    found = [
        place and place.candidate.design.line
        for place in (
            question.winner(each.by_search()) for each in (question, replace(question, catalog=shuffled))
        )
    ]
    assert found[0] == found[1]
