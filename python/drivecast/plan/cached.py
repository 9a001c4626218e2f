"""Flash caches before disks: tried like a design of the search, and judged side by side.

Model. The whole is played at the peak, at the required headroom and over all of the log, warm: its cache has seen the
log before. Each side is then judged for what it had to do: bytes that it read and wrote at the peak for its power, what
the cache wrote for each byte of the host over the log for the life of its flash, with the write amplification of that
side alone. Cost, power and usable space as of designs of several volumes (`composed`). With write-back data are lost
where either side loses some, 1 − (1 − p)(1 − q), in closed form. Cheapest first, until one fits or `TRIED_MAX` were tried.
Left out: what the design is sensitive to, a rebuild under the load, and reads at the end of the service.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from drivecast.assess.rating import failure_rate
from drivecast.document.outcome import CacheUse, Outcome
from drivecast.document.plan import CachedPart, CacheSide, Design, Miss
from drivecast.plan import rank, result
from drivecast.plan.bound import Limits, least_cost_usd, too_few_losses
from drivecast.plan.cache_space import combinations
from drivecast.plan.candidate import Candidate
from drivecast.plan.climb import Progress
from drivecast.plan.composed import added, least, lost
from drivecast.plan.data_loss import too_likely
from drivecast.plan.merge import Extra
from drivecast.plan.share import Whole
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.verdict import judge, over_budget, over_power
from drivecast.stage.cached_design import CachedDesign, parse_cached

TRIED_MAX = 12
"""Designs that are simulated where none fits: each takes seconds."""
SHOWN = 3
"""Designs that are shown with what rules them out, the cheapest."""
AT_A_TIME = 4
"""Tried together, whatever the number of threads: how many are tried must not depend on that."""


@dataclass(frozen=True)
class _Tried:
    """A cached design that was played, with each side as it is judged."""

    design: CachedDesign
    trial: Trial
    fast: Candidate
    slow: Candidate
    warm: CacheUse
    """Over the log, or the peak where that is all."""
    cold: Outcome | None
    """The same from an empty cache; of a design that is refined."""


def extras(lines: Sequence[str], whole: Whole, cheapest_usd: float, update: Progress) -> list[Extra]:
    """The cached designs of these lines, and those of the search; `cheapest_usd` is the least that fits without.

    Raises `InputError` for designs that cannot be.
    """
    bench, limits, options = whole.bench, whole.limits, whole.options
    named = [parse_cached(line, bench.catalog) for line in lines]
    found = [_extra(_refined(_tried(design, bench), bench), whole, yours=True) for design in named]
    if not options.caches or options.where == "cloud":
        return found
    known = {"".join(design.line.split()) for design in named}
    combined = [
        each for each in combinations(bench.catalog, limits) if "".join(each.line.split()) not in known
    ]
    worth = [each for each in combined if _least_usd(each, limits) <= cheapest_usd][:TRIED_MAX]
    for at in range(0, len(worth), AT_A_TIME):
        batch = worth[at : at + AT_A_TIME]
        update(at / len(worth), batch[0].line)
        with ThreadPoolExecutor(threads(options)) as pool:
            tried = list(pool.map(lambda design: _tried(design, bench), batch))
        fits = [not _misses(each, whole) for each in tried]
        tried = [_refined(each, bench) if fit else each for each, fit in zip(tried, fits, strict=True)]
        found += [_extra(each, whole) for each in tried]
        if any(fits):
            break
    dearer = [each for each in combined if each not in worth][:SHOWN]
    return found + [Extra(_dearer(each, cheapest_usd, whole), None) for each in dearer]


def _least_usd(design: CachedDesign, limits: Limits) -> float:
    return least_cost_usd(design.fast, limits) + least_cost_usd(design.slow, limits)


def _tried(design: CachedDesign, bench: Bench) -> _Tried:
    trial = bench.try_out(design)
    warm = _use(bench.whole(design) or trial.peak)
    fast, slow = _sides(design, trial, warm, bench)
    return _Tried(design, trial, fast, slow, warm, None)


def _refined(tried: _Tried, bench: Bench) -> _Tried:
    trial = bench.refine(tried.design, tried.trial)
    return replace(tried, trial=trial, cold=bench.cold(tried.design))


def _use(outcome: Outcome) -> CacheUse:
    if outcome.cache is None:
        raise TypeError(f"the run of `{outcome.design}` has no cache")
    return outcome.cache


def _sides(design: CachedDesign, trial: Trial, over_log: Outcome, bench: Bench) -> tuple[Candidate, Candidate]:
    """Each side judged for what it had to do; what both must meet together is left to the whole."""
    needs = replace(bench.requirements, drive_losses=0, data_loss=1.0, budget_usd=None, power_w_max=None)
    peak, log = _use(trial.peak), _use(over_log)
    duration_ns = trial.peak.duration_s * 1e9

    def side(of: Played, moved: Sides, over: Sides, wear: Amplification | None) -> Candidate:
        run = trial.peak.model_copy(
            update={
                "host_read_bytes": moved.read_bytes,
                "device_read_bytes": moved.read_bytes,
                "device_written_bytes": moved.written_bytes,
                "utilization": moved.busy_ns / duration_ns if duration_ns else 0.0,
            }
        )
