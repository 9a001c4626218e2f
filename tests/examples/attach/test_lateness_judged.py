"""Whether what an application saw was the design: the p99 of the lateness against the p99 of each kind of request."""

import pytest

from drivecast.attach.attached import judged
from drivecast.document.attached import Lateness
from drivecast.document.outcome import Latency, Outcome, Stream


def outcome(read_ns: float | None, write_ns: float | None, late_ns: float) -> Outcome:
    read, write = (
        Stream() if p99 is None else Stream(requests=100, latency_ns=Latency(q99=p99))
        for p99 in (read_ns, write_ns)
    )
    late = Lateness(
        requests=200, late=1, p50_ns=0, p99_ns=late_ns, p999_ns=late_ns, max_ns=late_ns, transport_ns=7000
    )
    return Outcome(iops=1, read=read, write=write, lateness=late)


@pytest.mark.parametrize(
    ("read_ns", "write_ns", "late_ns", "speed", "late_for"),
    [
        (240_000, 100_000, 9_900, 1.0, []),
        (240_000, 100_000, 10_100, 1.0, ["write"]),
        (240_000, 100_000, 17_100, 1.0, ["read", "write"]),
        (240_000, None, 16_900, 1.0, []),
        (240_000, None, 16_900, 10.0, ["read"]),  # ten times as fast, by the clock its p99 is 24 µs
        (240_000, None, 100_000, 0.1, []),
        (None, None, 100_000, 1.0, []),
    ],
)
def test_five_percent_and_five_microseconds(
    read_ns: float | None, write_ns: float | None, late_ns: float, speed: float, late_for: list[str]
) -> None:
    found = judged(outcome(read_ns, write_ns, late_ns), speed)
    assert found is not None
    assert found.late_for == late_for
    assert found.on_time == (not late_for)
    expected = None if read_ns is None else pytest.approx(late_ns * speed / read_ns)
    assert found.share_of_read_p99 == expected
    assert (found.share_of_write_p99 is None) == (write_ns is None)


def test_a_run_that_was_not_attached_is_not_judged() -> None:
    assert judged(Outcome(iops=1), 1.0) is None
