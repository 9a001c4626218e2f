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

from drivecast.document.model import Closed, Model, Stream
from drivecast.exchange.losses import Losses, regions

SECTOR = 512
LINES_MAX = 100
USERS_MAX = 64
"""Workers that stand for the users of one stream."""
OPEN_DEPTH = 256
DISPLAY = (
    "Total I/Os per Second",
    "Total MBs per Second (Decimal)",
    "Average I/O Response Time (ms)",
    "Maximum I/O Response Time (ms)",
    "% CPU Utilization (total)",
    "Total Error Count",
)


def export(model: Model, target: str) -> tuple[str, list[str]]:
    """The configuration, and what it cannot hold; Iometer keeps losses in the test's description."""
    losses = Losses()
    specs: list[str] = []
    workers: list[str] = []
    for stream in model.streams:
        name = _name(losses, stream)
        outstanding, users, delay, burst = _pace(losses, stream)
        specs += _specification(losses, stream, name, delay, burst)
        for user in range(users):
            own = f"{name} {user + 1}" if users > 1 else name
            workers += _worker(losses, model, stream, own, name, outstanding, target)
    setup = _setup(losses, model)
    lines = [
        "Version 1.1.0 ",
        *setup,
        *_display(),
        f"'ACCESS SPECIFICATIONS {'=' * 57}",
        *specs,
        "'END access specifications",
        f"'MANAGER LIST {'=' * 66}",
        "'Manager ID, manager name",
        "\t1,localhost",
        "'Manager network address",
        "\t",
        *workers,
        "'End manager",
        "'END manager list",
        "Version 1.1.0 ",
    ]
    return "\n".join(lines) + "\n", losses.lines


def _name(losses: Losses, stream: Stream) -> str:
    """Names end at a comma and must not begin a comment."""
    name = (
        "".join("-" if c == "," or not c.isprintable() else c for c in stream.name).strip().lstrip("'")[:80]
    )
    name = name or "stream"
    if name != stream.name:
        losses.add(stream, f"the name became `{name}`")
    return name


def _pace(losses: Losses, stream: Stream) -> tuple[int, int, int, int]:
    """Outstanding, workers, milliseconds of delay, burst."""
    arrivals = stream.arrivals
    if isinstance(arrivals, Closed):
        if arrivals.think_s == 0:
            return arrivals.iodepth, 1, 0, 1
        if arrivals.iodepth > USERS_MAX:
            losses.add(stream, f"a think time of {arrivals.iodepth} users is left out: more than {USERS_MAX}")
            return arrivals.iodepth, 1, 0, 1
        delay = max(1, round(arrivals.think_s * 1000))
        if abs(delay - arrivals.think_s * 1000) > 1e-6:
            losses.add(stream, f"think times are whole milliseconds: {delay}")
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
    losses.shape(stream)
    losses.zipf(stream)
    losses.trim_flush(stream)
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
    whole = losses.size_percents(stream, kept)
    align = 0 if stream.align_bytes == SECTOR else stream.align_bytes
    return [
        "'Access specification name,default assignment",
        f"\t{name},NONE",
        "'size,% of size,% reads,% random,delay,burst,align,reply",
        *[
            f"\t{size.bytes},{percent},{reads},{chance},{delay},{burst},{align},0"
            for size, percent in zip(kept, whole, strict=True)
            if percent
        ],
    ]


def _worker(
    losses: Losses, model: Model, stream: Stream, own: str, spec: str, outstanding: int, target: str
) -> list[str]:
    parts = regions(model, stream, SECTOR)
    losses.zones(stream, parts, "one from the first to the last")
    start, sectors = parts[0].start // SECTOR, (parts[-1].end - parts[0].start) // SECTOR
    return [
        "'Worker",
        f"\t{own}",
        "'Worker type",
        "\tDISK",
        "'Default target settings for worker",
        "'Number of outstanding IOs,test connection rate,transactions per connection,"
        "use fixed seed,fixed seed value",
        f"\t{outstanding},DISABLED,1,DISABLED,0",
        "'Disk maximum size,starting sector,Data pattern",
        f"\t{sectors},{start},0",
        "'End default target settings for worker",
        "'Assigned access specs",
        f"\t{spec}",
        "'End assigned access specs",
        "'Target assignments",
        "'Target",
        f"\t{target}",
        "'Target type",
        "\tDISK",
        "'End target",
        "'End target assignments",
        "'End worker",
    ]


def _setup(losses: Losses, model: Model) -> list[str]:
    seconds = losses.seconds(model)
    description = "; ".join(
        [" ".join(model.name.split()), *(f"lost: {' '.join(line.split())}" for line in losses.lines)]
    )
    return [
        "'TEST SETUP ====================================================================",
        "'Test Description",
        f"\t{description}",
        "'Run Time",
        "'\thours      minutes    seconds",
        f"\t{seconds // 3600:<11}{seconds // 60 % 60:<11}{seconds % 60}",
        "'Ramp Up Time (s)",
        "\t0",
        "'Default Disk Workers to Spawn",
        "\tNUMBER_OF_CPUS",
        "'Default Network Workers to Spawn",
        "\t0",
        "'Record Results",
        "\tALL",
        "'Worker Cycling",
        "'\tstart      step       step type",
        "\t1          1          LINEAR",
        "'Disk Cycling",
        "'\tstart      step       step type",
        "\t1          1          LINEAR",
        "'Queue Depth Cycling",
        "'\tstart      end        step       step type",
        "\t1          32         2          EXPONENTIAL",
        "'Test Type",
        "\tNORMAL",
        "'END test setup",
    ]


def _display() -> list[str]:
    charts = [
        line
        for number, title in enumerate(DISPLAY, 1)
        for line in (f"'Bar chart {number} statistic", f"\t{title}")
    ]
    return [
        "'RESULTS DISPLAY ===============================================================",
        "'Record Last Update Results,Update Frequency,Update Type",
        "\tDISABLED,1,WHOLE_TEST",
        *charts,
        "'END results display",
    ]
