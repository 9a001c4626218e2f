"""Iometer configuration files (`.icf`), read: workers that run at once become the streams of a model.

A file is sections of pairs: a comment that begins with `'` names what the next line holds. Every worker must run
one access specification, whose lines may differ in size only; a specification with other differences has no place in
a stream. A file that only holds one specification (Iometer saves those alone) is one stream with one outstanding
request, with a note. Cycling tests, network workers, several specifications one after another and replies are
refused. A maximum size of 0 is the whole disk, whose size the file does not state. Equal workers on one target with
random addresses are one stream.

Source: as for writing; older versions name fewer values in some pairs, which are read too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from drivecast.document.model import Batch, Closed, Open, Random, Sequential, Size, Stream
from drivecast.exchange.iometer import SECTOR
from drivecast.exchange.layout import Found, Place, geometric_runs

LIMITS = ((512, 1 << 30), (0, 100), (0, 100), (0, 100), (0, 10**6), (1, 10**6), (0, 1 << 31), (0, 1 << 30))
"""Of the eight values in a line of a specification."""

Line = tuple[Place, str]


@dataclass(frozen=True)
class Spec:
    """An access specification; delay in ms."""

    name: str
    place: Place
    sizes: tuple[tuple[int, int], ...]
    reads: int
    random: int
    delay: int
    burst: int
    align: int


@dataclass
class Worker:
    """A worker's settings, in sectors."""

    name: str
    place: Place
    outstanding: int = 1
    sectors: int = 0
    start: int = 0
    specs: list[Line] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


class Lines:
    """The lines of a file, one after another."""

    def __init__(self, text: str, name: str) -> None:
        self.rows = [(Place(name, number), line.strip()) for number, line in enumerate(text.splitlines(), 1)]
        self.rows = [row for row in self.rows if row[1]]
        self.at = 0
        self.end = Place(name, max(1, text.count("\n")))

    def next(self, expected: str) -> Line:
        """The next line."""
        if self.at >= len(self.rows):
            raise self.end.fault(expected, "the end of the file")
        self.at += 1
        return self.rows[self.at - 1]

    def value(self, expected: str) -> Line:
        """The next line that is no comment: further comments before it are headings."""
        place, line = self.next(expected)
        while line.startswith("'") and not line.lower().startswith("'end"):
            place, line = self.next(expected)
        if line.startswith("'"):
            raise place.fault(expected, line)
        return place, line

    def until(self, end: str) -> Iterator[tuple[Place, str, str]]:
        """The lines before that which ends a section, each in lower case too."""
        while True:
            place, line = self.next(f"`'{end}`")
            if line.lower().startswith(f"'{end.lower()}"):
                return
            yield place, line, line.lower()

    def data(self) -> list[Line]:
        """The lines up to the next comment."""
        found = []
        while self.at < len(self.rows) and not self.rows[self.at][1].startswith("'"):
            found.append(self.next("a value"))
        return found


def read(text: str, name: str, span_bytes: int | None) -> Found:
    """The streams of a configuration."""
    lines = Lines(text, name)
    found = Found()
    place, version = lines.next("a version such as `Version 1.1.0`")
    if not version.startswith("Version"):
        raise place.fault("a version such as `Version 1.1.0`", version)
    specs: dict[str, Spec] = {}
    workers: list[Worker] = []
    while lines.at < len(lines.rows):
        place, line = lines.next("a section")
        heading = line.lower()
        if heading.startswith("'test setup"):
            _setup(lines, found)
        elif heading.startswith("'results display"):
            all(lines.until("end results display"))
        elif heading.startswith("'access specifications"):
            specs = _specs(lines)
        elif heading.startswith("'manager list"):
            workers = _managers(lines)
        elif not heading.startswith("version"):
            raise place.fault("a section such as `'ACCESS SPECIFICATIONS`", line)
    _streams(found, specs, workers or _alone(found, specs, lines), span_bytes)
    return found


def _setup(lines: Lines, found: Found) -> None:
    for _, _, heading in lines.until("END test setup"):
        if heading.startswith("'run time"):
            place, value = lines.value("hours, minutes and seconds")
            words = value.split()
            if len(words) != 3:
                raise place.fault("hours, minutes and seconds", value)
            hours, minutes, seconds = (place.number(word, "a run time", 0, 10**6) for word in words)
            found.duration_s = float(3600 * hours + 60 * minutes + seconds) or None
        if heading.startswith("'test type"):
            place, value = lines.value("a test type")
            if value.upper() != "NORMAL":
                raise place.unsupported(
                    f"a test of type `{value}`", "a model is one load: import a NORMAL test"
                )


def _specs(lines: Lines) -> dict[str, Spec]:
    specs: dict[str, Spec] = {}
    for place, line, heading in lines.until("END access specifications"):
        if not heading.startswith("'access specification name"):
            raise place.fault("`'Access specification name,default assignment`", line)
        named, value = lines.value("a name and a default assignment")
        columns_place, columns = lines.next("a heading of the columns")
        if not columns.startswith("'"):
            raise columns_place.fault("a heading of the columns", columns)
        spec = _spec(value.rpartition(",")[0].strip() or value, named, lines.data())
        specs[spec.name] = spec
    return specs


def _spec(name: str, place: Place, lines: list[Line]) -> Spec:
    rows = []
    for at, line in lines:
        words = line.split(",")
        if len(words) != 8:
            raise at.fault("size,% of size,% reads,% random,delay,burst,align,reply", line)
        rows.append([at.number(word, "a value", *limit) for word, limit in zip(words, LIMITS, strict=True)])
        if rows[-1][0] % SECTOR:
            raise at.fault("a size that is a multiple of 512 B", words[0])
        if rows[-1][7]:
            raise at.unsupported("a reply to each request")
        if rows[-1][2:7] != rows[0][2:7]:
            raise at.unsupported(
                f"specification `{name}`: lines that differ in more than size",
                "give each kind of request a worker and a specification of its own",
            )
    if sum(row[1] for row in rows) != 100:
        raise place.fault("shares of sizes that sum to 100 %", f"{sum(row[1] for row in rows)} %")
    reads, random, delay, burst, align = rows[0][2:7]
    if align % SECTOR:
        raise lines[0][0].fault("an alignment that is a multiple of 512 B", str(align))
    sizes = tuple((row[0], row[1]) for row in rows if row[1])
    return Spec(name, place, sizes, reads, random, delay, burst, align or SECTOR)


def _managers(lines: Lines) -> list[Worker]:
    workers: list[Worker] = []
    for place, line, heading in lines.until("END manager list"):
        if heading == "'worker":
            named, name = lines.value("a name of the worker")
            workers.append(_worker(lines, Worker(name, named)))
        elif heading.startswith(("'manager id", "'manager network address")):
            lines.data()
        elif not heading.startswith("'end manager"):
            raise place.fault("`'Worker` or `'End manager`", line)
    return workers


def _worker(lines: Lines, worker: Worker) -> Worker:
    while True:
        place, line = lines.next("`'End worker`")
        heading = line.lower()
        if heading == "'end worker":
            return worker
        if heading.startswith(("'worker type", "'number of outstanding ios", "'disk maximum size")):
            _setting(heading, *lines.value("a value"), worker)
        elif heading.startswith("'assigned access specs"):
            worker.specs = lines.data()
        elif heading == "'target":
            worker.targets.append(lines.value("a target")[1])
        elif not heading.startswith(KNOWN):
            raise place.fault("a setting of the worker or `'End worker`", line)
        else:
            lines.data()


def _setting(heading: str, place: Place, value: str, worker: Worker) -> None:
    words = value.split(",")
    if heading.startswith("'worker type"):
        if value.upper() != "DISK":
            raise place.unsupported(f"a worker of type `{value}`")
    elif heading.startswith("'number of outstanding ios"):
        worker.outstanding = place.number(words[0], "outstanding requests", 1, 65_536)
    elif len(words) < 2:
        raise place.fault("a maximum size and a starting sector", value)
    else:
        worker.sectors, worker.start = (place.number(word, "sectors", 0, 1 << 50) for word in words[:2])


KNOWN = (
    "'default target settings", "'end default target settings", "'end assigned access specs", "'target assignments",
    "'end target", "'target type",
)  # fmt: skip
"""Lines of a worker that need no more reading."""


def _alone(found: Found, specs: dict[str, Spec], lines: Lines) -> list[Worker]:
    """A file of one specification, without workers."""
    if len(specs) != 1:
        raise lines.end.fault(
            "workers, or one access specification", f"{len(specs)} specifications without workers"
        )
    name, spec = next(iter(specs.items()))
    found.note("the file has no workers: one outstanding request on the whole disk is assumed")
    return [Worker(name, spec.place, specs=[(spec.place, name)])]


def _streams(found: Found, specs: dict[str, Spec], workers: list[Worker], span_bytes: int | None) -> None:
    together: dict[tuple[object, ...], list[Worker]] = {}
    for number, worker in enumerate(workers):
        if len(worker.specs) != 1:
            expected = f"one access specification assigned to worker `{worker.name}`"
            raise worker.place.fault(expected, str(len(worker.specs)), "several run one after another")
        place, name = worker.specs[0]
        if name not in specs:
            raise place.fault(f"one of the specifications {', '.join(specs) or '(none)'}", name)
        if len(worker.targets) > 1:
            raise worker.place.unsupported(f"worker `{worker.name}` on several targets")
        alike = number if specs[name].random < 100 else -1
        key = (name, alike, worker.outstanding, worker.sectors, worker.start, *worker.targets)
        together.setdefault(key, []).append(worker)
    names = [same[0].specs[0][1] for same in together.values()]
    for same, name in zip(together.values(), names, strict=True):
        called = name if names.count(name) == 1 else same[0].name
        _stream(found, called, specs[name], same, span_bytes)


def _stream(found: Found, name: str, spec: Spec, workers: list[Worker], span_bytes: int | None) -> None:
    worker, count = workers[0], len(workers)
    start = worker.start * SECTOR
    end = start + worker.sectors * SECTOR if worker.sectors else span_bytes or 0
    if end <= start:
        raise worker.place.fault("a maximum size", "0, the whole disk", "give the disk's size with `--span`")
    sizes = [Size(bytes=size, share=percent / 100) for size, percent in spec.sizes]
    mean_bytes = sum(size.bytes * size.share for size in sizes)
    address: Random | Sequential = Random()
    if spec.random < 100:
        runs = geometric_runs(100 / spec.random, mean_bytes) if spec.random else None
        address = Sequential(run_bytes=runs)
    stream = Stream(
        name=name, read=spec.reads / 100, sizes=sizes, align_bytes=spec.align, address=address,
        arrivals=_arrivals(found, spec, worker, count),
    )  # fmt: skip
    target = worker.targets[0] if worker.targets else "disk"
    found.add(stream, target, [(start, end, 1.0)], max(end, span_bytes or 0))


def _arrivals(found: Found, spec: Spec, worker: Worker, count: int) -> Closed | Open:
    if spec.delay == 0:
        return Closed(iodepth=min(65_536, worker.outstanding * count))
    if worker.outstanding == 1 and spec.burst == 1:
        return Closed(iodepth=count, think_s=spec.delay / 1000)
    if worker.outstanding < spec.burst:
        raise spec.place.unsupported(f"specification `{spec.name}`: bursts beyond the outstanding requests")
    found.note(
        f"specification `{spec.name}`: bursts with a delay are taken as a rate, whatever the disk does"
    )
    batch = Batch(requests=float(spec.burst), spacing_s=0.0) if spec.burst > 1 else None
    return Open(rate_iops=1000 * spec.burst * count / spec.delay, batch=batch, gaps=1.0)
