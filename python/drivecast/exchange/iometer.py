"""Iometer configuration files (`.icf`), written: each stream is a worker with an access specification of its own.

A line of a specification is `size,% of size,% reads,% random,delay,burst,align,reply`: bytes, whole percents,
milliseconds before each burst, requests in a burst. A worker has a number of outstanding requests, and a first sector
with a number of sectors of 512 B. So sizes, the mix, one zone, and geometric runs (`% random` is the chance that a
request is not where the one before ended) are held. A closed loop is the number outstanding; with a think time it is
a worker a user, each with one outstanding and a delay. Iometer has no rates: an open loop becomes bursts at even
distances with many outstanding.

Source: Iometer's user's guide and its `AccessSpecList.cpp`, `Worker.cpp`, `PageSetup.cpp` and `IOGrunt.cpp`, version
1.1.0.
"""

import math

from drivecast.document.model import Closed, Model, Stream
from drivecast.exchange.losses import Losses, regions
from drivecast.exchange.phases import Phases

SECTOR = 512
LINES_MAX = 100
USERS_MAX = 64
"""Workers that stand for the users of one stream."""
OPEN_DEPTH = 256
STEPS_MAX = 60
"""Of a test, about, that several phases have together."""
DISPLAY = (
    "Total I/Os per Second",
    "Total MBs per Second (Decimal)",
    "Average I/O Response Time (ms)",
    "Maximum I/O Response Time (ms)",
    "% CPU Utilization (total)",
    "Total Error Count",
)


def export(losses: Losses, phases: Phases, target: str) -> str:
    """The configuration; Iometer keeps losses in the test's description."""
    specs: list[str] = []
    workers: list[str] = []
    turns, seconds = _turns(losses, phases) if phases.are_several else ([1], 0)
    for place, model in enumerate(phases.models):
        of_phase = _of_phase(losses, model, target, _turn_of(turns, place))
        specs += of_phase[0]
        workers += of_phase[1]
    seconds = seconds or losses.seconds(phases.models[0])
    description = "; ".join([" ".join(phases.name.split()), *losses.comments()])
    return _file(seconds, description, specs, workers)


def _turns(losses: Losses, phases: Phases) -> tuple[list[int], int]:
    """How many steps of a test each phase has, and how long a step is: Iometer has one length for all."""
    seconds = [losses.seconds(model) for model in phases.models]
    step = max(1, math.ceil(sum(seconds) / STEPS_MAX))
    turns = [max(1, round(each / step)) for each in seconds]
    losses.add(
        None, f"all steps of a test are as long: phases are {min(turns)} to {max(turns)} steps of {step} s"
    )
    return turns, step


def _turn_of(turns: list[int], place: int) -> list[bool]:
    """In which steps of a test a phase comes."""
    return [at == place for at, count in enumerate(turns) for _ in range(count)]


def _of_phase(
    losses: Losses, model: Model, target: str, own_steps: list[bool]
) -> tuple[list[str], list[str]]:
    """The specifications and the workers of a phase, which are idle in the steps of others."""
    specs: list[str] = []
    workers: list[str] = []
    for stream in model.streams:
        name = _name(losses, stream)
        outstanding, users, delay, burst = _pace(losses, stream)
        specs += _specification(losses, stream, name, delay, burst)
        parts = regions(model, stream, SECTOR)
        losses.zones(stream, parts, "one from the first to the last")
        start, sectors = parts[0].start // SECTOR, (parts[-1].end - parts[0].start) // SECTOR
        for user in range(users):
            own = f"{name} {user + 1}" if users > 1 else name
            steps = tuple(name if is_own else "Idle" for is_own in own_steps)
            workers += _worker(own, steps, outstanding, f"{sectors},{start},0", target)
    return specs, workers


def _file(seconds: int, description: str, specs: list[str], workers: list[str]) -> str:
    lines = [
        "Version 1.1.0 ",
        *_setup(seconds, description),
        *_pairs(
            ("RESULTS DISPLAY ===============================================================",),
            ("Record Last Update Results,Update Frequency,Update Type", "DISABLED,1,WHOLE_TEST"),
            *((f"Bar chart {number} statistic", title) for number, title in enumerate(DISPLAY, 1)),
            ("END results display",),
        ),
        f"'ACCESS SPECIFICATIONS {'=' * 57}",
        *specs,
        "'END access specifications",
        f"'MANAGER LIST {'=' * 66}",
        *_pairs(("Manager ID, manager name", "1,localhost"), ("Manager network address", "")),
        *workers,
        "'End manager",
        "'END manager list",
        "Version 1.1.0 ",
    ]
    return "\n".join(lines) + "\n"


def _pairs(*pairs: tuple[str, ...]) -> list[str]:
    """Lines of the file: a comment that names what the next line holds, if it holds anything."""
    return [f"\t{text}" if at else f"'{text}" for pair in pairs for at, text in enumerate(pair)]


def _name(losses: Losses, stream: Stream) -> str:
    """Names end at a comma and must not begin a comment."""
    printed = "".join("-" if c == "," or not c.isprintable() else c for c in stream.name)
    return losses.name(stream, printed.strip().lstrip("'")[:80] or "stream")


def _pace(losses: Losses, stream: Stream) -> tuple[int, int, int, int]:
    """Outstanding, workers, milliseconds of delay, burst."""
    arrivals = stream.arrivals
    if isinstance(arrivals, Closed):
        if arrivals.think_s == 0:
            return arrivals.iodepth, 1, 0, 1
        if arrivals.iodepth > USERS_MAX:
            losses.add(stream, f"a think time of {arrivals.iodepth} users is left out: more than {USERS_MAX}")
            return arrivals.iodepth, 1, 0, 1
        delay = losses.milliseconds(stream, arrivals.think_s)
        if arrivals.iodepth > 1 and stream.run_requests() != 1.0:
            losses.add(stream, f"{arrivals.iodepth} users read or write as many sequences, not one")
        return 1, arrivals.iodepth, delay, 1
    rate = arrivals.rate_iops
    near = [(burst, max(1, round(1000 * burst / rate))) for burst in range(1, 1001)]
    burst, delay = next(
        ((b, d) for b, d in near if abs(1000 * b / d - rate) <= 0.01 * rate),
        min(near, key=lambda pair: abs(1000 * pair[0] / pair[1] - rate)),
    )
    got = 1000 * burst / delay
    losses.add(
        stream, f"a rate of {rate:g} IOPS became {burst} every {delay} ms ({got:.4g} IOPS), not at random"
    )
    return OPEN_DEPTH, 1, delay, burst


def _specification(losses: Losses, stream: Stream, name: str, delay: int, burst: int) -> list[str]:
    losses.plain(stream)
    reads = losses.percent(stream, "reads", stream.read)
    requests = stream.run_requests()
    chance = 0 if requests is None else round(100 / requests)
    if requests not in (None, 1.0):
        chance = max(1, chance)
        losses.add(stream, f"lengths of runs became geometric with a mean of {100 / chance:.4g} requests")
    sizes = sorted(stream.sizes, key=lambda size: -size.share)[:LINES_MAX]
    kept = [size for size in stream.sizes if size in sizes]
    if len(kept) < len(stream.sizes):
        losses.add(stream, f"only the {LINES_MAX} most frequent of {len(stream.sizes)} sizes are kept")
    align = 0 if stream.align_bytes == SECTOR else stream.align_bytes
    rows = [
        f"\t{size},{percent},{reads},{chance},{delay},{burst},{align},0"
        for size, percent in losses.size_percents(stream, kept)
    ]
    columns = "size,% of size,% reads,% random,delay,burst,align,reply"
    return [*_pairs(("Access specification name,default assignment", f"{name},NONE"), (columns,)), *rows]


def _worker(own: str, specs: tuple[str, ...], outstanding: int, extent: str, target: str) -> list[str]:
    settings = (
        "Number of outstanding IOs,test connection rate,transactions per connection,"
        "use fixed seed,fixed seed value"
    )
    return _pairs(
        ("Worker", own),
        ("Worker type", "DISK"),
        ("Default target settings for worker",),
        (settings, f"{outstanding},DISABLED,1,DISABLED,0"),
        ("Disk maximum size,starting sector,Data pattern", extent),
        ("End default target settings for worker",),
        ("Assigned access specs", *specs),
        ("End assigned access specs",),
        ("Target assignments",),
        ("Target", target),
        ("Target type", "DISK"),
        ("End target",),
        ("End target assignments",),
        ("End worker",),
    )


def _setup(seconds: int, description: str) -> list[str]:
    once = "1          1          LINEAR"
    return _pairs(
        ("TEST SETUP ====================================================================",),
        ("Test Description", description),
        ("Run Time",),
        ("\thours      minutes    seconds", f"{seconds // 3600:<11}{seconds // 60 % 60:<11}{seconds % 60}"),
        ("Ramp Up Time (s)", "0"),
        ("Default Disk Workers to Spawn", "NUMBER_OF_CPUS"),
        ("Default Network Workers to Spawn", "0"),
        ("Record Results", "ALL"),
        ("Worker Cycling",),
        ("\tstart      step       step type", once),
        ("Disk Cycling",),
        ("\tstart      step       step type", once),
        ("Queue Depth Cycling",),
        ("\tstart      end        step       step type", "1          32         2          EXPONENTIAL"),
        ("Test Type", "NORMAL"),
        ("END test setup",),
    )
