"""Read fio job files: jobs that run at once become the streams of a model.

What has no place in a model is an error with file and line: options that shape requests otherwise (`zonemode`,
`verify`, `read_iolog`, …), several phases at once (`stonewall`; one is chosen), different sizes for reads and writes
of one job, distributions other than uniform, Zipf and zones, and percentages of a file of unknown size. What is
taken otherwise than written is a note: fio visits each block once unless `norandommap` is set; a rate is a cap and
its depth is finite; engines that wait have a depth of 1; requests are of whole sectors; a think time after several
requests is a part of it after each. Clones (`numjobs`) on one file add their depths or rates up;
without `filename` each has a file of its own, and so a range of its own.

Source: fio's HOWTO; fio's defaults (`bs=4k`, `rw=read`, `iodepth=1`, engine `psync`, `rwmixread=50`).
"""

from dataclasses import dataclass
from pathlib import Path

from drivecast.document.model import Closed, Open, Random, Sequential, Size, Stream
from drivecast.exchange.fio_options import LENGTHS, Job, jobs
from drivecast.exchange.layout import STREAMS_MAX, Found, Part, Place, geometric_runs

WAITING = {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "mtd", "filecreate"}
"""Engines that have one request outstanding, whatever `iodepth` is."""
WORDS = {
    "read": (1.0, 0.0), "write": (0.0, 0.0), "rw": (None, 0.0), "readwrite": (None, 0.0), "trim": (0.0, 1.0),
}  # fmt: skip
"""Share of reads (none: mixed) and of discards, by `rw` without `rand`."""


@dataclass(frozen=True)
class Direction:
    """The meaning of `rw`."""

    random: bool
    read: float | None
    trim: float
    run: int

    def slot(self) -> int | None:
        """Which of the values for reads, writes and discards counts; none: reads and writes."""
        if self.trim:
            return 2
        return None if self.read is None else (0 if self.read else 1)


SECTOR_BYTES = 512
SIZES_MAX = 1024
"""Sizes of a range that are counted apart."""


def read(
    text: str, name: str, span_bytes: int | None, folder: Path | None = None, phase: int | None = None
) -> Found:
    """The streams of a job file, of one phase where it has several; `folder`: where files lie that it includes."""
    found = Found()
    lengths = set()
    for job in _phase(jobs(text, name, folder), phase):
        _job(found, job, span_bytes)
        lengths.add(job.seconds("runtime", "s"))
        if LENGTHS & set(job.options):
            found.note("how much fio does before it ends (`loops`, `io_size`, …) is left out")
    if len(lengths) > 1:
        found.note("jobs run for different times: the longest is the model's duration")
    found.duration_s = max(lengths) or None
    return found


def _phase(all_jobs: list[Job], phase: int | None) -> list[Job]:
    """The jobs that run at once."""
    last = all_jobs[-1]
    if phase is None and last.phase > 1:
        first = next(job for job in all_jobs if job.phase == 2)
        raise first.place.fault(
            "jobs that run together",
            f"{last.phase} phases, parted by `stonewall`",
            f"choose one: `--phase 1` to `--phase {last.phase}`",
        )
    chosen = [job for job in all_jobs if job.phase == (phase or 1)]
    if not chosen:
        raise last.place.fault(f"a phase from 1 to {last.phase}", f"--phase {phase}")
    return chosen


def _job(found: Found, job: Job, span_bytes: int | None) -> None:
    direction = _direction(job)
    clones = job.whole("numjobs", 1, 1, 4096)
    sizes = _sizes(found, job, direction)
    align = _align(job, direction, sizes)
    start, end = _extent(job, span_bytes)
    arrivals, read_share = _arrivals(found, job, direction, sizes)
    address, parts = _address(found, job, direction, sizes, (start, end))
    flush = _flush(found, job, read_share)
    if isinstance(arrivals, Open):
        arrivals = arrivals.model_copy(update={"rate_iops": arrivals.rate_iops / (1 - flush)})
    stream = Stream(
        name=job.name, read=read_share, trim=direction.trim, flush=flush, sizes=sizes, align_bytes=align,
        address=address, arrivals=arrivals,
    )  # fmt: skip
    size = job.bytes("filesize") or span_bytes or 0
    filename, increment = job.get("filename"), job.bytes("offset_increment", size) or 0
    if filename and isinstance(address, Random) and not increment:
        found.add(_together(stream, clones), filename.text, parts, max(size, end))
        return
    if clones + len(found.pieces) > STREAMS_MAX:
        raise job.place.fault(f"at most {STREAMS_MAX} streams", f"numjobs={clones}")
    for clone in range(clones):
        target = filename.text if filename else f"{job.text('directory', '.')}/{job.name}.{clone}.0"
        step = clone * increment
        moved = [(low + step, high + step, share) for low, high, share in parts]
        found.add(stream, target, moved, max(size, end + step))


def _together(stream: Stream, clones: int) -> Stream:
    """Independent clones as one stream."""
    arrivals = stream.arrivals
    if isinstance(arrivals, Closed):
        change: dict[str, float] = {"iodepth": min(65_536, arrivals.iodepth * clones)}
    else:
        change = {"rate_iops": arrivals.rate_iops * clones}
    return stream.model_copy(update={"arrivals": arrivals.model_copy(update=change)})


def _direction(job: Job) -> Direction:
    option = job.get("rw")
    place = option.place if option else job.place
    word, _, suffix = (option.text.lower() if option else "read").partition(":")
    random = word.startswith("rand")
    if word.removeprefix("rand") not in WORDS or word == "randreadwrite":
        raise place.fault(f"`rw` as one of {', '.join(WORDS)}, with or without `rand`", word)
    if suffix and not random:
        raise place.unsupported("sequential requests with holes (`rw=…:N`)")
    sequencer = job.get("rw_sequencer")
    if suffix and sequencer and sequencer.text != "sequential":
        raise sequencer.place.unsupported(f"`rw_sequencer={sequencer.text}`")
    read, trim = WORDS[word.removeprefix("rand")]
    run = place.number(suffix, "a number of requests", 1, 10**9) if suffix else 1
    return Direction(random, read, trim, run)


def _sizes(found: Found, job: Job, direction: Direction) -> list[Size]:
    given = [key for key in ("bssplit", "bsrange", "bs") if key in job.options]
    if not given:
        return [Size(bytes=4096, share=1.0)]
    option = job.options[given[0]]
    text = _one(option.text, option.place, direction, "sizes", "4k")
    if given[0] == "bssplit":
        split = _shares(text, option.place, "a split such as 4k/70:64k/30")
        sizes = [Size(bytes=job.size(left, option.place), share=share) for left, share in split]
    elif given[0] == "bsrange":
        sizes = _range(found, job, text, option.place)
    else:
        sizes = [Size(bytes=job.size(text, option.place), share=1.0)]
    for size in sizes:
        if not 1 <= size.bytes <= 1 << 30:
            raise option.place.fault("sizes up to 1 GiB", str(size.bytes))
    if any(size.bytes % SECTOR_BYTES for size in sizes):
        found.note(f"job `{job.name}`: requests are widened to whole sectors of {SECTOR_BYTES} B")
    return [Size(bytes=-(-size.bytes // SECTOR_BYTES) * SECTOR_BYTES, share=size.share) for size in sizes]


def _range(found: Found, job: Job, text: str, place: Place) -> list[Size]:
    """Any size of the range; fio cuts it to a multiple of the smallest, where that is a power of two."""
    low, dash, high = text.replace(":", "-").partition("-")
    small, large = job.size(low, place), job.size(high if dash else low, place)
    small, large = min(small, large), max(small, large)
    if small < 1 or large > 1 << 30:
        raise place.fault("sizes up to 1 GiB", text)
    is_cut = not small & (small - 1) and "blocksize_unaligned" not in job.options
    step = small if is_cut else SECTOR_BYTES
    if (many := -(-(large - small + 1) // step)) > SIZES_MAX:
        step *= -(-many // SIZES_MAX)
        found.note(f"job `{job.name}`: sizes of the range are taken in steps of {step} B")
    return [Size(bytes=size, share=min(step, large - size + 1)) for size in range(small, large + 1, step)]


def _slots(text: str) -> list[str]:
    """The values for reads, writes and discards; the last one given is of those after it too."""
    slots = [part.strip() for part in text.split(",")]
    return (slots + [slots[-1]] * 2)[:3]


def _one(text: str, place: Place, direction: Direction, what: str, default: str) -> str:
    """The value for the directions of a job, out of those for reads, writes and discards."""
    if text.count(",") > 2:
        raise place.fault("at most three values, for reads, writes and discards", text)
    values = [part or default for part in _slots(text)]
    slot = direction.slot()
    if slot is None and values[0] != values[1]:
        raise place.fault(
            f"the same {what} for reads and writes of one job", text, "give each a job of its own"
        )
    return values[slot or 0]


def _shares(text: str, place: Place, expected: str) -> list[tuple[str, float]]:
    """Entries `value/percent`; those without a percentage share what is left."""
    entries = [entry.partition("/") for entry in text.split(":")]
    if len(entries) > 256:
        raise place.fault("at most 256 entries", text)
    given = [
        place.number(right, "a percentage", 0, 100) if right.strip() else None for _, _, right in entries
    ]
    left = 100 - sum(percent for percent in given if percent is not None)
    blank = given.count(None)
    if left < 0 or (left > 0 and not blank):
        raise place.fault(f"{expected}, with percentages that sum to 100", text)
    shares = [left / blank if percent is None else float(percent) for percent in given]
    if sum(shares) <= 0:
        raise place.fault(expected, text)
    return [(entry[0], share / 100) for entry, share in zip(entries, shares, strict=True)]


def _align(job: Job, direction: Direction, sizes: list[Size]) -> int:
    option = job.get("blockalign")
    smallest = min(size.bytes for size in sizes)
    if option is None:
        return smallest
    align = job.size(_one(option.text, option.place, direction, "alignment", "4k"), option.place)
    if align % 512 or not 512 <= align < 1 << 32:
        raise option.place.fault("an alignment that is a multiple of 512 B", option.text)
    return align


def _extent(job: Job, span_bytes: int | None) -> tuple[int, int]:
    if job.whole("nrfiles", 1, 1, 1 << 30) != 1:
        raise job.options["nrfiles"].place.unsupported("a job on several files")
    filename = job.get("filename")
    if filename and (":" in filename.text.replace("\\:", "") or not filename.text):
        raise filename.place.fault("one file or device", filename.text)
    whole = job.bytes("filesize")
    start = job.bytes("offset", whole or span_bytes) or 0
    # With `filesize`, `size` is an amount only: addresses continue to the end of the file.
    size = job.bytes("size", span_bytes) if whole is None else None
    if span_bytes and size is not None and job.text("size", "").endswith("%"):
        size = min(size, span_bytes - start)
    if size is None:
        whole = whole or span_bytes or 0
        size = whole - start
        if whole == 0:
            raise job.place.fault(f"`size` in job `{job.name}`", "none", "add it, or give `--span`")
    if size < 512:
        raise job.place.fault(f"at least 512 B from `offset` on in job `{job.name}`", f"{size} B")
    return start, start + size


def _address(
    found: Found, job: Job, direction: Direction, sizes: list[Size], extent: tuple[int, int]
) -> tuple[Random | Sequential, list[Part]]:
    whole = [(*extent, 1.0)]
    mean_bytes = sum(size.bytes * size.share for size in sizes) / sum(size.share for size in sizes)
    if not direction.random:
        return Sequential(), whole
    if "norandommap" not in job.options and "bssplit" not in job.options and "blockalign" not in job.options:
        found.note(
            "fio visits each block once before any twice (`norandommap` is not set); a model may at once"
        )
    law, parts = _distribution(job, direction, extent)
    percent = job.get("percentage_random")
    chance = 100
    if percent:
        text = _one(percent.text, percent.place, direction, "share of random requests", "100")
        chance = percent.place.number(text, "a percentage", 0, 100)
    if chance == 0:
        return Sequential(), whole
    if direction.run == 1 and chance == 100:
        return law, parts
    if law.law == "zipf" or (direction.run > 1 and chance < 100):
        raise job.place.unsupported(f"job `{job.name}`: runs that begin so")
    runs = direction.run * mean_bytes if direction.run > 1 else geometric_runs(100 / chance, mean_bytes)
    return Sequential(run_bytes=runs), parts


def _distribution(job: Job, direction: Direction, extent: tuple[int, int]) -> tuple[Random, list[Part]]:
    start, end = extent
    whole = [(start, end, 1.0)]
    option = job.get("random_distribution")
    if option is None:
        return Random(), whole
    kind, _, text = option.text.partition("=" if "=" in option.text.partition(":")[0] else ":")
    kind, place = kind.strip().lower(), option.place
    if kind == "random":
        return Random(), whole
    if kind not in {"zipf", "zoned", "zoned_abs"}:
        raise place.unsupported(f"the distribution `{kind}`", "zipf, zoned and zoned_abs can be imported")
    text = _one(text, place, direction, "distribution", "")
    if kind == "zipf":
        return Random(law="zipf", exponent=_exponent(text, place)), whole
    zones, at = [], start
    for share, width in _zoned(text, place):
        if kind == "zoned":
            size = (end - start) * place.number(width, "a percentage", 1, 100) // 100
        else:
            size = job.size(width, place)
        zones.append((at, at + size, share))
        at += size
    if at > end or any(low >= high for low, high, _ in zones):
        raise place.fault(f"zones within `size`, {end - start} B", option.text)
    return Random(), [zone for zone in zones if zone[2] > 0]


def _zoned(text: str, place: Place) -> list[tuple[float, str]]:
    """Entries `percent/size`, as pairs of share and size."""
    turned = ":".join("/".join(reversed(entry.partition("/")[::2])) for entry in text.split(":"))
    return [(share, size) for size, share in _shares(turned, place, "zones such as 90/1g:10/9g")]


def _exponent(text: str, place: Place) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 10:
        raise place.fault("a Zipf exponent from 0 to 10 without a centre", text)
    return value


def _arrivals(found: Found, job: Job, direction: Direction, sizes: list[Size]) -> tuple[Closed | Open, float]:
    share = _mix(job, direction)
    think = job.seconds("thinktime", "us")
    depth = job.whole("iodepth", 1, 1, 65_536)
    if depth > 1 and job.text("ioengine", "psync") in WAITING:
        found.note(f"job `{job.name}`: its engine waits for each request, whatever `iodepth` is")
        depth = 1
    rates = _rates(job, direction, sizes)
    if rates:
        if think:
            raise job.options["thinktime"].place.unsupported("a think time next to a rate")
        found.note_cap("fio")
        even = job.text("rate_process", "linear") != "poisson"
        total = sum(rates)
        if direction.read is None:
            share = rates[0] / total
        return Open(rate_iops=total, gaps=1.0 if even else None), share
    if think and (after := job.whole("thinktime_blocks", 1, 1, 1 << 30)) > 1:
        found.note(f"job `{job.name}`: a think time after {after} requests is 1/{after} of it after each")
        think /= after
    return Closed(iodepth=1 if think else depth, think_s=think), share


def _mix(job: Job, direction: Direction) -> float:
    if direction.read is not None:
        return direction.read
    if "rwmixwrite" in job.options:
        return 1 - job.whole("rwmixwrite", 50, 0, 100) / 100
    return job.whole("rwmixread", 50, 0, 100) / 100


def _rates(job: Job, direction: Direction, sizes: list[Size]) -> list[float]:
    """Requests a second of each direction of the job; empty without a limit."""
    option = job.get("rate_iops") or job.get("rate")
    if option is None:
        return []
    mean_bytes = sum(size.bytes * size.share for size in sizes) / sum(size.share for size in sizes)
    texts = _slots(option.text)
    slot = direction.slot()
    limits = [texts[0], texts[1]] if slot is None else [texts[slot]]
    rates = [float(job.size(text, option.place)) if text else 0.0 for text in limits]
    if all(rate == 0 for rate in rates):
        return []
    if 0.0 in rates:
        raise option.place.fault(
            "a rate for reads and one for writes", option.text, "give each a job of its own"
        )
    if job.get("rate_iops") is None:
        rates = [rate / mean_bytes for rate in rates]
    elif job.text("rate_process", "linear") != "poisson":
        # fio's even pace counts bytes of the smallest size.
        rates = [rate * min(size.bytes for size in sizes) / mean_bytes for rate in rates]
    if sum(rates) > 1e9:
        raise option.place.fault("at most 1e9 requests a second", option.text)
    return rates


def _flush(found: Found, job: Job, read_share: float) -> float:
    every = job.whole("fsync", 0, 0, 1 << 30)
    if every == 0 or read_share == 1:
        return 0.0
    found.note("flushes come at random, not after every so many writes")
    each = (1 - read_share) / every
    return each / (1 + each)
