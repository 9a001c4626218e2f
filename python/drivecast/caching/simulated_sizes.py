"""How fast caches of several sizes would be: each simulated before what is behind it, warm and from empty.

MODEL. A program that caches (`flashcache`, `bcache`, …), with its defaults unless options are given, on a drive of the
catalog before a design. The simulator plays the trace open loop, twice on each: once after the cache has seen all of it
(each block is met again: hits at the most), and once from an empty cache (hits at the least); what a cache before such
data really serves lies between. What is behind is played alone, to compare with.

BOUNDED. A run takes some microseconds a reference to a block. No more than `SIZES_MAX` sizes a program and about
`PLAYED_MAX` references over all runs are played, sizes whose miss ratios differ most; where that is not enough for two
sizes, the busiest minute in place of the trace. Which sizes and which part of the trace is said.

INTERVALS are those of the cache drive's predictions (`assess.latency_interval`), as of a cached design in a plan; of
the design behind and of what is saturated none are known.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from drivecast import _core
from drivecast.assess import latency_interval
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.latency_error import OPS, QUANTILES, Op, QuantileName
from drivecast.document.cache import CacheLatency, CacheRun, SimulatedSize
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError, InputError
from drivecast.quantity import number
from drivecast.quantity.interval import Span
from drivecast.stage import trace
from drivecast.stage.cached_design import MODES, used
from drivecast.stage.design import shape
from drivecast.stage.simulate import Options, State, simulate
from drivecast.thread import over_cores

SIZES_MAX = 6
SIZES_MIN = 2
PROGRAMS_MAX = 4
PLAYED_MAX = 30_000_000
"""References to blocks over all runs: some minutes of one core."""
STATES: tuple[State, ...] = ("steady", "fresh")
"""A cache that has seen the trace, and an empty one."""
PEAK_S = 60.0
OWN = ("fast", "slow", "size", "policy")
"""What the other options say."""

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Devices:
    """What is simulated: programs on a cache drive before a design."""

    fast: Drive
    slow: str
    catalog: Catalog
    programs: Sequence[str] = ("flashcache",)
    """Each with its options: `opencas, mode=wb`."""

    def line(self, program: str, size: int) -> str:
        """The design with a cache of a size."""
        return f"cache(fast={self.fast.name}, slow={self.slow}, size={size}, policy={program})"


@dataclass(frozen=True)
class Load:
    """The trace, or the part of it that is played."""

    requests: _core.Workload
    options: Options
    references: float
    """To blocks, of a run."""
    is_part: bool = False
    length_s: float = 0.0


def programs(texts: Sequence[str]) -> list[str]:
    """Return programs with their options, checked.

    Raises `InputError` for one that there is not, for options that others say, and for too many.
    """
    found = [",".join(word.strip() for word in text.split(",")).replace(",", ", ") for text in texts]
    for text in found:
        name, *options = text.split(", ")
        if name not in MODES:
            raise HintedError(f"--program: there is no `{name}`", f"known: {', '.join(MODES)}")
        taken = [option for option in options if option.partition("=")[0].strip() in OWN]
        if taken:
            raise HintedError(
                f"--program: `{taken[0]}` is said elsewhere", "`--drive`, `--backing` and `--sizes` say it"
            )
    if len(found) > PROGRAMS_MAX:
        raise HintedError(
            f"--program: at most {PROGRAMS_MAX} programs, found {len(found)}", "try fewer at a time"
        )
    return list(dict.fromkeys(found))


def opened(
    files: Sequence[Path | str], reading: trace.Reading, references: float, devices: Devices, seed: int
) -> Load:
    """Return what is played of a trace with so many references: all of it, or its busiest minute."""
    load, options = trace.workload(files, reading), Options(seed=seed)
    if references * SIZES_MIN * len(STATES) * len(devices.programs) <= PLAYED_MAX:
        return Load(load, options, references)
    profile = trace.profile(files, reading, peak_window_s=PEAK_S)
    peak = profile.peak_window
    if peak is None or not profile.requests or peak.length_s >= profile.duration_s:
        return Load(load, options, references)
    share = (peak.iops_mean or 0.0) * peak.length_s / profile.requests
    part = Options(seed=seed, start_s=peak.start_s, length_s=peak.length_s)
    return Load(load, part, references * share, is_part=True, length_s=peak.length_s)


def chosen(misses: Mapping[int, float], load: Load, devices: Devices) -> list[int]:
    """Return the sizes that are simulated, rising: as many as the bound lets through, those that tell most.

    The ends, then one by one what lies nearest to the middle of the widest step of the miss ratio.
    """
    runs = len(STATES) * len(devices.programs)
    affordable = int(PLAYED_MAX / max(1.0, load.references * runs))
    most = max(SIZES_MIN, min(SIZES_MAX, affordable))
    sizes = sorted(misses)
    if len(sizes) <= most:
        return sizes
    picked = [0, len(sizes) - 1]
    while len(picked) < most:
        steps = [(low, high) for low, high in pairwise(picked) if high - low > 1]
        low, high = max(steps, key=lambda step: misses[sizes[step[0]]] - misses[sizes[step[1]]])
        middle = (misses[sizes[low]] + misses[sizes[high]]) / 2
        apart = {at: round(abs(misses[sizes[at]] - middle), 6) for at in range(low + 1, high)}
        least = min(apart.values())
        nearest = [at for at, distance in apart.items() if distance == least]
        picked = sorted([*picked, nearest[len(nearest) // 2]])
    return [sizes[at] for at in picked]


def simulated(
    load: Load, devices: Devices, misses: Mapping[int, float], progress: Progress
) -> tuple[CacheLatency, list[str]]:
    """Return the latency of caches of some sizes, and what is to be said of those left out.

    `misses` are the miss ratios without time, of each size.

    Raises `InputError` where none can be, or what is behind is no design.
    """
    shape(devices.slow, devices.catalog)
    able, notes = _able(devices, sorted(misses))
    possible = {size: ratio for size, ratio in misses.items() if any(size in of for of in able.values())}
    picked = chosen(possible, load, devices)
    if len(picked) < len(misses):
        notes.append(f"latency is simulated of {len(picked)} of {len(misses)} sizes")
    if load.is_part:
        notes.append(
            f"latency is simulated over the busiest {number.duration(load.length_s)} of the trace alone"
        )
    cached = [(program, size) for program in devices.programs for size in picked if size in able[program]]
    lines = [devices.slow, *(devices.line(*each) for each in cached)]
    work = [(lines[0], STATES[0]), *((line, state) for line in lines[1:] for state in STATES)]
    outcomes = over_cores(
        lambda item: _run(item[0], load, devices, item[1]), work, lambda share, item: progress(share, item[0])
    )
    runs = [_seen(outcome, devices) for outcome in outcomes]
    rows = [SimulatedSize(program=None, size_bytes=None, design=lines[0], warm=runs[0], from_empty=None)]
    for at, (program, size) in enumerate(cached):
        warm, empty = runs[1 + 2 * at : 3 + 2 * at]
        rows.append(
            SimulatedSize(program=program, size_bytes=size, design=lines[1 + at], warm=warm, from_empty=empty)
        )
    found = CacheLatency(
        fast=devices.fast.name,
        slow=devices.slow,
        latency_known=devices.fast.latency_known,
        part="peak" if load.is_part else "log",
        start_s=load.options.start_s,
        length_s=load.length_s if load.is_part else None,
        rows=rows,
    )
    return found, notes


def _able(devices: Devices, sizes: Sequence[int]) -> tuple[dict[str, list[int]], list[str]]:
    """Return the sizes that each program can have on these devices, and why others cannot be."""
    able: dict[str, list[int]] = {}
    notes, first = [], None
    for program in devices.programs:
        able[program] = []
        for size in sizes:
            try:
                shape(devices.line(program, size), devices.catalog)
            except InputError as error:
                first = first or error
                why = str(error).splitlines()[0]
                notes.append(f"{program} of {number.binary_size(size)} is not simulated: {why}")
            else:
                able[program].append(size)
    if first is not None and not any(able.values()):
        raise first
    return able, notes


def _run(line: str, load: Load, devices: Devices, state: State) -> Outcome:
    return simulate(line, load.requests, devices.catalog, replace(load.options, state=state))


def _seen(outcome: Outcome, devices: Devices) -> CacheRun:
    """Return what is shown of a run."""
    cache = used(outcome) if outcome.cache is not None else None
    is_known = cache is not None and not outcome.saturated

    def span(op: Op, name: QuantileName) -> Span | None:
        value, errors = outcome.latency(op, QUANTILES[name]), devices.fast.latency_errors
        if value is None or errors is None or not is_known:
            return None if value is None else Span(value=value)
        low, high = latency_interval.bounds(errors.of(op, name), value)
        return Span(low=low, value=value, high=high)

    spans = {f"{op}_{name}_ns": span(op, name) for op in OPS for name in ("p50", "p99")}
    return CacheRun(
        read_hit_ratio=cache.read_hit_ratio if cache and outcome.read.requests else None,
        write_hit_ratio=cache.write_hit_ratio if cache and outcome.write.requests else None,
        saturated=outcome.saturated,
        **spans,
    )
