"""One cached design, played and judged side by side.

Model. The whole is played at the peak, at the required headroom and over all of the log, warm: its cache has seen the
log before. Where a long log is not played whole, or windows are in its place, what was sent to each side is that of an
LRU cache, times what the program writes beyond data at the peak. Each side is then judged for what the cache sent it:
bytes and time at the peak for its power, bytes written over the log for the life of its flash, with the write
amplification of a drive that is full and written at random (caches do not trim, and a log is too short to fill one).
With write-back data are lost where either side loses some, 1 − (1 − p)(1 − q); else a lost cache loses nothing.
Rebuilds are by arithmetic. Left out: reads at the end of the service.
"""

import math
from dataclasses import dataclass, replace

from drivecast import _core
from drivecast.document.miss import Miss
from drivecast.document.outcome import Cache, Outcome
from drivecast.document.profile import Profile
from drivecast.document.wear import Amplification
from drivecast.plan import risk
from drivecast.plan.bound import too_few_losses
from drivecast.plan.candidate import Candidate
from drivecast.plan.data_loss import CLOSED_FORM_SLACK, Risk, of_any, too_likely
from drivecast.plan.load import Replay
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.trial_pool import Shared
from drivecast.plan.verdict import judge, over_budget, over_power
from drivecast.quantity.interval import Interval
from drivecast.quantity.year import DAY_S
from drivecast.stage.cached_design import CachedDesign, used
from drivecast.stage.design import Design
from drivecast.stage.simulate import Options as Run
from drivecast.stage.simulate import simulate
from drivecast.stage.wear import amplification

WORN_BY = "random(4KiB, read=0)"
"""What the flash of a cache is written like."""
NOTHING_LOST = Risk(Interval.exactly(0.0), 0.0, "closed form", 0.0)
SIDES = ("cache", "disks")
"""What a missed requirement of either side is said to be of."""


@dataclass(frozen=True)
class _Sent:
    """What a cache sent to one of its sides."""

    read_bytes: int
    written_bytes: int
    """At the peak."""
    utilization: float
    written_share: float
    """Bytes written over the log for each that the host read or wrote."""


@dataclass(frozen=True)
class Tried:
    """A cached design that was played, with each side as it is judged."""

    design: CachedDesign
    trial: Trial
    fast: Candidate
    slow: Candidate
    written_bytes_per_day: tuple[float, float]
    """To either side."""
    warm: Cache
    """Over the log, or the peak where that is all."""
    cold: Outcome | None = None
    """The same from an empty cache; of a design that fits or was named."""

    @property
    def sides(self) -> tuple[Candidate, Candidate]:
        """Both sides."""
        return self.fast, self.slow

    def misses(self, bench: Bench) -> list[Miss]:
        """What both miss together, then what each does."""
        needs, catalog = bench.requirements, bench.catalog
        verdicts = [each.verdict for each in self.sides if each.verdict]
        lost = of_any(verdict.loss.probability.value for verdict in verdicts)
        too_few = too_few_losses(self.design.failures_tolerated, needs)
        found = [
            too_few and too_few.model_copy(update={"volume": "cache"} if self.design.is_write_back else {}),
            self.trial.miss,
            *(
                miss.model_copy(update={"volume": name})
                for name, side in zip(SIDES, self.sides, strict=True)
                for miss in side.misses
            ),
            over_budget(sum(verdict.cost.planned_usd for verdict in verdicts), needs, catalog),
            over_power(sum(verdict.power_w.value for verdict in verdicts), needs),
            too_likely(lost, needs),
        ]
        return [miss for miss in found if miss is not None]


Sent = tuple[float, float]
"""Bytes a day that are written to the cache's drives, and to those behind."""


def tried_out(shared: Shared, item: tuple[CachedDesign, Sent | None]) -> Tried | None:
    """Play a design of the search, here or elsewhere; none for one that misses the required load: that is soon seen."""
    (design, sent), bench = item, shared.bench
    if not bench.holds(design, bench.requirements.headroom):
        return None
    return examined(design, bench, shared.limits.profile, sent, closely=False)


def examined(
    design: CachedDesign, bench: Bench, profile: Profile, sent: Sent | None, *, closely: bool
) -> Tried:
    """Play a design and judge its sides; one that fits is examined closely anyway.

    `sent` is what is written a day, where the log is not played whole.
    """
    trial = bench.try_out(design)
    tried = judged(design, trial, bench, profile, sent)
    near = all(miss.kind == "data-loss" and _may_be_less(miss) for miss in tried.misses(bench))
    if not near and not closely:
        return tried
    return judged(design, bench.refine(design, trial), bench, profile, sent, closely=True)


def briefly(design: CachedDesign, bench: Bench, profile: Profile, sent: Sent | None) -> Tried:
    """Play a design as far as it takes to know whether it fits: without its headroom, and not from empty."""
    tried = judged(design, bench.try_out(design), bench, profile, sent)
    near = all(miss.kind == "data-loss" and _may_be_less(miss) for miss in tried.misses(bench))
    return _with_risks(tried, bench) if near else tried


def _may_be_less(miss: Miss) -> bool:
    """Whether a chance of losing data in closed form may be within the limit when simulated."""
    return (miss.shortfall or math.inf) <= CLOSED_FORM_SLACK


def judged(
    design: CachedDesign,
    trial: Trial,
    bench: Bench,
    profile: Profile,
    a_day: Sent | None = None,
    *,
    closely: bool = False,
) -> Tried:
    """Each side judged for what it had to do; what both must meet together is left to the whole.

    Closely is with what is lost, simulated, and with a run from an empty cache.
    """
    log = bench.whole(design) or trial.peak
    peak, over, host = used(trial.peak), used(log), max(1, log.host_read_bytes + log.host_written_bytes)
    sent = (
        _Sent(
            peak.ssd_read_bytes, peak.ssd_written_bytes, peak.ssd_utilization, over.ssd_written_bytes / host
        ),
        _Sent(
            peak.disk_read_bytes,
            peak.disk_written_bytes,
            peak.disk_utilization,
            over.disk_written_bytes / host,
        ),
    )
    moved = (profile.bytes_read + profile.bytes_written) / profile.duration_s * DAY_S
    per_day = sent[0].written_share * moved, sent[1].written_share * moved
    if a_day is not None:
        per_day = a_day[0] * _beyond_data(trial.peak), a_day[1]
    sides = [
        _side(of, each, trial, bench, profile.model_copy(update={"write_bytes_per_day": written}))
        for of, each, written in zip((design.taken, design.slow), sent, per_day, strict=True)
    ]
    if not design.is_write_back:
        sides[0] = _without_risk(sides[0], bench.requirements)
    tried = Tried(design, trial, sides[0], sides[1], per_day, over)
    return replace(_with_risks(tried, bench), cold=_cold(design, bench)) if closely else tried


def _beyond_data(run: Outcome) -> float:
    """How many times as much as the host wrote and the disks were read a cache writes: with metadata, whole blocks."""
    data = run.host_written_bytes + used(run).disk_read_bytes
    return max(1.0, used(run).ssd_written_bytes / data) if data else 1.0


def _side(design: Design, sent: _Sent, trial: Trial, bench: Bench, profile: Profile) -> Candidate:
    run = trial.peak.model_copy(
        update={
            "device_read_bytes": sent.read_bytes,
            "device_written_bytes": sent.written_bytes,
            "utilization": sent.utilization,
        }
    )
    wears = trial.miss is None and design.is_flash and (profile.write_bytes_per_day or 0) > 0
    alone = replace(
        trial,
        peak=run,
        wear=_worn(design, bench) if wears else None,
        miss=None,
        chance=trial.chance if design.is_flash else None,
    )
    verdict = judge(design, alone, bench.catalog, of_a_side(bench.requirements), profile)
    return Candidate(design, trial=alone, verdict=verdict)


def of_a_side(needs: Requirements) -> Requirements:
    """What each side must meet by itself: to last."""
    return replace(needs, drive_losses=0, data_loss=1.0, budget_usd=None, power_w_max=None)


def _worn(design: Design, bench: Bench) -> Amplification:
    def worn() -> Amplification:
        load = _core.Workload.line(WORN_BY)
        return amplification(design.serving.line, load, bench.catalog, fill=1.0, seed=bench.seed)

    return bench.once((design.serving.line, "written at random", bench.seed), worn)


def _with_risks(tried: Tried, bench: Bench) -> Tried:
    """The same with what is lost, simulated."""
    fast = _with_risk(tried.fast, bench) if tried.design.is_write_back else tried.fast
    return replace(tried, fast=fast, slow=_with_risk(tried.slow, bench))


def _with_risk(side: Candidate, bench: Bench) -> Candidate:
    if side.trial is None or side.verdict is None:
        return side
    loss = risk.simulated(side.design, side.trial, side.verdict.life, bench, at_rest=True)
    return replace(side, verdict=side.verdict.with_loss(loss, of_a_side(bench.requirements)))


def _without_risk(side: Candidate, needs: Requirements) -> Candidate:
    return replace(side, verdict=side.verdict and side.verdict.with_loss(NOTHING_LOST, of_a_side(needs)))


def misses_from_empty(design: CachedDesign, bench: Bench) -> Miss | None:
    """What a design misses at the peak, or at the required headroom, from an empty cache."""
    for load in dict.fromkeys((1.0, bench.requirements.headroom)):
        workload, options = bench.load.peak(bench.fill(design), load * bench.times)
        options = replace(options, seed=bench.seed, state="fresh")
        miss = bench.miss(simulate(design.serving.line, workload, bench.catalog, options))
        if miss is not None:
            return miss if load == 1.0 else miss.model_copy(update={"load": load})
    return None


def _cold(design: CachedDesign, bench: Bench) -> Outcome:
    """The log from an empty cache, or the peak where that is all, or the log is not played itself."""
    load, fill = bench.load, bench.fill(design)
    workload, options = load.peak(fill, bench.times)
    if isinstance(load, Replay) and load.is_whole and load.whole_log is not None:
        workload, options = load.whole_log.workload, Run(fill=fill, speedup=bench.times)
    options = replace(options, seed=bench.seed, state="fresh")
    return simulate(design.serving.line, workload, bench.catalog, options)
