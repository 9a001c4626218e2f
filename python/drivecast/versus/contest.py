"""Every run of every design, in parallel, and the document they make.

A thread makes all runs of a design in a condition, so that its drives are brought to steady state once
(`_core.Kept`), however many loads there are. Runs are independent: what is found does not depend on which ends first.

A design keeps up if, after the last arrival, it is done within 5 % of the run or a tenth of a second: stretches that
are sped up are short, and the second that `simulate` allows would hide a backlog.

Intervals are those of a plan (`plan.trial`): runs at the slow and the fast end of flash times, sampling, and how far
predictions of real drives are off. A run that falls behind has none: its latency grows with its length. Nor has one
that would fall behind if its drives carried the least that they may (`assess.outcome_interval`).

Of a cached design a drive of the array behind fails and is rebuilt; where a drive of the cache, too, may take data with
it, the design has none left. Each run begins with a cache that has seen the load before.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from drivecast import __version__, _core
from drivecast.assess import outcome_interval
from drivecast.catalog import Catalog
from drivecast.document.array_state import Condition
from drivecast.document.outcome import Outcome
from drivecast.document.plan import Assumption
from drivecast.document.versus import Contender, Headroom, Run, Versus
from drivecast.plan import cached, life_and_cost
from drivecast.plan.array_state import failing, in_condition, watching
from drivecast.plan.bound import ABSORBED_S
from drivecast.plan.latencies import Latencies, latencies
from drivecast.plan.requirement import Requirements
from drivecast.plan.trial import Bench
from drivecast.quantity.interval import Interval, Span
from drivecast.stage import rebuild
from drivecast.stage.cached_design import CachedDesign
from drivecast.stage.design import Played
from drivecast.stage.loss import OPERATOR_H
from drivecast.stage.simulate import KEPT_BYTES_MAX
from drivecast.thread import over_cores
from drivecast.versus import contender, question
from drivecast.versus.question import Compared, Loads, Question, Update
from drivecast.versus.replacement import replacing

READ_SHARE = 0.02
"""About how much of the time reading the log takes, for the progress bar."""

Found = Run | Headroom | Contender


@dataclass(frozen=True)
class Contest:
    """The designs, and what they are run under."""

    designs: Sequence[Compared]
    conditions: Sequence[Condition]
    loads: Loads
    benches: dict[float, tuple[Bench, float]]
    """Of each load, and the multiple of the load's own rate."""

    def run(self, design: Compared, condition: Condition, at: float) -> Run:
        """A design in a condition under a load."""
        if condition != "healthy" and not design.failures_tolerated:
            return Run(design=design.line, condition=condition, at=at, lost=True)
        ran, (bench, times) = in_condition(design, condition), self.bench(design, condition, at)
        typical = bench.run(ran, times)
        outcomes, is_near = [typical], False
        if design.is_flash and not typical.saturated:
            outcomes += [bench.run(ran, times, corner) for corner in ("slow", "fast")]
            heavier = self.heavier(design, ran, bench, times)
            is_near = heavier is not None and heavier.saturated
            outcomes += [] if heavier is None or is_near else [heavier]
        found = latencies(outcomes, design.latency_errors)
        spans: dict[str, Any] = {
            f"{op}_{name}_ns": span
            for (op, name), span in _known(found, bounded=not typical.saturated and not is_near).items()
        }
        return Run(
            design=design.line,
            condition=condition,
            at=at,
            keeps_up=not typical.saturated if self.loads.by == "speedup" else None,
            is_near_saturation=is_near,
            iops=typical.iops,
            throughput_bytes_per_s=typical.throughput_bytes_per_s,
            utilization=typical.utilization,
            rebuild_h=rebuild.watched_h(typical, failing(design).drive)
            if condition == "rebuilding"
            else None,
            **spans,
        )

    def heavier(self, design: Compared, ran: Played, bench: Bench, times: float) -> Outcome | None:
        """A load that is as much for what its drives are predicted to carry as this one is for the least they may."""
        if design.latency_errors is None or self.loads.by == "iodepth":
            return None
        factors = outcome_interval.capacity(design.latency_errors)
        return None if factors is None else bench.run(ran, times / factors[0])

    def bench(self, design: Compared, condition: Condition, at: float) -> tuple[Bench, float]:
        """What a design is run on in a condition, and the multiple of the load's own rate."""
        bench, times = self.benches[at]
        return watching(design, bench, times) if condition == "rebuilding" else bench, times

    def headroom(self, design: Compared, condition: Condition) -> Headroom:
        """The largest multiple of the load that a design serves as it comes."""
        bench, _ = self.bench(design, condition, self.loads.at[0])
        ran = in_condition(design, condition)
        peak = bench.run(ran)
        if peak.saturated:
            return Headroom(condition=condition, times=bench.headroom_below(ran, peak))
        if condition == "rebuilding":  # what is rebuilt does not grow with the load, and bounds nothing
            peak = peak.model_copy(update={"device_read_bytes": 0, "device_written_bytes": 0})
        return Headroom(condition=condition, times=bench.headroom(ran, peak))

    def searched(self, design: Compared) -> list[Condition]:
        """The conditions in which a design has a headroom: a closed loop has none, nor have data that are lost."""
        if self.loads.by == "iodepth":
            return []
        survives = design.failures_tolerated > 0
        return [condition for condition in self.conditions if condition == "healthy" or survives]

    def judged(self, design: Compared) -> Contender:
        """What of a design does not depend on the load."""
        bench, _ = self.benches[self.loads.at[0]]
        return contender.judged(design, bench, self.loads.profile, self.loads.again)

    def found(self, design: Compared, condition: Condition) -> list[Found]:
        """Everything of a design in a condition, from drives that are brought to steady state once."""
        kept = _core.Kept(KEPT_BYTES_MAX)
        benches = {at: (bench.anew(kept=kept), times) for at, (bench, times) in self.benches.items()}
        own = replace(self, benches=benches)
        found: list[Found] = [own.run(design, condition, at) for at in self.loads.at]
        if condition in self.searched(design):
            found.append(own.headroom(design, condition))
        if condition == self.conditions[0]:
            found.append(own.judged(design))
        return found


def _known(found: Latencies, *, bounded: bool) -> dict[tuple[str, str], Span | None]:
    """Quantiles with their intervals; without, where nothing bounds them."""

    def span(value: Interval | None) -> Span | None:
        if value is None:
            return None
        return Span(**dict(value)) if bounded else Span(value=value.value)

    return {key: span(value) for key, value in found.items()}


def versus(asked: Question, catalog: Catalog, update: Update) -> Versus:
    """Compare designs.

    Raises `InputError` for designs, a workload or loads that cannot be compared.
    """
    designs = question.designs(asked, catalog)
    loads, needs = question.opened(asked, catalog, lambda share, what: update(READ_SHARE * share, what))
    cached.need_addresses([each for each in designs if isinstance(each, CachedDesign)], loads.load)
    question.fits(designs, asked, needs)
    trimmed = asked.trimmed and loads.played.source != "line"
    patience_s = ABSORBED_S if loads.by == "speedup" else None
    base = Bench(catalog, needs, loads.load, asked.seed, trimmed, patience_s=patience_s)
    benches = {}
    for at in loads.at:
        load, times = loads.of(at)
        benches[at] = (base if load is loads.load else base.anew(load=load)), times
    contest = Contest(designs, asked.conditions, loads, benches)
    work = [(design, condition) for design in designs for condition in asked.conditions]
    parts = over_cores(
        lambda place: contest.found(*place),
        work,
        lambda share, place: update(READ_SHARE + (1 - READ_SHARE) * share, place[0].line),
        asked.threads,
    )
    return _document(asked, contest, [each for part in parts for each in part], needs, catalog)


def _document(
    asked: Question, contest: Contest, found: Sequence[Found], needs: Requirements, catalog: Catalog
) -> Versus:
    loads, lines = contest.loads, [design.line for design in contest.designs]
    runs = {(run.design, run.condition, run.at): run for run in found if isinstance(run, Run)}
    replaces = partial(replacing, runs=runs, by=loads.by, at=loads.at, conditions=contest.conditions)
    headrooms = iter([each for each in found if isinstance(each, Headroom)])
    judged = [each for each in found if isinstance(each, Contender)]
    contenders = [
        each.model_copy(update={"headroom": [next(headrooms) for _ in contest.searched(design)]})
        for design, each in zip(contest.designs, judged, strict=True)
    ]
    return Versus(
        version=__version__,
        seed=asked.seed,
        date=catalog.prices.date,
        workload=loads.played,
        by=loads.by,
        at=list(loads.at),
        conditions=list(contest.conditions),
        years=needs.years,
        capacity_bytes=None if loads.played.source == "line" else needs.capacity_bytes,
        designs=contenders,
        runs=[
            runs[line, condition, at] for condition in contest.conditions for at in loads.at for line in lines
        ],
        replacements=[replaces(lines[0], other) for other in lines[1:]],
        reverse=[replaces(other, lines[0]) for other in lines[1:]],
        assumptions=_assumptions(contest, needs, catalog),
        hashes={
            "trace": loads.played.hash,
            "catalog": catalog.drives_hash,
            "prices": catalog.prices_hash,
        },
    )


def _assumptions(contest: Contest, needs: Requirements, catalog: Catalog) -> list[Assumption]:
    """What the comparison rests on: the load, requirements that were not given, prices, rebuilds."""
    shown = {
        "growth": f"{needs.growth_per_year:.0%} a year",
        "years": f"{needs.years:g}",
        "hours a day": f"{needs.hours_per_day:g} h a day like the workload",
        "scrub": f"every {needs.scrub_days:g} days",
    }
    rows: list[life_and_cost.Row] = [
        *((name, why, "assumed", None) for name, why in contest.loads.load.assumed),
        *((name, shown[name], how, why) for name, how, why in needs.origins if name in shown),
        ("prices", f"of {catalog.prices.date}", "assumed", "catalog/prices.toml, or `--quotes`"),
        (
            "rebuild",
            f"at most {rebuild.SHARE:.0%} of sequential writes",
            "assumed",
            "`drivecast reliability`",
        ),
        ("new drive", f"{OPERATOR_H:g} h after a failure, no spare", "assumed", "`drivecast reliability`"),
    ]
    of_caches = cached.assumed() if any(isinstance(each, CachedDesign) for each in contest.designs) else []
    return [
        *(Assumption(name=name, value=value, provenance=how, source=why) for name, value, how, why in rows),
        *of_caches,
    ]
