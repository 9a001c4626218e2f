"""An attached design as text: the screen of a second, the line of a log, and the verdict on lateness."""

from pathlib import Path

import pytest

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


def test_the_screen_has_rates_of_a_second_and_what_has_failed() -> None:
    shown = attached_text.screen("raid10(4 * x)", SECOND).plain
    words = [line.split() for line in shown.splitlines()]
    assert ["read", "2,000", "8.19", "0.081", "0.24", "1.2", "0.0090"] in words
    assert ["write", "1,000", "4.1", "0.021", "0.033", "0.090", "0.031"] in words
    assert not [line for line in words if line[0] == "flush"]
    for part in (
        "1 %, p50 0 µs, p99 21 µs",
        "5 GB (0.012 % of the rated writes)",
        "members 1, 3; rebuilt 25 %",
    ):
        assert part in shown


def test_a_line_has_the_same_figures() -> None:
    line = attached_text.line(SECOND)
    assert line.startswith("61 s: read 2,000 IOPS, p50/p99 0.081/0.24 ms; write 1,000 IOPS")
    assert "members 1, 3; rebuilt 25 %" in line
    assert "\n" not in line
    idle = attached_text.line(Snapshot(at_s=10.0, elapsed_s=1.0))
    assert idle == "10 s: depth 0; 0 B written"


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (Event(at_s=60.0, what="fail", member=3), "at 60 s member 3 failed"),
        (Event(at_s=90.0, what="rebuild", bytes_per_s=2e8), "at 90 s a rebuild began, at 200 MB/s"),
        (Event(at_s=30.0, what="slow", member=2, factor=10), "at 30 s member 2 became 10 times as slow"),
        (
            Event(at_s=9.0, what="cut", bytes_lost=123_000),
            "at 9 s the power was cut: 123 kB that had not been flushed was lost",
        ),
        (
            Event(at_s=9.0, what="fail", member=1, refused="it has failed"),
            "at 9 s `--fail` was refused: it has failed",
        ),
    ],
)
def test_events_are_sentences(event: Event, words: str) -> None:
    assert attached_text.event(event) == words


@pytest.mark.parametrize(
    ("late_for", "words"),
    [
        (
            [],
            "served on time: the p99 of the lateness over that of the latency is 2 % for reads and 30 % for flushes",
        ),
        (["flush"], "NOT served on time for flushes: the p99 of the lateness over"),
        (["read", "flush"], "NOT served on time: the p99 of the lateness over"),
    ],
)
def test_the_verdict_says_whether_it_was_on_time(late_for: list[str], words: str) -> None:
    late = LATE.model_copy(
        update={"share_of_read_p99": 0.02, "share_of_flush_p99": 0.3, "late_for": late_for}
    )
    found = Attachment(
        front="nbd", size_bytes=1 << 30, data="memory", rated_writes_used=0.01, fault="too many failed"
    )
    text = attached_text.run(Outcome(design="x", iops=5.0, lateness=late, attached=found)).plain
    plain = " ".join(text.split())
    assert f" {words}" in plain
    assert ("of this machine and not of the design" in plain) == bool(late_for)
    rows = [line.split() for line in text.splitlines()]
    tail = ["50", "µs", "2", "ms"]
    assert ["all", "1,000", "30", "3", "%", "0", "µs", "9", "µs", *tail] in rows
    assert ["reads", "900", "2", "0.22", "%", "0", "µs", "2", "µs", *tail] in rows
    assert ["flushes", "100", "28", "28", "%", "0", "µs", "90", "µs", *tail] in rows
    assert "all I/O with EIO from then on: too many failed" in text
    assert "used 1 % of the rated writes" in text


def test_fio_is_shown_the_whole_address() -> None:
    lines = attached_text.connect("nbd+unix:///?socket=/run/x/nbd.sock", None, None)
    assert all("nbd+unix:///?socket=/run/x/nbd.sock" in line for line in lines)
    guest = attached_text.connect(None, None, None, Path("/run/x/guest"))
    assert [line.split(":")[0] for line in guest] == ["QEMU", "Cloud Hypervisor"]
    assert all("/run/x/guest" in line for line in guest)
    assert attached_text.connect(None, "/dev/loop3", None) == ["block device /dev/loop3"]
    assert attached_text.connect(None, "/dev/loop3", "/mnt/a") == ["mounted at /mnt/a"]


def test_a_full_store_is_said() -> None:
    full = SECOND.model_copy(update={"refused_full": 1200})
    assert "ENOSPC for 1,200 writes" in attached_text.line(full)
    assert "ENOSPC for 1,200 writes" in attached_text.screen("x", full).plain
    assert "full" not in attached_text.line(SECOND)
    ended = Outcome(iops=1, attached=Attachment(front="nbd", size_bytes=1, data="memory", refused_full=1200))
    shown = " ".join(attached_text.run(ended).plain.split())
    assert "1,200 writes were refused with ENOSPC: the memory for the data was full" in shown


def test_a_run_of_one_kind_has_one_row_and_an_older_one_says_nothing_by_kind() -> None:
    reads = LATE.model_copy(update={"flush": None, "share_of_read_p99": 0.02})
    old = Lateness.model_validate({**late(1000, 30, 9000), "transport_ns": 7100, "share_of_write_p99": 0.1})
    for found in (reads, old):
        shown = attached_text.run(Outcome(design="x", iops=1, lateness=found)).plain
        assert [line.split()[0] for line in shown.splitlines() if "2 ms" in line] == ["all"]
        assert "served on time" in shown
