"""How much of the wait for an attached design was this machine's: lateness, and what reads waited on their way."""

from pathlib import Path

import pytest

from drivecast.attach import run_counts
from drivecast.attach.run_counts import mean_read_ns, on_the_way, reads_of, waits
from drivecast.document.attached import Lateness, OfSecond, Snapshot


def late(mean_ns: float) -> Lateness:
    return Lateness(
        requests=400, late=1, mean_ns=mean_ns, p50_ns=0, p99_ns=0, p999_ns=0, max_ns=0, transport_ns=30_000
    )


SEEN = Snapshot(
    elapsed_s=1.0,
    read=OfSecond(requests=300, mean_ns=1e6),
    write=OfSecond(requests=80, mean_ns=1e6),
    flush=OfSecond(requests=20, mean_ns=1e6),
)


@pytest.mark.parametrize(
    ("late_ns", "speed", "kernel_read_ns", "share", "waited_s"),
    [
        (0.0, 1.0, None, 0.0, 0.4),
        (1e5, 1.0, None, 0.1, 0.4),
        (0.0, 1.0, 0.9e6, 0.0, 0.4),  # the kernel measures in whole milliseconds: never below none
        (0.0, 1.0, 2e6, 300 / 700, 0.7),  # 400 ms of the design, and 300 on the way
        (1e5, 0.1, None, 0.01, 4.0),  # by the clock, its waits are ten times as long
    ],
)
def test_lateness_and_the_way_are_this_machines(
    late_ns: float, speed: float, kernel_read_ns: float | None, share: float, waited_s: float
) -> None:
    assert waits(SEEN, late(late_ns), speed, kernel_read_ns) == pytest.approx((share, waited_s))


def test_who_asks_nothing_waits_for_nothing() -> None:
    assert waits(Snapshot(elapsed_s=1.0), late(0.0), 1.0, None) == (None, 0.0)


@pytest.mark.parametrize(
    ("kernel_read_ns", "way_ns", "late_for"),
    [(None, None, None), (1.05e6, 5e4, []), (1.06e6, 6e4, ["read"]), (0.9e6, 0.0, [])],
)
def test_reads_that_wait_on_their_way_are_not_on_time(
    kernel_read_ns: float | None, way_ns: float | None, late_for: list[str] | None
) -> None:
    found = on_the_way(late(0.0), 1e6, 1.0, kernel_read_ns)
    assert (found.way_read_ns, found.late_for) == (way_ns, late_for)
    assert found.on_time == (not late_for)


def test_few_reads_say_nothing_in_milliseconds() -> None:
    assert mean_read_ns((10, 5), (10, 5)) is None
    assert mean_read_ns((10, 5), (30, 24)) is None
    assert mean_read_ns((10, 5), (30, 25)) == 1e6


def test_the_kernel_counts_reads_and_their_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_counts, "_BLOCK", tmp_path)
    (tmp_path / "loop3").mkdir()
    (tmp_path / "loop3" / "stat").write_text("     100       20     3000      450       7 8 9 10 0 0 0\n")
    assert reads_of(Path("/dev/loop3")) == (100, 450)
    assert reads_of(Path("/dev/loop4")) == (0, 0), "gone meanwhile"
    assert reads_of(None) == (0, 0)
