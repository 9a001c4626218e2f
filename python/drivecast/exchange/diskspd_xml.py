"""DiskSpd XML profiles, read: the targets of one time span become the streams of a model.

Refused, with file and line: several time spans (they run one after another), threads that are shared between targets
(`ThreadCount`), sequential threads side by side, strides other than the size, memory-mapped and parallel
requests, and bursts but those of a user with a think time. A target's default is 64 KiB, two outstanding, sequential
reads. A rate is even and per thread. The size of a target is its `FileSize`; without one it is `--span`, and
`MaxFileSize` or the ranges of `Distribution` may.

Source: as for writing.
"""

from dataclasses import dataclass, field
from xml.parsers import expat

from drivecast.document.model import Closed, Open, Random, Sequential, Size, Stream
from drivecast.errors import InputError
from drivecast.exchange.layout import Found, Part, Place, geometric_runs

DEPTH_MAX = 16
ELEMENTS_MAX = 100_000
BLOCK_SIZE = 65_536
SHAPES = {
    "Path", "BlockSize", "StrideSize", "InterlockedSequential", "BaseFileOffset", "RequestCount", "Random", "BurstSize",
    "ThinkTime", "Throughput", "ThreadsPerFile", "FileSize", "MaxFileSize", "WriteRatio", "RandomRatio", "Distribution",
}  # fmt: skip
HARMLESS = {
    "SequentialScan", "RandomAccess", "TemporaryFile", "UseLargePages", "DisableAllCache", "DisableLocalCache",
    "DisableOSCache", "WriteThrough", "WriteBufferContent", "IOPriority", "Weight", "FlushType",
}  # fmt: skip
UNLESS_FALSE = {"MemoryMappedIo", "ParallelAsyncIO"}
SPAN_HARMLESS = {
    "Duration", "Warmup", "Cooldown", "RandSeed", "RandomWriteData", "GroupAffinity", "Affinity", "DisableAffinity",
    "CompletionRoutines", "MeasureLatency", "CalculateIopsStdDev", "IoBucketDuration", "Targets",
}  # fmt: skip
PROFILE = {
    "TimeSpans", "Verbose", "VerboseStats", "Progress", "ExperimentFlags", "ResultFormat", "ETW", "PrecreateFiles",
}  # fmt: skip


@dataclass
class Element:
    """An element with its line."""

    name: str
    place: Place
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> list["Element"]:
        """The children of a name."""
        return [child for child in self.children if child.name == name]

    def only(self, name: str) -> "Element | None":
        """The only child of a name."""
        found = self.all(name)
        if len(found) > 1:
            raise found[1].place.fault(f"one `{name}`", "another")
        return found[0] if found else None

    def whole(self, name: str, default: int, low: int = 0, high: int = (1 << 60)) -> int:
        """A number in a child."""
        child = self.only(name)
        return child.place.number(child.text, f"`{name}`", low, high) if child else default

    def flag(self, name: str) -> bool:
        """A boolean in a child."""
        child = self.only(name)
        word = child.text.strip() if child else "false"
        if child and word not in {"true", "false", "1", "0"}:
            raise child.place.fault(f"`{name}` as true or false", word)
        return word in {"true", "1"}

    def known(self, names: set[str]) -> None:
        """Refuse other children."""
        for child in self.children:
            if child.name not in names:
                raise child.place.unsupported(f"the element `{child.name}` in `{self.name}`")


def parse(text: str, name: str) -> Element:
    """The root of an XML text, with lines; a document type is refused, as entities can grow without bound."""
    parser = expat.ParserCreate()
    top = Element("", Place(name, 1), {})
    stack, count = [top], 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        place = Place(name, parser.CurrentLineNumber)
        if len(stack) > DEPTH_MAX or count > ELEMENTS_MAX:
            raise place.fault("a profile", "elements without end")
        stack.append(Element(tag.rpartition(":")[2], place, attributes))

    def end(_tag: str) -> None:
        done = stack.pop()
        stack[-1].children.append(done)

    def characters(data: str) -> None:
        stack[-1].text += data

    def doctype(*_: object) -> None:
        raise Place(name, parser.CurrentLineNumber).unsupported("a document type")

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = characters, doctype
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        what = expat.ErrorString(error.code)
        raise InputError(f"{name}:{error.lineno}: expected XML, found a fault: {what}") from None
    return top.children[0]


def read(text: str, name: str, span_bytes: int | None) -> Found:
    """The streams of a profile."""
    root = parse(text, name)
    if root.name != "Profile":
        raise root.place.fault("`<Profile>`", root.name)
    root.known(PROFILE)
    spans = [element for group in root.all("TimeSpans") for element in group.all("TimeSpan")]
    if len(spans) != 1:
        place = spans[1].place if spans else root.place
        raise place.fault(
            "one `TimeSpan`", str(len(spans)), "several run one after another: import one at a time"
        )
    span = spans[0]
    for shared in ("ThreadCount", "RequestCount"):
        child = span.only(shared)
        if child and child.text.strip() not in {"", "0"}:
            raise child.place.unsupported(f"`{shared}` of a time span: threads that targets share")
    span.known(SPAN_HARMLESS | {"ThreadCount", "RequestCount"})
    found = Found()
    found.duration_s = float(span.whole("Duration", 10)) or None
    targets = [element for group in span.all("Targets") for element in group.all("Target")]
    if not targets:
        raise span.place.fault("a `Target`", "none")
    for number, target in enumerate(targets, 1):
        _target(found, target, f"target-{number}", span_bytes)
    return found


def _target(found: Found, target: Element, name: str, span_bytes: int | None) -> None:
    target.known(SHAPES | HARMLESS | UNLESS_FALSE | {"ThreadStride"})
    if target.whole("ThreadStride", 0):
        raise target.place.unsupported("`ThreadStride`: threads that each begin elsewhere")
    for flag in sorted(UNLESS_FALSE):
        if target.flag(flag):
            raise target.place.unsupported(f"`{flag}`")
    path = target.only("Path")
    if path is None:
        raise target.place.fault("a `Path`", "none")
    size = target.whole("BlockSize", BLOCK_SIZE, 512, 1 << 30)
    if size % 512:
        raise target.place.fault("a `BlockSize` that is a multiple of 512 B", str(size))
    threads = target.whole("ThreadsPerFile", 1, 1, 65_536)
    address, align = _address(found, target, size, threads)
    start = target.whole("BaseFileOffset", 0)
    end = target.whole("MaxFileSize", 0) or target.whole("FileSize", 0) or span_bytes or 0
    if end < start + size:
        hint = "give the target's size with `--span`"
        raise target.place.fault("a `FileSize` or `MaxFileSize` with room for a request", f"{end} B", hint)
    parts = _zones(target, start, end) if not isinstance(address, Sequential) or address.run_bytes else []
    stream = Stream(
        name=name, read=1 - target.whole("WriteRatio", 0, 0, 100) / 100, sizes=[Size(bytes=size, share=1.0)],
        align_bytes=align, address=address, arrivals=_arrivals(found, target, size, threads),
    )  # fmt: skip
    size_bytes = max(target.whole("FileSize", 0) or span_bytes or 0, end)
    found.add(stream, path.text.strip(), parts or [(start, end, 1.0)], size_bytes)


def _address(found: Found, target: Element, size: int, threads: int) -> tuple[Random | Sequential, int]:
    """The pattern and its alignment."""
    chance = target.whole("RandomRatio", 0, 1, 99)
    if target.only("Random") is None and not chance:
        stride = target.whole("StrideSize", size)
        if stride not in {0, size}:
            raise target.place.unsupported(f"a stride of {stride} B between requests of {size} B")
        if threads > 1 and not target.flag("InterlockedSequential"):
            raise target.place.unsupported(
                f"{threads} sequential threads", "`InterlockedSequential` makes them one"
            )
        return Sequential(), size
    align = target.whole("Random", size, 0, 1 << 31) or size
    if align % 512:
        raise target.place.fault("an alignment that is a multiple of 512 B", str(align))
    if not chance:
        return Random(), align
    if threads > 1:
        found.note(f"runs of {threads} threads are taken as one sequence")
    return Sequential(run_bytes=geometric_runs(100 / chance, size)), align


def _zones(target: Element, start: int, end: int) -> list[Part]:
    """Ranges one after another; what is left of requests goes to what is left of the target."""
    holder = target.only("Distribution")
    if holder is None:
        return []
    kinds = [kind for kind in holder.children if kind.name in {"Absolute", "Percent"}]
    if len(kinds) != 1:
        raise holder.place.fault("`Absolute` or `Percent`", str(len(kinds)))
    zones, at, left = [], start, 100
    for entry in kinds[0].all("Range"):
        percent = entry.place.number(entry.attributes.get("IO", ""), "an `IO` percentage", 0, left)
        size = entry.place.number(entry.text, "a range", 0)
        size = (end - start) * size // 100 if kinds[0].name == "Percent" else size or end - at
        if size == 0 or at + size > end:
            raise entry.place.fault(f"ranges within {end - start} B", entry.text.strip())
        zones.append((at, at + size, percent / 100))
        at, left = at + size, left - percent
    if left and at >= end:
        raise holder.place.fault("requests that sum to 100 % over the target", f"{100 - left} %")
    if left:
        zones.append((at, end, left / 100))
    return [zone for zone in zones if zone[2] > 0]


def _arrivals(found: Found, target: Element, size: int, threads: int) -> Closed | Open:
    outstanding = target.whole("RequestCount", 2, 1, 65_536)
    think, burst = target.whole("ThinkTime", 0, 0, 10**9), target.whole("BurstSize", 0, 0, 10**9)
    rate = target.only("Throughput")
    limit = rate.place.number(rate.text, "`Throughput`", 0, 10**9) if rate else 0
    if rate and limit:
        if think:
            raise rate.place.unsupported("a think time next to a rate")
        iops = limit if rate.attributes.get("unit") == "IOPS" else limit * 1000 / size
        found.note_cap("DiskSpd")
        return Open(rate_iops=min(1e9, iops * threads), gaps=1.0)
    if bool(think) != bool(burst):
        raise target.place.fault("`BurstSize` and `ThinkTime` together", "one of them")
    if think and (outstanding != 1 or burst != threads):
        raise target.place.unsupported(
            "bursts", "a user with a think time has one request outstanding a thread"
        )
    return Closed(iodepth=min(65_536, outstanding * threads), think_s=think / 1000)
