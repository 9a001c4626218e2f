"""Requests, bytes, seconds and the share of reads that a user can add up by hand are those of the log, in every format.

Logs are made of a known truth, then disturbed as real ones are. What an interval cannot tell is left out on both sides.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast.document.profile import Profile
from drivecast.stage.trace import Reading, profile

LENGTH_S = 10
SECTORS_A_KIB = 2
WRAP = 2**32
FEW = settings(max_examples=25, deadline=None)


@dataclass(frozen=True)
class Moved:
    """What a disk did in an interval: reads, writes, and KiB of both."""

    reads: int
    writes: int
    read_kib: int
    written_kib: int

    @property
    def is_idle(self) -> bool:
        return not self.reads + self.writes


IDLE = Moved(0, 0, 0, 0)


@dataclass(frozen=True)
class Truth:
    """Intervals of two disks, of which `sda` is judged, and how the log of them is disturbed."""

    rows: list[Moved]
    other: list[Moved]
    begins: datetime
    is_there: list[bool]
    """Whether the other disk is there."""
    how: frozenset[str]

    def end(self, at: int) -> datetime:
        return self.begins + timedelta(seconds=LENGTH_S * (at + 1))

    def wall(self, at: int) -> datetime:
        """The clock of a place whose summer time ends on 2026-10-25 at 1 UTC, without a zone."""
        end = self.end(at)
        return end + timedelta(hours=2 if end < datetime(2026, 10, 25, 1, tzinfo=UTC) else 1)

    def disks(self, at: int) -> list[tuple[str, Moved]]:
        both = [("sda", self.rows[at])] + [("sdb", self.other[at])] * self.is_there[at]
        kept = [(name, moved) for name, moved in both if not ("idle left out" in self.how and moved.is_idle)]
        return kept[:: -1 if "order" in self.how and at % 2 else 1]


def moved() -> st.SearchStrategy[Moved]:
    busy = st.builds(
        lambda reads, writes, size: Moved(reads, writes, reads * size, writes * 2 * size),
        st.integers(0, 90),
        st.integers(1, 90),
        st.integers(1, 64),
    )
    return busy | busy | busy | st.just(IDLE)


BEGINS = {
    "day": datetime(2026, 11, 3, 10, tzinfo=UTC),
    "midnight": datetime(2026, 11, 3, 22, 59, 10, tzinfo=UTC),
    "summer time ends": datetime(2026, 10, 25, 0, 59, 10, tzinfo=UTC),
}


@st.composite
def truths(draw: st.DrawFn, *how: str) -> Truth:
    count = draw(st.integers(12, 20))
    several = st.lists(moved(), min_size=count, max_size=count)
    chosen = frozenset(draw(st.sets(st.sampled_from(how)))) if how else frozenset()
    rows, other = draw(several), draw(several)
    # The first and last are busy, so that each log has both ends of its time.
    rows[0] = rows[-1] = Moved(7, 11, 28, 88)
    changes = draw(st.integers(0, count)) if "disk comes" in chosen else 0
    if "idle left out" not in chosen:
        other[0] = IDLE
        changes = min(changes, 0)
    begins = BEGINS[draw(st.sampled_from([name for name in BEGINS if name == "day" or name in how]))]
    return Truth(rows, other, begins, [at >= changes for at in range(count)], chosen)


def judged(found: Profile, rows: list[Moved], *, near: float = 0.0, split: bool = True) -> None:
    reads, writes = sum(row.reads for row in rows), sum(row.writes for row in rows)
    slack = near * len(rows) + 1
    assert found.requests == pytest.approx(reads + writes, abs=2 * slack)
    assert found.bytes_read == pytest.approx(1024 * sum(row.read_kib for row in rows), abs=1024 * slack)
    assert found.bytes_written == pytest.approx(1024 * sum(row.written_kib for row in rows), abs=1024 * slack)
    assert found.duration_s == pytest.approx(LENGTH_S * len(rows), abs=0.5)
    if split and reads + writes:
        assert found.read_fraction == pytest.approx(
            reads / (reads + writes), abs=2 * slack / (reads + writes)
        )


def disturbed(parts: list[str], how: frozenset[str]) -> tuple[bytes, int]:
    """The text, and how many of its reports are whole."""
    whole = len(parts)
    text = "".join(parts)
    if "cut off" in how:
        text, whole = text.rstrip("\n")[:-3], whole - 1
    elif "twice" in how:
        text += "".join(parts[len(parts) // 2 :])
    if "CRLF" in how:
        text = text.replace("\n", "\r\n")
    return text.encode(), whole


def number(value: float, how: frozenset[str]) -> str:
    return f"{value:.2f}".replace(".", "," if "comma" in how else ".")


def iostat(truth: Truth) -> list[str]:
    def report(at: int) -> str:
        def row(name: str, of: Moved) -> str:
            values = (value / LENGTH_S for value in (of.reads, of.writes, of.read_kib, of.written_kib))
            return " ".join([name, *(number(value, truth.how) for value in values)]) + "\n"

        head = f"{truth.wall(at):%d.%m.%Y %H:%M:%S}\nDevice r/s w/s rkB/s wkB/s\n"
        return head + "".join(row(name, of) for name, of in truth.disks(at)) + "\n"

    boot = [
        f"{truth.wall(-1):%d.%m.%Y %H:%M:%S}\nDevice r/s w/s rkB/s wkB/s\nsda 991.17 3.41 888.37 7.77\n\n"
    ]
    return boot * ("since boot" in truth.how) + [report(at) for at in range(len(truth.rows))]


def sar(truth: Truth) -> list[str]:
    def report(at: int) -> str:
        def row(name: str, of: Moved) -> str:
            values = ((of.reads + of.writes) / LENGTH_S, of.read_kib / LENGTH_S, of.written_kib / LENGTH_S)
            columns = " ".join(number(value, truth.how) for value in values)
            return f"{truth.wall(at):%H:%M:%S} {name} {columns}\n"

        return "".join(row(name, of) for name, of in truth.disks(at))

    begins = truth.wall(-1)
    head = f"Linux 6.1 (h) \t{begins:%Y-%m-%d} \t_x86_64_\t(2 CPU)\n\n{begins:%H:%M:%S} DEV tps rkB/s wkB/s\n"
    reports = [report(at) for at in range(len(truth.rows))]
    return [head + reports[0], *reports[1:]]


def sadf(truth: Truth) -> list[str]:
    def row(at: int, name: str, of: Moved) -> str:
        values = ((of.reads + of.writes) / LENGTH_S, of.read_kib / LENGTH_S, of.written_kib / LENGTH_S)
        columns = ";".join(f"{value:.2f}" for value in values)
        return f"h;{LENGTH_S};{truth.wall(at):%Y-%m-%d %H:%M:%S};{name};{columns}\n"

    reports = ["".join(row(at, name, of) for name, of in truth.disks(at)) for at in range(len(truth.rows))]
    return ["# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s\n" + reports[0], *reports[1:]]


def read(folder: Path, data: bytes, name: str = "log.txt", **options: object) -> Profile:
    path = folder / name
    path.write_bytes(data)
    return profile([path], replace(Reading(disk="sda"), **options))  # type: ignore[arg-type]  # names of its fields


TEXTS: dict[str, tuple[Callable[[Truth], list[str]], tuple[str, ...], float, bool]] = {
    "iostat": (
        iostat,
        ("comma", "CRLF", "cut off", "twice", "idle left out", "order", "since boot", "disk comes", *BEGINS),
        0.06,
        True,
    ),
    "sar": (sar, ("comma", "CRLF", "twice", "order", *BEGINS), 0.12, False),
    "sadf": (sadf, ("CRLF", "twice", "order", *BEGINS), 0.12, False),
}


@pytest.mark.parametrize("form", TEXTS)
@given(data=st.data())
@FEW
def test_reports_of_rates(form: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    make, how, near, split = TEXTS[form]
    truth = data.draw(truths(*how))
    parts = make(truth)
    text, whole = disturbed(parts, truth.how)
    rows = truth.rows[: whole - ("since boot" in truth.how)]
    judged(read(tmp_path_factory.mktemp("log"), text), rows, near=near, split=split)


@given(truths("wraps", "starts anew", "swapped", "CRLF", "summer time ends"), st.booleans())
@FEW
def test_snapshots_of_totals(tmp_path_factory: pytest.TempPathFactory, truth: Truth, zoned: bool) -> None:
    totals, rows = [WRAP - 400 if "wraps" in truth.how else 0] * 4, list(truth.rows)
    anew = len(rows) // 2 if "starts anew" in truth.how else None
    parts = []
    for at in range(-1, len(rows)):
        if at >= 0:
            of = rows[at]
            grown = (of.reads, of.writes, of.read_kib * SECTORS_A_KIB, of.written_kib * SECTORS_A_KIB)
            totals = (
                [0] * 4
                if at == anew
                else [(was + more) % WRAP for was, more in zip(totals, grown, strict=True)]
            )
        wall = truth.wall(at)
        summer = wall - truth.end(at) == timedelta(hours=2)
        stamp = (
            f"{wall:%a %b %d %H:%M:%S} {'CEST' if summer else 'CET'} {wall:%Y}" if zoned else f"{wall:%F %T}"
        )
        r, w, rs, ws = totals
        parts.append(
            f"{stamp}\n 8 0 sda {r} 0 {rs} 0 {w} 0 {ws} 0 0 0 0\n 8 1 sda1 {r} 0 {rs} 0 {w} 0 {ws} 0 0 0 0\n"
        )
    if "swapped" in truth.how and anew is None and "wraps" not in truth.how:
        parts[2], parts[3] = parts[3], parts[2]
    if anew is not None:
        del rows[anew]
    text = "".join(parts).replace("\n", "\r\n" if "CRLF" in truth.how else "\n")
    found = read(tmp_path_factory.mktemp("log"), text.encode())
    judged(found, rows)


@given(truths("lacks", "starts anew"))
@FEW
def test_prometheus_and_cloudwatch(tmp_path_factory: pytest.TempPathFactory, truth: Truth) -> None:
    folder, rows = tmp_path_factory.mktemp("log"), list(truth.rows)
    anew = len(rows) // 2 if "starts anew" in truth.how else None
    names = ("reads_completed", "writes_completed", "read_bytes", "written_bytes")
    each = [(row.reads, row.writes, row.read_kib * 1024, row.written_kib * 1024) for row in rows]
    totals = [[9**9, 9**9, 9**12, 9**12]]
    for at, row in enumerate(each):
        totals.append([0] * 4 if at == anew else [a + b for a, b in zip(totals[-1], row, strict=True)])
    series = [
        {
            "metric": {"__name__": f"node_disk_{name}_total", "device": "sda"},
            "values": [
                [1_800_000_000 + LENGTH_S * at, str(row[column])]
                for at, row in enumerate(totals)
                # A scrape that lacks a metric: its two intervals become one.
                if not ("lacks" in truth.how and column == 1 and at == 2)
            ],
        }
        for column, name in enumerate(names)
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": series}}
    whole = [row for at, row in enumerate(rows) if at != anew]
    judged(read(folder, json.dumps(answer).encode(), "a.json"), whole)
    metrics = [
        {
            "Label": f"Volume{name}",
            "Timestamps": [
                f"{truth.begins + timedelta(seconds=60 * at):%FT%TZ}" for at in range(len(rows)) if keep(at)
            ],
            "Values": [float(each[at][column]) for at in range(len(rows)) if keep(at)],
        }
        for column, name in enumerate(("ReadOps", "WriteOps", "ReadBytes", "WriteBytes"))
        for keep in [lambda at, column=column: not ("lacks" in truth.how and column == 1 and at == 2)]
    ]
    found = read(folder, json.dumps({"MetricDataResults": metrics}).encode(), "b.json", disk=None)
    kept = [row for at, row in enumerate(rows) if not ("lacks" in truth.how and at == 2)]
    assert found.requests == sum(row.reads + row.writes for row in kept)
    assert found.duration_s == 60 * len(kept)


@given(truths("CRLF", "lacks", "twice"))
@FEW
def test_perfmon(tmp_path_factory: pytest.TempPathFactory, truth: Truth) -> None:
    names = ("Reads/sec", "Writes/sec", "Read Bytes/sec", "Write Bytes/sec")
    head = (
        '"(PDH-CSV 4.0) (UTC)(0)"'
        + "".join(f',"\\\\H\\PhysicalDisk(0 C:)\\Disk {name}"' for name in names)
        + "\n"
    )

    def line(at: int) -> str:
        row = truth.rows[at]
        values = [
            f"{v / LENGTH_S:.6f}"
            for v in (row.reads, row.writes, row.read_kib * 1024, row.written_kib * 1024)
        ]
        if "lacks" in truth.how and at == 3:
            values[1] = " "
        return f'"{truth.end(at):%m/%d/%Y %H:%M:%S}.000"' + "".join(f',"{value}"' for value in values) + "\n"

    lines = [line(at) for at in range(len(truth.rows))]
    text, _ = disturbed([head + lines[0], *lines[1:]], truth.how)
    rows = [row for at, row in enumerate(truth.rows) if not ("lacks" in truth.how and at == 3)]
    judged(read(tmp_path_factory.mktemp("log"), text, disk="C:"), rows)


@dataclass(frozen=True)
class Request:
    """One of a trace: microseconds since the start, which disk, and where."""

    at_us: int
    disk: int
    sector: int
    sectors: int
    reads: bool

    @property
    def word(self) -> str:
        return "Read" if self.reads else "Write"

    @property
    def letter(self) -> str:
        return self.word[0]

    @property
    def byte(self) -> int:
        return self.sector * 512

    @property
    def size(self) -> int:
        return self.sectors * 512


def _requests() -> st.SearchStrategy[list[Request]]:
    requests = st.builds(
        Request,
        st.integers(50, 9000),
        st.integers(0, 2),
        st.integers(0, 2**26),
        st.integers(1, 255),
        st.booleans(),
    )
    return st.lists(requests, min_size=40, max_size=60)


START_US = 1_600_000_000_000_000
"""Alibaba's times are dates."""
FILE_TIME = 128166372003061629
"""So are those of MSR, in 100 ns since 1601."""
TRACES: dict[str, tuple[str, Callable[[Request, int], str]]] = {
    "msr": ("", lambda r, us: f"{FILE_TIME + us * 10},hm,{r.disk},{r.word},{r.byte},{r.size},9"),
    "spc": ("", lambda r, us: f"{r.disk},{r.sector},{r.size},{r.letter},{us / 1e6:.6f}"),
    "alibaba": (
        "device_id,opcode,offset,length,timestamp\n",
        lambda r, us: f"{r.disk},{r.letter},{r.byte},{r.size},{START_US + us}",
    ),
    "systor": (
        "Timestamp,Response,IOType,LUN,Offset,Size\n",
        lambda r, us: f"{us / 1e6:.6f},0.000500,{r.letter},{r.disk},{r.byte},{r.size}",
    ),
    "mqsim": ("", lambda r, us: f"{us * 1000} {r.disk} {r.sector} {r.sectors} {int(r.reads)}"),
    "disksim": ("", lambda r, us: f"{us / 1000:.6f} {r.disk} {r.sector} {r.sectors} {int(r.reads)}"),
    "in bytes": (
        "",
        lambda r, us: f"{us / 1000:.6f} {r.disk} {r.byte + 2**40 << 12} {r.size} {int(r.reads)}",
    ),
    "biosnoop": (
        "TIME(s) COMM PID DISK T SECTOR BYTES LAT(ms)\n",
        lambda r, us: f"{us / 1e6:.6f} a {7 - r.disk} {r.disk} {r.letter} {r.sector} {r.size} 0.00",
    ),
    "fio-iolog": ("fio version 3 iolog\n", lambda r, us: f"{us} {r.disk} {r.word.lower()} {r.byte} {r.size}"),
}


@pytest.mark.parametrize("form", TRACES)
@given(requests=_requests(), how=st.sets(st.sampled_from(["CRLF", "cut off", "one disk"])))
@FEW
def test_traces(
    form: str, requests: list[Request], how: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    head, row = TRACES[form]
    lines, us = [], 0
    for request in requests:
        us += request.at_us
        lines.append(row(request, us) + "\n")
    text = head + "".join(lines)
    kept = requests
    if "cut off" in how:
        text, kept = text[: text.rindex(" " if "," not in lines[0] else ",")], requests[:-1]
    data = text.replace("\n", "\r\n" if "CRLF" in how else "\n").encode()
    disk = str(kept[0].disk) if "one disk" in how else None
    found = read(tmp_path_factory.mktemp("log"), data, disk=disk)
    kept = [request for request in kept if disk is None or str(request.disk) == disk]
    assert found.requests == len(kept)
    assert found.reads == sum(request.reads for request in kept)
    assert found.bytes_read == sum(512 * request.sectors for request in kept if request.reads)
    assert found.bytes_written == sum(512 * request.sectors for request in kept if not request.reads)
