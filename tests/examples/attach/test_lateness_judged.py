"""Whether what an application saw was the design: the p99 of each kind's lateness against the p99 of its latency."""

import pytest

from drivecast.attach.attached import judged
from drivecast.document.attached import KINDS, Kind, Late, Lateness
from drivecast.document.outcome import Latency, Outcome, Stream


def outcome(latencies_ns: dict[Kind, float], lateness_ns: dict[Kind, float]) -> Outcome:
    """A run with these p99, a kind; all requests together were as late as the latest kind."""
    streams = {op: Stream(requests=100, latency_ns=Latency(q99=p99)) for op, p99 in latencies_ns.items()}
    kinds = {op: late(100, p99).model_dump() for op, p99 in lateness_ns.items()}
    whole = late(300, max(lateness_ns.values())).model_dump()
    return Outcome(iops=1, lateness=Lateness(**whole, **kinds, transport_ns=7000), **streams)


def late(requests: int, p99_ns: float) -> Late:
    return Late(requests=requests, late=1, p50_ns=0, p99_ns=p99_ns, p999_ns=p99_ns, max_ns=p99_ns)


@pytest.mark.parametrize(
    ("read_ns", "write_ns", "late_ns", "speed", "late_for"),
    [
        (240_000, 100_000, 9_900, 1.0, []),
        (240_000, 100_000, 10_100, 1.0, ["write"]),
        (240_000, 100_000, 17_100, 1.0, ["read", "write"]),
        (240_000, None, 16_900, 10.0, ["read"]),  # ten times as fast, by the clock its p99 is 24 µs
        (240_000, None, 100_000, 0.1, []),
        (None, None, 100_000, 1.0, []),
    ],
)
def test_five_percent_and_five_microseconds(
    read_ns: float | None, write_ns: float | None, late_ns: float, speed: float, late_for: list[str]
) -> None:
    given: tuple[tuple[Kind, float | None], ...] = (("read", read_ns), ("write", write_ns))
    latencies = {op: p99 for op, p99 in given if p99 is not None}
    found = judged(outcome(latencies, dict.fromkeys(latencies or KINDS, late_ns)), speed)
    assert found.late_for == late_for
    assert found.on_time == (not late_for)
    expected = None if read_ns is None else pytest.approx(late_ns * speed / read_ns)
    assert found.share_of_read_p99 == expected
    assert (found.share_of_write_p99 is None) == (write_ns is None)


@pytest.mark.parametrize("op", KINDS)
def test_a_kind_is_judged_by_its_own_lateness_alone(op: Kind) -> None:
    found = judged(outcome(dict.fromkeys(KINDS, 1e6), dict.fromkeys(KINDS, 0.0) | {op: 9e5}), 1.0)
    assert found.late_for == [op]
    assert [found.share(kind) for kind in KINDS] == [0.9 if kind == op else 0.0 for kind in KINDS]
    assert found.p99_ns == 9e5, "of all kinds together"


def test_a_run_that_was_not_attached_is_not_judged() -> None:
    assert judged(Outcome(iops=1), 1.0) is None


def test_a_run_before_lateness_was_counted_by_kind_is_read() -> None:
    old = {
        **late(200, 9_000).model_dump(),
        "transport_ns": 7_000,
        "share_of_read_p99": 0.2,
        "late_for": ["read"],
    }
    found = Outcome.model_validate({"iops": 1, "lateness": old}).lateness
    assert (found.late_for, found.share("read"), found.share("flush")) == (["read"], 0.2, None)
    assert [found.of(kind) for kind in KINDS] == [None, None, None]
    assert found.model_dump(mode="json", by_alias=True) == old
