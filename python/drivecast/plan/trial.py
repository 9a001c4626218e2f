"""One design, simulated: latency at the peak, headroom beyond it, wear.

Model. The peak window of the trace is played open loop, at its own times, on the design in the steady state of this
workload. Headroom is the largest multiple of that load (all arrival times divided by it) at which the required
quantiles still hold and nothing saturates (`headroom`). A design is brought to steady state once for all its runs.

A load made up from counters is the same all the time, and flash in steady state under it. A first look at two fifths of
its requests decides where p99 is below a third of each limit, since 200 requests are above it, so it is known within
10 %, and the load writes no more than half of what the sheets of its drives sustain, since buffers hide for a while
that they cannot carry it. What gets a closer look (`refine`) is played in full.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from drivecast import _core
from drivecast.catalog import Catalog, Corner
from drivecast.document.miss import Miss
from drivecast.document.outcome import OfStream, Outcome
from drivecast.document.profile import Profile
from drivecast.document.wear import Amplification
from drivecast.plan import array_part, headroom
from drivecast.plan.backup import Stretch
from drivecast.plan.bound import Limits, most_times, over_rated
from drivecast.plan.busy_time import outpaced, sustained_share, written_times
from drivecast.plan.latencies import Latencies, chance, latencies, widened
from drivecast.plan.load import ENOUGH, FIRST_LOOK, Beginning, Load, Replay, Synthetic, first
from drivecast.plan.requirement import Requirements
from drivecast.stage.design import Design, Played
from drivecast.stage.simulate import (
    KEPT_BYTES_MAX,
    Options,
    Within,
    simulate,
    simulate_within,
)
from drivecast.stage.wear import amplification

T = TypeVar("T")
CLEAR_FACTOR, CLEAR_SHARE = 3.0, 0.5
"""How many times below a limit a first look must be to decide, and the share of what its drives sustain that may be
written (assumed)."""
BEYOND, BEYOND_KNOWN_GROWTH = (4.0, 2.0), (2.0, 1.4)
"""Times the required load that are tried besides: how soon an array is outgrown is part of its cost, and one that
carries the most of these hardly ever is; where growth is known only the peak may be higher than planned for."""
BACKUP_SHARE = 0.25
"""Of the rate at which flash reads in order: a backup that takes no more is kept up with (assumed)."""
NO_EDGES = 0.0, math.inf
"""The most load that is known to hold, and the least that is known to miss, before anything was run."""
REQUESTS_MIN = 100
"""Of one of several logs: fewer have no 99th percentile."""
LATE_SHARE = 0.05
"""Of its length that a run may take longer before it counts as saturated; as the host has it."""


@dataclass(frozen=True)
class Trial:
    """What simulation says of one design."""

    peak: Outcome
    """Outcome of the peak window at its own speed."""
    wear: Amplification | None
    miss: Miss | None
    """The requirement that the design misses at the measured peak or at the required headroom."""
    headroom: float | None
    """`None` where it was not looked for, or is below 1/16."""
    latency_ns: Latencies
    chance: float | None = None
    """That the limits on latency hold at the measured peak; none where the intervals lie within them."""
    refined: bool = False
    """Whether headroom and intervals were looked for."""
    held: float | None = None
    """The most load that is known to hold, as a multiple of the peak."""
    missed_h: float = 0.0
    """Of each failed drive: hours in which the limits are missed."""
    degraded_p99_ns: float | None = None
    """Of reads and of writes with a drive lost, one after the other; none where that was not simulated."""
    whole_log: Latencies | None = None
    """Over all of the log, where it is longer than the peak; of a design that fits and is refined."""


Key = tuple[Hashable, ...]
"""Of what was found: it has the line of the design."""


@dataclass(frozen=True)
class Learned:
    """What was found about designs: outcomes, and the most load that each held and the least that it missed."""

    known: dict[Key, Any]
    edges: dict[Key, tuple[float, float]]


@dataclass(frozen=True)
class Bench:
    """What every trial shares. A design is simulated without its spares."""

    catalog: Catalog
    requirements: Requirements
    load: Load
    seed: int
    trimmed: bool
    backup: Stretch | None = None
    """What a design must keep up with besides the peak."""
    profile: Profile | None = None
    """Of the load beneath the backup."""
    logs: tuple[str, ...] = ()
    """Names of several logs that are played together: each must meet the limits."""
    times: float = 1.0
    """What the measured peak is multiplied by."""
    patience_s: float | None = None
    """What a run may take after its last arrival, or 5 % of its length; the host's own second where it is none."""
    filled_bytes: int | None = None
    """What the designs hold at the end; the required capacity where it is not given."""
    brisk: bool = False
    """Whether designs that miss need no figures: runs of them end early, and fewer are made."""
    known: dict[Key, Any] = field(default_factory=dict, compare=False, repr=False)
    """Outcomes so far: a search that differs in what nothing simulates takes them from here."""
    edges: dict[Key, tuple[float, float]] = field(default_factory=dict, compare=False, repr=False)
    """The most load that a design was seen to hold, and the least that it was seen to miss."""
    kept: _core.Kept = field(default_factory=lambda: _core.Kept(KEPT_BYTES_MAX), compare=False, repr=False)
    """Drives in steady state, for the runs of a design at other loads and flash times."""

    def __getstate__(self) -> dict[str, Any]:
        """Pickle all but what was found so far: `about` has it, as far as somebody else needs it."""
        return {
            name: value for name, value in self.__dict__.items() if name not in ("known", "edges", "kept")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, known={}, edges={}, kept=_core.Kept(KEPT_BYTES_MAX))

    def about(self, designs: Sequence[Played]) -> "Learned":
        """What was found so far about these designs."""
        lines = {design.serving.line for design in designs}
        return Learned(
            {key: value for key, value in self.known.items() if not lines.isdisjoint(key)},
            {key: value for key, value in self.edges.items() if not lines.isdisjoint(key)},
        )

    def knowing(self, learned: "Learned") -> "Bench":
        """The same with its own memory of what is known."""
        return replace(self, known=dict(learned.known), edges=dict(learned.edges))

    def branched(self) -> "Bench":
        """The same with its own memory of what designs hold: elsewhere that may be otherwise."""
        return replace(self, edges=dict(self.edges))

    def learn(self, learned: "Learned") -> None:
        """Remember what somebody else found."""
        self.known.update(learned.known)
        self.edges.update(learned.edges)

    def anew(self, **changes: Any) -> "Bench":
        """The same but for `changes`, of which what was found so far does not hold."""
        return replace(self, known={}, edges={}, **changes)

    def fill(self, design: Played) -> float:
        """Share of the design that holds data at the end: all of it where free space is never trimmed."""
        filled = self.requirements.capacity_bytes if self.filled_bytes is None else self.filled_bytes
        return min(1.0, filled / design.usable_bytes) if self.trimmed else 1.0

    def once(self, key: Key, found: Callable[[], T]) -> T:
        """What was found under this key, or is found now."""
        if key not in self.known:
            self.known[key] = found()
        return cast("T", self.known[key])

    def run(
        self, design: Played, speedup: float = 1.0, corner: Corner = "typical", wear: float = 0.0
    ) -> Outcome:
        """The peak window on `design`, whose flash has used the share `wear` of its rated cycles."""
        line, times = design.serving.line, speedup * self.times

        def outcome() -> Outcome:
            workload, options = self._played(design, times)
            found = simulate(line, workload, self.catalog, options, corner=corner, wear=wear, kept=self.kept)
            return self.judged(found, options)

        return self.once(self._run_key(design, times, corner, wear), outcome)

    def _played(
        self, design: Played, times: float, requests: int | None = None
    ) -> tuple[_core.Workload, Options]:
        """The busiest stretch as `design` plays it; of what was made up from counters so many, or flash enough."""
        workload, options = self.load.peak(self.fill(design), times)
        load = self.load.load if isinstance(self.load, Beginning) else self.load
        if isinstance(load, Synthetic) and (requests is not None or design.is_flash):
            options = first(options, load.enough_s(times, requests or ENOUGH))
        return workload, replace(options, seed=self.seed)

    def first_look(self, design: Played, times: float) -> Outcome | None:
        """The first requests of what is the same all the time; none where they do not decide (see the module)."""
        if not isinstance(self.load, Synthetic) or not isinstance(design, Design) or self.logs:
            return None
        if sustained_share(design, self.load.counters, times) > CLEAR_SHARE:
            return None
        line = design.serving.line

        def outcome() -> Outcome:
            workload, options = self._played(design, times, FIRST_LOOK)
            return self.judged(simulate(line, workload, self.catalog, options, kept=self.kept), options)

        found = self.once(("first look", *self._run_key(design, times)), outcome)
        return found if self.is_clear(found) else None

    def is_clear(self, outcome: Outcome) -> bool:
        """Whether an outcome is far from all limits."""
        limits = self.requirements.limits
        p99s = ((outcome.latency(op, "q0.99"), limit) for op, limit in limits if limit is not None)
        far = all(found is None or CLEAR_FACTOR * found < limit for found, limit in p99s)
        return far and not outcome.saturated

    def _run_key(self, design: Played, times: float, corner: Corner = "typical", wear: float = 0.0) -> Key:
        return design.serving.line, self.fill(design), times, corner, wear, self.seed

    def holds(self, design: Played, speedup: float) -> bool:
        """Whether nothing is missed at a multiple of the peak's load; a run is broken off once something is.

        A design that holds a load holds a lower one, and misses a higher one than it misses.
        """
        times = speedup * self.times
        if (known := self._known(design, times)) is not None:
            return known
        key = ("held", *self.limited(design), times)
        return self._learned(design, speedup, held=self.once(key, lambda: self._held(design, times)))

    def _known(self, design: Played, times: float) -> bool | None:
        """Whether a load is held by what other runs have shown; none where only its own can tell."""
        most_held, least_missed = self.edges.get(self.limited(design), NO_EDGES)
        return times <= most_held if times <= most_held or times >= least_missed else None

    def _held(self, design: Played, times: float) -> bool:
        whole = self.known.get(self._run_key(design, times))
        if whole is None and times <= BEYOND[0] * self.requirements.headroom * self.times:
            whole = self.first_look(design, times)
        if whole is not None:
            return self.miss(whole) is None
        is_more = isinstance(self.load, Synthetic) and not design.is_flash and self.load.is_more(times)
        return not (is_more and self._misses_first(design, times)) and self._holds_limits(design, times)

    def misses_first(self, design: Played, speedup: float) -> bool:
        """Whether as many requests as are enough for flash show that a disk misses a load; of a trace all of them."""
        if not isinstance(self.load, Synthetic):
            return not self.holds(design, speedup)
        times = speedup * self.times
        if (known := self._known(design, times)) is not None:
            return not known
        return self._misses_first(design, times) and not self._learned(design, speedup, held=False)

    def _misses_first(self, design: Played, times: float) -> bool:
        key = ("first", *self.limited(design), times)
        return not self.once(key, lambda: self._holds_limits(design, times, ENOUGH))

    def _holds_limits(self, design: Played, times: float, requests: int | None = None) -> bool:
        """Whether nothing is missed in the busiest stretch, or in its first requests; what is missed ends the run."""
        workload, options = self._played(design, times, requests)
        limits = Within(0.99, self.requirements.p99_read_ns, self.requirements.p99_write_ns)
        found = simulate_within(design.serving.line, workload, self.catalog, options, limits, kept=self.kept)
        return found is not None and self.miss(self.judged(found, options)) is None

    def is_known_to_miss(self, design: Played, speedup: float) -> bool:
        """Whether a run, of it or of one with more drives of its kind, has shown that."""
        _, least_missed = self.edges.get(self.limited(design), NO_EDGES)
        return speedup * self.times >= least_missed

    def misses_as_well(self, designs: Sequence[Played], speedup: float) -> None:
        """Remember that these miss what one with more drives of their kind misses."""
        for design in designs:
            self._learned(design, speedup, held=False)

    def _learned(self, design: Played, speedup: float, *, held: bool) -> bool:
        """Whether it held, which is remembered."""
        key, times = self.limited(design), speedup * self.times
        most_held, least_missed = self.edges.get(key, NO_EDGES)
        self.edges[key] = (
            (max(most_held, times), least_missed) if held else (most_held, min(least_missed, times))
        )
        return held

    def held(self, design: Played) -> float | None:
        """The most load that is known to hold, as a multiple of the peak, under whatever limits and seed."""
        line, fill, *_ = self.limited(design)
        held = [most for key, (most, _) in [*self.edges.items()] if key[:2] == (line, fill)]
        return max(held, default=0.0) / self.times or None

    def limited(self, design: Played) -> Key:
        """Under what the most load that a design holds is known."""
        needs = self.requirements
        return design.serving.line, self.fill(design), needs.p99_read_ns, needs.p99_write_ns, self.seed

    def judged(self, outcome: Outcome, options: Options) -> Outcome:
        """The outcome, saturated where it took longer than patience has it."""
        span_s = options.length_s / options.speedup if options.length_s else options.duration_s
        if self.patience_s is None or span_s is None:
            return outcome
        is_late = outcome.duration_s - span_s > max(self.patience_s, LATE_SHARE * span_s)
        return outcome.model_copy(update={"saturated": True}) if is_late else outcome

    def array_alone(self, design: Design) -> Miss | None:
        """What arrays laid out as this miss at the required load, whatever their drives, by the array's own work."""
        needs = self.requirements
        line, times = array_part.ideal_array(design), needs.headroom * self.times

        def alone() -> Outcome:
            stored_bytes = needs.capacity_bytes
            return array_part.work_alone(design, self.load, times, self.catalog, stored_bytes, self.seed)

        miss = self.miss(self.once((line, needs.capacity_bytes, times, self.seed), alone))
        return miss and miss.model_copy(update={"load": needs.headroom, "is_bound": True})

    def misses_share(self, design: Design, speedup: float) -> bool:
        """Whether a disk of an array, or a mirror of disks, misses by far with its share of a multiple of the load."""
        (part, parts), load = array_part.disk_part(design), self.load
        if not isinstance(load, Synthetic) or self.logs or parts == 1:
            return False
        if not array_part.keeps_requests_whole(design, load):
            return False
        needs, fill, times = self.requirements, self.fill(design), speedup * self.times / parts

        def misses() -> bool:
            return array_part.misses_by_far(part, load, times, fill, needs, self.catalog, self.seed)

        return self.once(("share", part.line, fill, times, needs.limits, self.seed), misses)

    def overtaxed(self, design: Design, limits: Limits) -> Miss | None:
        """That counters ask for more time or writes than the drives have; none where only a run can tell."""
        needed = self.requirements.headroom
        if not isinstance(self.load, Synthetic):
            return None
        counters = self.load.counters
        if outpaced(design, self.fill(design), counters, needed * self.times):
            return Miss(kind="latency", load=needed, is_bound=True)
        return over_rated(design, limits, written_times(design, counters)) if design.wears_out else None

    def at_peak(self, design: Played) -> Trial:
        """The peak as measured, alone."""
        peak = self.first_look(design, self.times) or self.run(design)
        miss = self.miss(peak)
        self._learned(design, 1.0, held=miss is None)
        return Trial(
            peak=peak,
            wear=None,
            miss=miss,
            headroom=None,
            held=self.held(design),
            latency_ns=(found := latencies([peak], design.latency_errors)),
            chance=chance(found, design.latency_errors, self.requirements.limits),
        )

    def try_out(self, design: Played) -> Trial:
        """What decides whether `design` fits: the peak, then the required headroom, then the rest."""
        trial = self.at_peak(design)
        miss, needed = trial.miss, self.requirements.headroom
        most_held, _ = self.edges.get(self.limited(design), NO_EDGES)
        if miss is None and needed * self.times > most_held and not self.brisk:
            at_needed = self.miss(self.run(design, needed))
            self._learned(design, needed, held=at_needed is None)
            miss = at_needed and at_needed.model_copy(update={"load": needed})
        miss = miss or self.misses_backup(design) or self.misses_over_all(design)
        if miss is None:
            self._look_beyond(design)
        wear = self.wear(design) if miss is None and self.wears(design) else None
        return replace(trial, miss=miss, held=self.held(design), wear=wear)

    def _look_beyond(self, design: Played) -> None:
        """Try loads beyond the required one: what holds is remembered."""
        needs = self.requirements
        low, high = needs.growth_bounds
        margin = needs.headroom / (1 + needs.growth_per_year) ** needs.years
        beyond = BEYOND if low < high else BEYOND_KNOWN_GROWTH if margin < BEYOND_KNOWN_GROWTH[0] else ()
        for times in beyond:
            if self.holds(design, times * needs.headroom):
                return

    def misses_backup(self, design: Played) -> Miss | None:
        """Whether the backup's requests come faster than the design serves them."""
        if self.backup is None or self.profile is None:
            return None
        if isinstance(design, Design) and design.is_flash:
            rate = min(design.drive.moves_bytes_per_s[0], design.drive.interface.bytes_per_s)
            if self.backup.backup.throughput_bytes_per_s <= BACKUP_SHARE * design.count * rate:
                return None
        stretch, profile, fill = self.backup, self.profile, self.fill(design)
        span_bytes = min(self.requirements.capacity_bytes, design.usable_bytes)
        line = design.serving.line

        def falls_behind() -> bool:
            workload, options = stretch.workload(profile, span_bytes, self.seed)
            run = replace(options, fill=fill, seed=self.seed)
            return simulate(line, workload, self.catalog, run, kept=self.kept).saturated

        if not self.once((line, fill, span_bytes, "backup", self.seed), falls_behind):
            return None
        limit = stretch.backup.throughput_bytes_per_s
        return Miss(kind="backup", limit=limit, shortfall=2.0, saturated=True)

    def refine(self, design: Played, trial: Trial) -> Trial:
        """The trial with its headroom, and with the intervals of a design that fits over the range of flash times."""
        if trial.miss is not None:
            return replace(trial, headroom=self.headroom_below(design, trial.peak), refined=True)
        peak = self.run(design)
        runs = [peak]
        if design.is_flash:
            runs += [self.run(design, corner=corner) for corner in ("slow", "fast")]
        errors = design.latency_errors
        found = latencies(runs, errors)
        return replace(
            trial,
            peak=peak,
            headroom=self.headroom(design, peak),
            held=self.held(design),
            latency_ns=found,
            chance=chance(found, errors, self.requirements.limits),
            refined=True,
            whole_log=self.over_all(design),
        )

    def misses_over_all(self, design: Played) -> Miss | None:
        """The limit on latency that is missed over all of the log: the most requests a second need not be slowest."""
        found = self.whole(design)
        miss = None if found is None else self.miss(found)
        return miss.model_copy(update={"over_all": True}) if miss and miss.kind == "latency" else None

    def whole(self, design: Played) -> Outcome | None:
        """All of the log on `design`; none where it is not known, or no longer than the peak."""
        load = self.load
        if not isinstance(load, Replay) or load.whole_log is None:
            return None
        workload, fill = load.whole_log.workload, self.fill(design)
        options = Options(fill=fill, speedup=self.times, seed=self.seed, streams=load.streams)
        line = design.serving.line
        key = (line, fill, self.times, "whole log", self.seed)
        return self.once(key, lambda: simulate(line, workload, self.catalog, options))

    def over_all(self, design: Played) -> Latencies | None:
        """Quantiles over all of the log; with windows their intervals are wider by what the choice may be off."""
        found = self.whole(design)
        if found is None or not isinstance(self.load, Replay) or self.load.whole_log is None:
            return None
        return widened(latencies([found], design.latency_errors), self.load.whole_log.estimates)

    def wears(self, design: Played) -> bool:
        """Whether the workload wears the design out: it writes, and to flash."""
        return design.wears_out and self.requirements.p99_write_ns is not None

    def wear(self, design: Played) -> Amplification:
        """Write amplification of the whole trace on `design`."""
        line, fill = design.serving.line, self.fill(design)

        def worn() -> Amplification:
            return amplification(
                line, self.load.whole(fill), self.catalog, fill=fill, seed=self.seed, kept=self.kept
            )

        return self.once((line, fill, "wear", self.seed), worn)

    def miss(self, outcome: Outcome) -> Miss | None:
        """The first requirement that the outcome does not meet: for all requests, then for those of each log."""
        apart = zip(self.logs, outcome.streams, strict=False)
        of_all: list[tuple[str | None, Outcome | OfStream]] = [(None, outcome), *apart]
        for op, limit in self.requirements.limits:
            for log, of in of_all:
                enough = log is None or of.stream(op).requests >= REQUESTS_MIN
                found = of.latency(op, "q0.99") if enough else None
                if limit is not None and found is not None and found > limit:
                    return Miss(
                        kind="latency",
                        op=op,
                        found=found,
                        limit=limit,
                        shortfall=found / limit,
                        saturated=outcome.saturated,
                        log=log,
                    )
        if outcome.saturated:
            return Miss(kind="saturated", shortfall=2.0, saturated=True)
        return None

    def headroom(self, design: Played, peak: Outcome) -> float:
        """Headroom of a design that holds the required one, which a longer run carries, too."""
        required, most = self.requirements.headroom, most_times(design, peak)
        found = headroom.above(lambda times: self.holds(design, times), required, most)
        found = headroom.sustained(lambda times: self._sustains(design, times), required, found)
        key = self.limited(design)
        self.edges[key] = found * self.times, self.edges.get(key, NO_EDGES)[1]
        return found

    def _sustains(self, design: Played, speedup: float) -> bool:
        if not (isinstance(self.load, Synthetic) and design.is_flash):
            return True
        return self._holds_limits(design, speedup * self.times, round(self.load.longer * ENOUGH))

    def headroom_below(self, design: Played, peak: Outcome) -> float | None:
        """Headroom of a design that does not; none where it carries next to nothing."""
        required, holds_peak = self.requirements.headroom, self.miss(peak) is None
        return headroom.below(lambda times: self.holds(design, times), required, holds_peak=holds_peak)
