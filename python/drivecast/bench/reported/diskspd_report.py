"""DiskSpd's results, as text or as XML (`-Rxml`); latencies with `-L`.

A time span is a point. Of text, `Read IO` and `Write IO` end in a line `total:` with bytes and I/Os, and quantiles are
in the table below `%-ile`; of XML the same are counts of each thread's targets, and buckets. Times are in ms.
"""

import re
from collections.abc import Iterator

from drivecast.bench.reported.lines import needed, point
from drivecast.document.result import Point
from drivecast.exchange.diskspd_xml import Element, parse

_OF_TEXT = {"50th": "q0.5", "90th": "q0.9", "95th": "q0.95", "99th": "q0.99", "3-nines": "q0.999", "4-nines": "q0.9999",
            "5-nines": "q0.99999", "max": "max"}  # fmt: skip
_OF_XML = {
    50.0: "q0.5",
    90.0: "q0.9",
    95.0: "q0.95",
    99.0: "q0.99",
    99.9: "q0.999",
    99.99: "q0.9999",
    100.0: "max",
}


def points(text: str) -> Iterator[Point]:
    """A point a time span."""
    yield from _xml(text) if "<Results>" in text[:4096] else _text(text)


def _text(text: str) -> Iterator[Point]:
    for at, span in enumerate(re.split(r"^Results for timespan.*$", text, flags=re.MULTILINE)[1:], 1):
        seconds = needed(span, r"^actual test time:\s+([\d.]+)", "`actual test time`")
        ios, moved, latency = {}, {}, {}
        for op, place in (("read", 1), ("write", 2)):
            total = re.search(rf"(?ims)^{op} IO\n.*?^total:\s+(\d+) \|\s+(\d+) \|([^\n]*)\n", span)
            if total is None:
                raise ValueError(f"expected a total below `{op.capitalize()} IO`, found none")
            moved[op], ios[op] = float(total[1]), float(total[2])
            cells = [cell.strip() for cell in total[3].split("|")]
            latency[op] = {"mean": float(cells[2]) * 1e6} if len(cells) > 2 and ios[op] else {}
            for row in re.findall(r"^\s*(\S+) \|\s*([\d.]+|N/A) \|\s*([\d.]+|N/A) \|", span, re.MULTILINE):
                if row[0] in _OF_TEXT and row[place] != "N/A":
                    latency[op][_OF_TEXT[row[0]]] = float(row[place]) * 1e6
        yield point(seconds, ios, moved, latency, {"span": at})


def _xml(text: str) -> Iterator[Point]:
    for at, span in enumerate(parse(text, "the result").all("TimeSpan"), 1):
        seconds = _number(span, "TestTimeSeconds")
        of = [found for thread in span.all("Thread") for found in thread.all("Target")]
        ios = {op.lower(): sum(_number(file, f"{op}Count") for file in of) for op in ("Read", "Write")}
        moved = {op.lower(): sum(_number(file, f"{op}Bytes") for file in of) for op in ("Read", "Write")}
        latency: dict[str, dict[str, float]] = {"read": {}, "write": {}}
        for times in span.all("Latency"):
            for op in ("Read", "Write"):
                if mean := times.only(f"Average{op}Milliseconds"):
                    latency[op.lower()]["mean"] = float(mean.text) * 1e6
                for bucket in times.all("Bucket"):
                    name, value = _OF_XML.get(_number(bucket, "Percentile")), bucket.only(f"{op}Milliseconds")
                    if name and value:
                        latency[op.lower()][name] = float(value.text) * 1e6
        yield point(seconds, ios, moved, latency, {"span": at})


def _number(element: Element, name: str) -> float:
    child = element.only(name)
    if child is None:
        raise ValueError(f"line {element.place.line}: expected `{name}` in `{element.name}`, found none")
    return float(child.text)
