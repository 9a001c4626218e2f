"""Small block traces, written by the tests themselves."""

import random
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

RECORD = struct.Struct("<IIQQIIIIIHH")
"""`struct blk_io_trace` of linux/blktrace_api.h, little-endian, 48 bytes."""

MAGIC = 0x6561_7407
QUEUE, ISSUE, COMPLETE = 1, 7, 8
READ, WRITE = 1 << 16, 1 << 17
GIB = 1 << 30


@dataclass(frozen=True)
class Io:
    """One request, queued at `time_us`, sent at once and done 200 µs later."""

    time_us: int
    op: int
    offset: int
    size: int


def blktrace(requests: Iterable[Io]) -> bytes:
    """The requests as a blktrace file of one CPU."""
    events = [
        (1000 * (request.time_us + delay), kind, request)
        for request in requests
        for kind, delay in ((QUEUE, 0), (ISSUE, 1), (COMPLETE, 201))
    ]
    return b"".join(
        record(number, time, request.offset // 512, request.size, request.op | kind)
        for number, (time, kind, request) in enumerate(sorted(events, key=lambda event: event[0]), start=1)
    )


def record(number: int, time_ns: int, sector: int, size: int, action: int) -> bytes:
    """One event."""
    return RECORD.pack(MAGIC, number, time_ns, sector, size, action, 42, 8 << 20, 0, 0, 0)


def mixed(count: int = 400, read: float = 0.7, span: int = GIB, seed: int = 7) -> list[Io]:
    """Random 4 KiB requests over `span` bytes, one each 5 ms."""
    draw = random.Random(seed)
    return [
        Io(
            5000 * index,
            READ if draw.random() < read else WRITE,
            draw.randrange(span // 4096) * 4096,
            4096,
        )
        for index in range(count)
    ]


def write(folder: Path, requests: Iterable[Io], name: str = "small.blktrace") -> Path:
    """The requests as a file in `folder`."""
    path = folder / name
    path.write_bytes(blktrace(requests))
    return path
