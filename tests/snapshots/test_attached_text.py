"""An attached design as text: the screen of a second, the line of a log, events, and the verdict on lateness.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

from collections.abc import Iterator
from pathlib import Path

from agreed import agreed
from drivecast.document.attached import Attachment, Event, Lateness, Snapshot
from drivecast.document.outcome import Outcome
from drivecast.present import attached_text


def late(requests: int, of_them: int, p99_ns: int) -> dict[str, int]:
    """The lateness of completions, on time in the median."""
    times = {"p50_ns": 0, "p99_ns": p99_ns, "p999_ns": 50_000, "max_ns": 2_000_000}
    return {"requests": requests, "late": of_them, **times}


SECOND = Snapshot.model_validate(
    {
        "at_s": 61.02,
        "elapsed_s": 2.0,
        "read": {
            "requests": 4000,
            "bytes": 16_384_000,
            "p50_ns": 81_000,
            "p99_ns": 240_000,
            "max_ns": 1_200_000,
        },
        "write": {"requests": 2000, "bytes": 8_192_000, "p50_ns": 21_000, "p99_ns": 33_000, "max_ns": 90_000},
        "in_flight": 8,
        "late": {
            **late(6000, 60, 21_000),
            "read": late(4000, 10, 9_000),
            "write": late(2000, 50, 31_000),
            "transport_ns": 7100,
        },
        "write_amplification": 1.72,
        "written_bytes": 5_000_000_000,
        "failed": [1, 3],
        "rebuilt_share": 0.25,
        "rated_writes_used": 0.000123,
    }
)
LATE = Lateness.model_validate(
    {
        **late(1000, 30, 9000),
        "read": late(900, 2, 2000),
        "flush": late(100, 28, 90_000),
        "transport_ns": 7100,
    }
)


EVENTS = (
    Event(at_s=60.0, what="fail", member=3),
    Event(at_s=90.0, what="rebuild", bytes_per_s=2e8),
    Event(at_s=30.0, what="slow", member=2, factor=10),
    Event(at_s=9.0, what="cut", bytes_lost=123_000),
    Event(at_s=9.0, what="fail", member=1, refused="it has failed"),
)


def texts() -> Iterator[str]:
    """While it is attached, then at its end: all on time or late for some, all kinds of requests or one, full."""
    idle = Snapshot(at_s=10.0, elapsed_s=1.0)
    for second in (SECOND, idle, SECOND.model_copy(update={"refused_full": 1200})):
        yield attached_text.screen("raid10(4 * x)", second).plain
        yield attached_text.line(second)
    yield from map(attached_text.event, EVENTS)
    shares = {"share_of_read_p99": 0.02, "share_of_flush_p99": 0.3}
    failed = Attachment(
        front="nbd", size_bytes=1 << 30, data="memory", rated_writes_used=0.01, fault="too many failed"
    )
    for late_for in ([], ["flush"], ["read", "flush"]):
        found = LATE.model_copy(update={**shares, "late_for": late_for})
        yield attached_text.run(Outcome(design="x", iops=5.0, lateness=found, attached=failed)).plain
    reads = LATE.model_copy(update={"flush": None, "share_of_read_p99": 0.02})
    old = Lateness.model_validate({**late(1000, 30, 9000), "transport_ns": 7100, "share_of_write_p99": 0.1})
    for found in (reads, old):
        yield attached_text.run(Outcome(design="x", iops=1, lateness=found)).plain
    full = Attachment(front="nbd", size_bytes=1, data="memory", refused_full=1200)
    yield attached_text.run(Outcome(iops=1, attached=full)).plain
    yield from attached_text.connect("nbd+unix:///?socket=/run/x/nbd.sock", None, None)
    yield from attached_text.connect(None, None, None, Path("/run/x/guest"))
    yield from attached_text.connect(None, "/dev/loop3", None)
    yield from attached_text.connect(None, "/dev/loop3", "/mnt/a")


def test_the_text_is_the_one_that_was_read() -> None:
    agreed("attached.txt", "\n\n".join(texts()) + "\n")
