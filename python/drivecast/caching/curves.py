"""Miss ratios of a trace over sizes and policies, without time.

MODEL. The trace is decoded once into numbered references (`crates/workload/src/eviction`). LRU by block is one pass for
all sizes; every other policy and size is a run of its own, and runs are shared among the cores. A trace beyond the
limits there is a sample by blocks: a miss ratio then has a 95 % interval, from the eight parts of the sample, each
played alone at an eighth of the rate (Student's t with seven degrees of freedom).

MEMORY BEFORE THE CACHE. A trace was recorded below a buffer pool, so it lacks what the pool served. More memory is
taken as an LRU cache between the two. It holds what the pool has just read as well (inclusive), so a pool larger by as
much would serve no fewer reads. A cache of the size of both is taken as the upper end. Writes go past it: they are made
to be durable.

LATENCY takes devices: where they are named, some of the sizes are simulated on them (`simulated_sizes`).

LIFE OF THE DRIVE. Its rated writes over what is written into the cache in a day: fills and writes of the host. Left
out: metadata, which depends on the program that caches, and whatever amplification the rating does not hold.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast import _core
from drivecast.assess.endurance import years_until
from drivecast.caching import cache_sizes, curve_knee, simulated_sizes
from drivecast.caching.simulated_sizes import Devices, Load
from drivecast.catalog import Drive
from drivecast.document.cache import By, CacheCurves, CacheKnee, CachePoint, Memory
from drivecast.errors import HintedError
from drivecast.quantity.interval import finite
from drivecast.quantity.year import DAY_S
from drivecast.source.locate import located
from drivecast.stage.trace import AS_IT_IS, Reading, log_name
from drivecast.thread import over_cores

CONFIDENCE = 0.975
"""Of each side of a 95 % interval."""
READ_SHARE = 0.3
"""Of the progress, what reading takes. Assumed."""
PLAYED_SHARE = 0.2
"""Of the progress, what all but simulation takes where there is one. Assumed."""
POLICIES = ("lru", "fifo", "clock", "2q", "arc", "lirs", "s3-fifo", "sieve", "w-tinylfu", "belady")
"""Those that are compared where none are named."""

Counts = dict[str, float]
Progress = Callable[[float, str], None]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of a trace."""

    sizes: Sequence[int] = ()
    """In bytes, rising; none: powers of two up to the footprint."""
    policies: Sequence[str] = POLICIES
    by: By = "block"
    ram_bytes: int | None = None
    pool_bytes: int | None = None
    drive: Drive | None = None
    """That would hold the cache; flash, with rated writes."""
    devices: Devices | None = None
    """On which sizes are simulated."""
    seed: int = 0
    references_max: int | None = None
    objects_max: int | None = None


def curves(
    paths: Sequence[Path | str],
    question: Question,
    reading: Reading = AS_IT_IS,
    progress: Progress = lambda _share, _what: None,
) -> CacheCurves:
    """The curves of a trace.

    Raises `InputError` for a counter log, a trace without reads and writes, and sizes that cannot be played.
    """
    with located(paths, lambda share, what: progress(share * READ_SHARE, what)) as found:
        accesses = _core.Accesses.trace(
            found.files,
            question.by,
            reading.to_core(),
            lambda share, what: progress(share * READ_SHARE, what),
            references_max=question.references_max,
            objects_max=question.objects_max,
        )
        notes = [*accesses.summary.get("notes", []), *found.remarks(reading.strict)]
        load = _load(found.files, reading, accesses, question)
    if not accesses.reads + accesses.writes:
        raise HintedError(
            "the trace has no reads or writes",
            "a cache needs requests: `drivecast profile` shows what is there",
        )
    memory = (
        None if question.ram_bytes is None else _memory(accesses, question.ram_bytes, question.pool_bytes)
    )
    past = accesses if question.ram_bytes is None else accesses.behind(question.ram_bytes)
    sizes = cache_sizes.chosen(question.sizes, question.by, past)
    played_share = 1.0 if load is None else PLAYED_SHARE
    points, knees = _played(past, question, sizes, lambda share, what: progress(share * played_share, what))
    latency = None
    if load is not None and question.devices is not None:
        latency, said = simulated_sizes.simulated(
            load,
            question.devices,
            {point.size_bytes: point.miss_ratio for point in points if point.policy == question.policies[0]},
            lambda share, what: progress(played_share + share * (1 - played_share), what),
        )
        notes += said
    if sizes[0] > past.footprint_bytes:
        notes.append("every size holds the whole footprint: only first references miss")
    return CacheCurves(
        workload=log_name(paths),
        by=question.by,
        seed=question.seed,
        requests=round(past.reads + past.writes),
        reads=round(past.reads),
        writes=round(past.writes),
        objects=round(past.objects),
        footprint_bytes=round(past.footprint_bytes),
        duration_s=past.duration_s,
        drive=None if question.drive is None else question.drive.name,
        rate=past.rate,
        memory=memory,
        latency=latency,
        curves=points,
        knees=knees,
        notes=notes,
    )


def _load(
    files: Sequence[Path | str], reading: Reading, accesses: "_core.Accesses", question: Question
) -> Load | None:
    """What is simulated, where devices are named and there are requests."""
    references = accesses.reads + accesses.writes
    if question.devices is None or not references:
        return None
    return simulated_sizes.opened(files, reading, references, question.devices, question.seed)


def _played(
    accesses: "_core.Accesses", question: Question, sizes: Sequence[int], progress: Progress
) -> tuple[list[CachePoint], list[CacheKnee]]:
    """The points in order of policies and sizes, and the knees."""
    one_pass = question.by == "block" and "lru" in question.policies
    every, breaks = accesses.lru(list(sizes)) if one_pass else ([], [])
    parts = [accesses.part(number) for number in range(cache_sizes.PARTS)] if accesses.rate < 1 else []

    def work(item: tuple[str, int]) -> CachePoint:
        policy, size = item
        counts = (
            every[sizes.index(size)]
            if one_pass and policy == "lru"
            else accesses.play(policy, size, seed=question.seed)
        )
        ratios = [curve_knee.miss_ratio(part.play(policy, size, seed=question.seed)) for part in parts]
        return _lasting(_point(policy, size, counts, ratios, accesses.duration_s), question.drive)

    items = [(policy, size) for policy in question.policies for size in sizes]
    points = over_cores(
        work, items, lambda share, item: progress(READ_SHARE + share * (1 - READ_SHARE), item[0])
    )
    least = curve_knee.miss_ratio(accesses.play("lru", curve_knee.UNLIMITED, seed=0))
    every_ratio = curve_knee.falling(accesses, breaks)
    found = [
        curve_knee.of(policy, of_policy, every_ratio if policy == "lru" else [], least)
        for policy in question.policies
        for of_policy in [[point for point in points if point.policy == policy]]
    ]
    return points, [knee for knee in found if knee is not None]


def _point(policy: str, size: int, counts: Counts, ratios: Sequence[float], duration_s: float) -> CachePoint:
    whole = {name: round(value) for name, value in counts.items()}
    misses, requests = whole["read_misses"] + whole["write_misses"], whole["reads"] + whole["writes"]
    ratio = _ratio(misses, requests) or 0.0
    half = _half_width(ratios)
    written = whole["fill_bytes"] + whole["write_bytes"]
    return CachePoint(
        policy=policy,
        size_bytes=size,
        requests=requests,
        misses=misses,
        miss_ratio=ratio,
        miss_ratio_low=None if half is None else max(0.0, ratio - half),
        miss_ratio_high=None if half is None else min(1.0, ratio + half),
        read_miss_ratio=_ratio(whole["read_misses"], whole["reads"]),
        write_miss_ratio=_ratio(whole["write_misses"], whole["writes"]),
        cache_written_bytes_per_day=written * DAY_S / duration_s if duration_s > 0 else None,
        **whole,
    )


def _lasting(point: CachePoint, drive: Drive | None) -> CachePoint:
    """The point with the life of the drive that holds the cache."""
    per_day = point.cache_written_bytes_per_day
    if drive is None or drive.tbw_bytes is None or per_day is None:
        return point
    years = finite(years_until(drive.tbw_bytes, bytes_per_day=per_day))
    return point.model_copy(update={"drive_life_years": years})


def _half_width(ratios: Sequence[float]) -> float | None:
    """Half of the 95 % interval of the mean of the parts; none without parts."""
    if not ratios:
        return None
    mean = sum(ratios) / len(ratios)
    variance = sum((ratio - mean) ** 2 for ratio in ratios) / (len(ratios) - 1)
    return _core.student(len(ratios) - 1, CONFIDENCE) * math.sqrt(variance / len(ratios))


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _memory(accesses: "_core.Accesses", ram_bytes: int, pool_bytes: int | None) -> Memory:
    def hits(bytes_: int) -> int:
        counts = accesses.play("lru", bytes_, seed=0)
        return round(counts["reads"] - counts["read_misses"])

    return Memory(
        size_bytes=ram_bytes,
        pool_bytes=pool_bytes,
        reads=round(accesses.reads),
        read_hits=hits(ram_bytes),
        read_hits_high=None if pool_bytes is None else hits(ram_bytes + pool_bytes),
    )
