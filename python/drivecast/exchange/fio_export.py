"""fio job files: a workload model as jobs that fio runs at once; windows as such phases in turn (`stonewall`).

One job a stream, all on one file of the model's span. What carries what:

| model | fio |
|---|---|
| sizes with shares | `bs`, `bssplit` (whole percents, at most 64 sizes) |
| read share | `rw`, `rwmixread` (whole percents) |
| zones | `offset` and `size`; several: `random_distribution=zoned_abs` (whole percents, at most 256 zones) |
| Zipf law | `random_distribution=zipf`, one zone |
| runs | of one length `rw=randread:N`, else `percentage_random` (geometric lengths with the same mean) |
| once through the zone, log | `rw=read`, `rw=write`, `time_based` |
| closed loop | `iodepth`; with a think time one job a user (`numjobs`), as fio waits a whole job at a time |
| open loop | `rate_iops`, reads and writes apart (whole IOPS), `rate_process=poisson` |
| discards | a job of their own; flushes: `fsync` after every N writes |

The span itself is left out: with `filesize`, fio takes `size` for an amount and continues to the end of the file.

fio paces an open loop in whole microseconds, and before it sleeps until the next request is due it waits for those
outstanding, so that on a device slower than the gaps requests come late and together. (`io_submit_mode=offload` would
not wait, but hangs with `time_based` in fio 3.33.)

Source: fio's HOWTO and, for what it leaves open, its `io_u.c`, `options.c` and `fio.h` of versions 3.33 to 3.42.
"""

from drivecast.document.model import Closed, Model, Open, Random, Sequential, Stream
from drivecast.exchange.losses import Losses, Region, regions
from drivecast.exchange.phases import Phases

SIZES_MAX = 64
ZONES_MAX = 256
CLONES_MAX = 1024
OPEN_DEPTH = 256
"""Requests that an open loop may have outstanding."""
EXACT_IOPS_MAX = 10_000
"""Above this the mean gap, cut to whole microseconds, is more than 1 % off."""
SEED = 1


def quantity(size: int) -> str:
    """Bytes in the largest binary unit that holds them."""
    for power, unit in ((40, "t"), (30, "g"), (20, "m"), (10, "k")):
        if size and size % (1 << power) == 0:
            return f"{size >> power}{unit}"
    return str(size)


def export(losses: Losses, phases: Phases, target: str) -> str:
    """The job file."""
    seconds = [losses.seconds(model) for model in phases.models]
    jobs = [sections(losses, model) for model in phases.models]
    if phases.are_several:
        pairs = zip(jobs, seconds, strict=True)
        jobs = [_in_turn(lines, length, first=not at) for at, (lines, length) in enumerate(pairs)]
    ends = [
        regions(model, stream, stream.align_bytes)[-1].end
        for model in phases.models
        for stream in model.streams
    ]
    if max(ends) < phases.span_bytes:
        losses.add(None, "the span beyond the last address used: a job states its own part only")
    how = (
        f"as {len(jobs)} phases of fio jobs in turn" if phases.are_several else "as fio jobs that run at once"
    )
    head = [
        f"# {' '.join(phases.name.split())}: a workload model {how}",
        "# run: fio --output-format=json FILE (writes destroy what the target holds)",
        *losses.comments("# "),
        "[global]",
        f"filename={target}",
        "ioengine=libaio",
        "direct=1",
        "norandommap",
        f"randseed={SEED}",
        "time_based",
        *([] if phases.are_several else [f"runtime={seconds[0]}s"]),
    ]
    return "\n".join([*head, *(line for lines in jobs for line in lines)]) + "\n"


def _in_turn(lines: list[str], seconds: int, *, first: bool) -> list[str]:
    """The jobs of a phase, which begin together when those before have ended."""
    waits = [] if first else ["stonewall"]
    found = []
    for line in lines:
        found.append(line)
        if line.startswith("["):
            found += [*waits, f"runtime={seconds}s"]
            waits = []
    return found


def sections(losses: Losses, model: Model) -> list[str]:
    """The jobs of a model, in lines."""
    return [line for stream in model.streams for line in _jobs(losses, model, stream)]


def _jobs(losses: Losses, model: Model, stream: Stream) -> list[str]:
    """The sections of a stream: one, or two where it discards too."""
    losses.shape(stream)
    name = _section(losses, stream)
    if not 0 < stream.trim < 1:
        return _job(losses, model, stream, name, 1.0)
    losses.add(stream, "discards are a job of their own, next to reads and writes")
    rest = stream.model_copy(update={"trim": 0.0, "flush": min(1.0, stream.flush / (1 - stream.trim))})
    discards = stream.model_copy(update={"trim": 1.0, "flush": 0.0})
    return [
        *_job(losses, model, rest, name, 1 - stream.trim),
        *_job(losses, model, discards, f"{name}-discards", stream.trim),
    ]


def _section(losses: Losses, stream: Stream) -> str:
    """A name that can stand between brackets."""
    name = "".join("-" if c in "[]" or not c.isprintable() else c for c in stream.name).strip()[:200]
    return losses.name(stream, f"{name}-job" if name.lower() == "global" or not name else name)


def _job(losses: Losses, model: Model, stream: Stream, name: str, part: float) -> list[str]:
    options = [
        *_direction(losses, stream),
        *_sizes(losses, stream),
        *_places(losses, stream, regions(model, stream, stream.align_bytes)),
    ]
    if isinstance(stream.arrivals, Closed):
        options += _closed(losses, stream, stream.arrivals, part)
    else:
        options += _open(losses, stream, stream.arrivals, part)
    return ["", f"[{name}]", *options, *_flushes(losses, stream)]


def _direction(losses: Losses, stream: Stream) -> list[str]:
    """`rw` with the length of runs, and the mix."""
    requests = stream.run_requests()
    prefix = "" if requests is None else "rand"
    word = "trim" if stream.trim == 1 else {0.0: "write", 1.0: "read"}.get(stream.read, "rw")
    suffix, runs = _runs(losses, stream, requests)
    lines = [f"rw={prefix}{word}{suffix}", *runs]
    if word == "rw":
        lines.append(f"rwmixread={losses.percent(stream, 'reads', stream.read)}")
        if requests != 1.0:
            losses.add(stream, "one sequence of reads and writes became two: fio keeps a place for each")
    return lines


def _runs(losses: Losses, stream: Stream, requests: float | None) -> tuple[str, list[str]]:
    """The suffix of `rw` and the option that make runs of this mean length."""
    if requests is None or requests < 1 + 1e-9:
        return "", []
    run = stream.address if isinstance(stream.address, Sequential) else None
    table = (run.run_requests or run.run_bytes) if run else None
    constant = not isinstance(table, list)
    whole, percent = round(requests), round(100 / requests)
    if (constant and len(stream.sizes) == 1) or percent < 1 or whole == 1:
        if abs(whole - requests) > 1e-6 * requests or not constant:
            losses.add(stream, f"runs of {requests:.4g} requests in the mean became runs of {whole}")
        return f":{whole}", []
    losses.add(stream, f"lengths of runs became geometric with a mean of {100 / percent:.4g} requests")
    return "", [f"percentage_random={percent}"]


def _sizes(losses: Losses, stream: Stream) -> list[str]:
    sizes = stream.sizes
    if len(sizes) > SIZES_MAX:
        sizes = sorted(sizes, key=lambda size: -size.share)[:SIZES_MAX]
        losses.add(stream, f"only the {SIZES_MAX} most frequent of {len(stream.sizes)} sizes are kept")
    kept = losses.size_percents(stream, sizes)
    split = ":".join(f"{quantity(size)}/{share}" for size, share in kept)
    lines = [f"bs={quantity(kept[0][0])}" if len(kept) == 1 else f"bssplit={split}"]
    smallest = min(size for size, _ in kept)
    if isinstance(stream.address, Random) and stream.address.law == "zipf":
        if smallest != stream.align_bytes:
            losses.add(stream, f"Zipf places begin on multiples of the smallest size, {smallest} B")
        return lines
    return [*lines, f"blockalign={quantity(stream.align_bytes)}"]


def _places(losses: Losses, stream: Stream, parts: list[Region]) -> list[str]:
    first, last = parts[0].start, parts[-1].end
    if stream.run_requests() is None:
        # fio begins a request wherever the zone has room for a byte, and would end it beyond the zone.
        largest = max(size.bytes for size in stream.sizes)
        last = first + max(largest, (last - first) // largest * largest)
        if len(stream.sizes) > 1:
            losses.add(stream, f"a pass of several sizes may end up to {largest} B beyond its zone")
    lines = [f"offset={quantity(first)}", f"size={quantity(last - first)}"]
    if stream.run_requests() is None:
        if len(parts) > 1:
            losses.add(stream, f"one pass through {len(parts)} zones became one from the first to the last")
        return lines
    if len(parts) > ZONES_MAX:
        losses.add(stream, f"{len(parts)} zones, of which fio takes {ZONES_MAX}, became one")
        return lines
    zipf = isinstance(stream.address, Random) and stream.address.law == "zipf"
    if len(parts) > 1:
        if zipf:
            losses.add(stream, "the Zipf law inside several zones became uniform")
        zoned = [f"{percent}/{quantity(size)}" for percent, size in losses.zone_percents(stream, parts)]
        return [*lines, f"random_distribution=zoned_abs:{':'.join(zoned)}"]
    return [*lines, *_zipf(losses, stream)]


def _zipf(losses: Losses, stream: Stream) -> list[str]:
    exponent = stream.address.exponent if isinstance(stream.address, Random) else None
    if not exponent:
        return []
    if abs(exponent - 1) < 1e-3:
        losses.add(stream, "fio takes no Zipf exponent of 1: 0.999 is written")
        exponent = 0.999
    return [f"random_distribution=zipf:{exponent:.6g}"]


def _closed(losses: Losses, stream: Stream, arrivals: Closed, part: float) -> list[str]:
    depth = max(1, round(arrivals.iodepth * part))
    if abs(depth - arrivals.iodepth * part) > 1e-9:
        losses.add(stream, f"a depth of {arrivals.iodepth * part:.4g} became {depth}")
    if arrivals.think_s == 0:
        return [f"iodepth={depth}"]
    microseconds = max(1, round(arrivals.think_s * 1e6))
    if abs(microseconds - arrivals.think_s * 1e6) > 1e-6 * microseconds:
        losses.add(stream, f"think times are whole microseconds: {microseconds}")
    if depth > CLONES_MAX:
        losses.add(stream, f"{depth} users with a think time became {CLONES_MAX}")
        depth = CLONES_MAX
    if depth > 1 and stream.run_requests() != 1.0:
        losses.add(stream, f"{depth} users with a think time read or write {depth} sequences, not one")
    users = [f"numjobs={depth}"] if depth > 1 else []
    return ["iodepth=1", *users, f"thinktime={microseconds}us"]


def _open(losses: Losses, stream: Stream, arrivals: Open, part: float) -> list[str]:
    even = arrivals.gaps is not None and not isinstance(arrivals.gaps, list)
    if arrivals.gaps is not None and not even:
        losses.add(stream, "the distribution of gaps became exponential")
    rate = arrivals.rate_iops * part * (1 - stream.flush)
    mixed = 0 < stream.read < 1 and stream.trim < 1
    exact = [rate * stream.read, rate * (1 - stream.read)] if mixed else [rate]
    if even and len(stream.sizes) > 1:
        # fio's even pace counts bytes of the smallest size, so the rate is in requests of that size.
        exact = [rate * stream.mean_bytes / min(size.bytes for size in stream.sizes) for rate in exact]
    whole = losses.rates(stream, exact)
    if max(whole) > EXACT_IOPS_MAX and not even:
        losses.add(stream, f"fio cuts gaps to whole microseconds: above {EXACT_IOPS_MAX} IOPS it runs faster")
    pace = [] if even else ["rate_process=poisson"]
    return [f"iodepth={OPEN_DEPTH}", f"rate_iops={','.join(map(str, whole))}", *pace]


def _flushes(losses: Losses, stream: Stream) -> list[str]:
    if stream.flush == 0:
        return []
    writes = (1 - stream.read) * (1 - stream.flush - stream.trim)
    if writes <= 0:
        share = f"{100 * stream.flush:.4g} %"
        losses.add(stream, f"flushes ({share} of the requests) without writes are left out")
        return []
    every = max(1, round(writes / stream.flush))
    losses.add(stream, f"flushes come after every {every} writes, not at random")
    return [f"fsync={every}"]
