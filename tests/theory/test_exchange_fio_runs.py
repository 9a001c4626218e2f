"""What fio does with an exported job is what the model says: measured by fio's own log of requests.

Shares (sizes, reads, zones, requests that follow the one before) are held to five standard deviations of a binomial
draw, counts of an open loop to five of a Poisson one, and their dispersion (variance over mean of counts in windows) to
what separates Poisson (1) from even gaps (0). A wrong job is detected: one test changes a job and expects to find the
change.
"""

import json
import math
import os
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from drivecast.document.model import Append, Closed, Model, Open, Random, Sequential, Size, Stream, Zone
from drivecast.exchange import TOOLS
from needs import lacks, needs

MIB = 1 << 20
NORMAL_OF_MEDIAN = 1.4826
"""Standard deviations of a normal distribution in its median deviation."""
SPAN = 64 * MIB
SECONDS = 4
ZONES = [Zone(from_=0.25, to=0.375, share=0.8), Zone(from_=0.5, to=0.75, share=0.2)]
SIZES = [Size(bytes=4096, share=0.7), Size(bytes=16384, share=0.25), Size(bytes=65536, share=0.05)]
ONE = [Size(bytes=8192, share=1.0)]

MODEL = Model(
    name="every kind of stream",
    span_bytes=SPAN,
    duration_s=float(SECONDS),
    streams=[
        Stream(
            name="zoned", read=0.7, sizes=SIZES, address=Random(zones=ZONES), arrivals=Open(rate_iops=300)
        ),
        Stream(name="even", read=1.0, sizes=ONE, address=Random(), arrivals=Open(rate_iops=300, gaps=1.0)),
        Stream(
            name="zipf",
            read=1.0,
            sizes=ONE,
            address=Random(law="zipf", exponent=1.2),
            arrivals=Open(rate_iops=500),
        ),
        Stream(
            name="log",
            sizes=ONE,
            address=Append(from_=0.9, to=0.91),
            arrivals=Closed(iodepth=1, think_s=0.002),
        ),
        Stream(name="users", read=1.0, sizes=ONE, address=Random(), arrivals=Closed(iodepth=3, think_s=0.01)),
        Stream(
            name="runs",
            read=1.0,
            sizes=ONE,
            address=Sequential(run_bytes=16 * 8192.0),
            arrivals=Open(rate_iops=400),
        ),
        Stream(
            name="geometric",
            read=1.0,
            sizes=ONE,
            address=Sequential(run_bytes=[(0.5, 4 * 8192.0), (1.0, 16 * 8192.0)]),
            arrivals=Open(rate_iops=400),
        ),
    ],
)


@dataclass
class Request:
    """A line of fio's log."""

    second: float
    read: bool
    offset: int
    size: int


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file to work on, where requests past the page cache are possible."""
    needs("fio")
    folder = tmp_path_factory.mktemp("fio")
    with (folder / "data").open("wb") as file:
        file.truncate(SPAN)
    try:
        os.close(os.open(folder / "data", os.O_RDWR | os.O_DIRECT))
    except OSError:
        lacks("direct I/O")
    return folder


def played(place: Path, text: str) -> tuple[dict[str, list[Request]], list[dict[str, object]]]:
    """The requests of each job by fio's log, and fio's report."""
    lines = []
    for line in text.splitlines():
        lines.append(line)
        if line.startswith("[") and line != "[global]":
            lines.append(f"write_iolog={place / line[1:-1]}.log")
    for old in place.glob("*.log"):
        old.unlink()
    (place / "job.fio").write_text("\n".join(lines) + "\n")
    command = ["fio", "--output-format=json", "--output=report.json", "job.fio"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    report = (place / "report.json").read_text()
    logs = {log.stem: requests(log) for log in place.glob("*.log")}
    return logs, json.loads(report[report.index("{") :])["jobs"]


def requests(log: Path) -> list[Request]:
    """The reads and writes of a log; its clock is microseconds, in some versions milliseconds."""
    rows = [line.split() for line in log.read_text().splitlines()[1:]]
    rows = [row for row in rows if len(row) == 5 and row[2] in {"read", "write"}]
    unit = 1e-6 if int(rows[-1][0]) > 100_000 else 1e-3
    return [Request(int(row[0]) * unit, row[2] == "read", int(row[3]), int(row[4])) for row in rows]


def off(what: str, hits: int, count: int, share: float) -> list[str]:
    """Whether a share is more than five standard deviations away."""
    limit = 5 * math.sqrt(max(share * (1 - share), 1 / count) / count)
    return [] if abs(hits / count - share) <= limit else [f"{what}: {hits / count:.3f}, expected {share:.3f}"]


def disagreements(stream: Stream, made: list[Request]) -> list[str]:
    """What a stream's requests have other than the model."""
    count, found = len(made), []
    found += off("reads", sum(request.read for request in made), count, stream.read)
    for size in stream.sizes:
        found += off(
            f"size {size.bytes}", sum(request.size == size.bytes for request in made), count, size.share
        )
    for zone in stream.zones:
        start, end = zone.from_ * SPAN, zone.to * SPAN
        inside = sum(
            start <= request.offset and request.offset + request.size <= end + 65536 for request in made
        )
        found += off(f"zone {zone.from_}", inside, count, zone.share)
    low, high = min(zone.from_ for zone in stream.zones), max(zone.to for zone in stream.zones)
    outside = [
        request.offset for request in made if not low * SPAN <= request.offset <= high * SPAN - request.size
    ]
    found += [f"offset {at} outside" for at in outside[:3]]
    found += [f"offset {request.offset}" for request in made if request.offset % stream.align_bytes]
    if isinstance(stream.arrivals, Open):
        expected = stream.arrivals.rate_iops * SECONDS
        if abs(count - expected) > 5 * math.sqrt(expected):
            found.append(f"{count} requests, expected {expected:.0f}")
    return found


@pytest.fixture(scope="module")
def run(place: Path) -> tuple[dict[str, list[Request]], list[dict[str, object]]]:
    """One run of all streams at once."""
    text, _ = TOOLS["fio"].export(MODEL, str(place / "data"))
    return played(place, text)


@pytest.mark.parametrize(
    "name", [stream.name for stream in MODEL.streams if isinstance(stream.arrivals, Open)]
)
def test_sizes_mix_places_and_rate(run: tuple[dict[str, list[Request]], object], name: str) -> None:
    stream = next(stream for stream in MODEL.streams if stream.name == name)
    assert disagreements(stream, run[0][name]) == []


def test_a_wrong_job_is_seen(place: Path) -> None:
    stream = MODEL.streams[0]
    text, _ = TOOLS["fio"].export(MODEL.model_copy(update={"streams": [stream]}), str(place / "data"))
    wrong = text.replace("4k/70:16k/25", "4k/55:16k/40").replace("zoned_abs:80/", "zoned_abs:60/")
    wrong = wrong.replace(":20/16m", ":40/16m").replace("rate_iops=210,90", "rate_iops=150,150")
    logs, _ = played(place, wrong)
    reported = " ".join(disagreements(stream, logs["zoned"]))
    assert all(word in reported for word in ("reads", "size 4096", "size 16384", "zone 0.25", "zone 0.5")), (
        reported
    )


def dispersion(made: list[Request], window_s: float) -> float:
    """Variance over mean of the counts in windows, by their median deviation: a stall changes few of them."""
    counts: dict[int, int] = defaultdict(int)
    first = made[0].second
    for request in made:
        counts[int((request.second - first) / window_s)] += 1
    windows = [counts[at] for at in range(1, int((made[-1].second - first) / window_s))]
    middle = median(windows)
    deviation = NORMAL_OF_MEDIAN * median(abs(count - middle) for count in windows)
    return float(deviation**2 / middle)


def test_arrivals_are_poisson_or_even(run: tuple[dict[str, list[Request]], object]) -> None:
    poisson, even = (dispersion(run[0][name], 0.1) for name in ("zoned", "even"))
    assert poisson > 0.25
    assert even < 0.5 * poisson


def test_zipf_popularity(run: tuple[dict[str, list[Request]], object]) -> None:
    """The ten most popular places take their share; the estimate from few draws is a little too large."""
    made, places = run[0]["zipf"], SPAN // 8192
    counts: dict[int, int] = defaultdict(int)
    for request in made:
        counts[request.offset] += 1
    top = sum(sorted(counts.values())[-10:]) / len(made)
    weights = [1 / rank**1.2 for rank in range(1, places + 1)]
    expected = sum(weights[:10]) / sum(weights)
    assert top == pytest.approx(expected, abs=0.06)


def test_a_log_is_written_in_order_and_wraps(run: tuple[dict[str, list[Request]], object]) -> None:
    made = run[0]["log"]
    start, end = round(0.9 * SPAN / 4096) * 4096, round(0.91 * SPAN / 4096) * 4096
    assert made[0].offset == start
    assert all(start <= request.offset and request.offset + request.size <= end for request in made)
    jumps = [two.offset for request, two in pairwise(made) if two.offset != request.offset + request.size]
    assert jumps
    assert all(at == start for at in jumps)
    assert not any(request.read for request in made)
    gaps = [two.second - request.second for request, two in pairwise(made)]
    assert min(gaps) >= 0.002 * 0.95


def test_users_think_alone(run: tuple[dict[str, list[Request]], list[dict[str, object]]]) -> None:
    logs, report = run
    users = [job for job in report if job["jobname"] == "users"]
    assert len(users) == 3
    assert all(job["iodepth_level"]["1"] == 100 for job in users)  # type: ignore[index]
    assert 0.3 * 3 * SECONDS / 0.01 <= len(logs["users"]) <= 3 * (SECONDS / 0.01 + 1)


def test_runs(run: tuple[dict[str, list[Request]], object]) -> None:
    """Runs of one length, and runs that end by chance with the mean of the model."""
    follow = {}
    for name in ("runs", "geometric"):
        made = run[0][name]
        follow[name] = (
            sum(two.offset == request.offset + request.size for request, two in pairwise(made)),
            len(made) - 1,
        )
    assert off("runs", *follow["runs"], 15 / 16) == []
    mean = MODEL.streams[-1].run_requests()
    assert mean is not None
    assert off("geometric", *follow["geometric"], 1 - round(100 / mean) / 100) == []


def test_depth(place: Path) -> None:
    stream = Stream(name="deep", read=1.0, sizes=ONE, address=Random(), arrivals=Closed(iodepth=16))
    text, _ = TOOLS["fio"].export(
        Model(name="m", span_bytes=SPAN, duration_s=1.0, streams=[stream]), str(place / "data")
    )
    logs, report = played(place, text)
    assert report[0]["iodepth_level"]["16"] > 99  # type: ignore[index]
    assert disagreements(stream, logs["deep"]) == []
