"""How little a plan simulates: each lever changes no verdict, and would be missed."""

import pytest

from bundled import CATALOG
from drivecast.document.outcome import Outcome
from drivecast.document.profile import Profile
from drivecast.plan import trial
from drivecast.plan.bound import most_times
from drivecast.plan.headroom import PRECISION
from drivecast.plan.load import Synthetic
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.design import Design

PROFILE = Profile(
    source="counters",
    extent_bytes=20e9,
    block_size_mean_bytes=8192,
    write_bytes_per_day=200e9,
    reads=9,
    writes=9,
)
PAIR = Design(CATALOG.get("samsung-pm9a3-960gb"), "raid1", 2)
PARITY_IOPS = 400_000
"""More than the one thread of software RAID that computes parity can do, whatever the drives."""


def _bench(
    rate_iops: float, p99_ns: int, duration_s: float = 0.2, capacity_bytes: int | None = None
) -> Bench:
    given = Given(
        years=5, p99_read_ns=p99_ns, p99_write_ns=p99_ns, headroom=1.0, capacity_bytes=capacity_bytes
    )
    load = Synthetic(CounterLoad(8192, 0.5, rate_iops, duration_s, None, ()))
    return Bench(CATALOG, derive(given, PROFILE), load, seed=0, trimmed=True)


def test_a_design_is_brought_to_steady_state_once_for_all_loads_and_flash_times() -> None:
    bench = _bench(5_000, 5_000_000)
    peak = bench.run(PAIR)
    bench.run(PAIR, 2.0)
    bench.run(PAIR, corner="slow")
    assert bench.holds(PAIR, 4.0)
    assert bench.kept.preconditioned == 1
    assert peak == _bench(5_000, 5_000_000).run(PAIR)


def test_a_load_holds_where_a_whole_run_misses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = _bench(5_000, 400_000)
    ended: list[Outcome | None] = []
    real = trial.simulate_within

    def seen(*arguments: object, **named: object) -> Outcome | None:
        ended.append(real(*arguments, **named))  # type: ignore[arg-type]
        return ended[-1]

    monkeypatch.setattr(trial, "simulate_within", seen)
    loads = (1.0, 8.0, 32.0, 64.0, 256.0)
    verdicts = [bench.holds(PAIR, load) for load in loads]
    assert verdicts == [bench.miss(bench.run(PAIR, load)) is None for load in loads]
    assert True in verdicts
    assert None in ended, "a run that can no longer meet its quantile was played to its end"


def test_a_first_look_decides_nothing_that_buffers_may_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = Design(CATALOG.get("solidigm-d5-p5336-15.36tb"), "raid1", 2)
    bench = _bench(24_000, 5_000_000, duration_s=60.0, capacity_bytes=10**13)
    assert bench.first_look(pair, 0.5) is not None
    assert bench.first_look(pair, 12.0) is None
    assert not bench.holds(pair, 12.0)
    monkeypatch.setattr(trial, "CLEAR_SHARE", 100.0)
    assert bench.first_look(pair, 12.0) is not None, "its p99 alone is far from the limits"


@pytest.mark.parametrize("carries", [1.0, 3.3, 11.0, 40.0, 1000.0])
def test_headroom_is_searched_from_a_bound_downwards(monkeypatch: pytest.MonkeyPatch, carries: float) -> None:
    bench = _bench(5_000, 5_000_000)
    tried: list[float] = []

    def holds(_bench: Bench, _design: Design, load: float) -> bool:
        tried.append(load)
        return load <= carries

    monkeypatch.setattr(Bench, "holds", holds)
    peak = Outcome(iops=5e3, duration_s=10.0, device_read_bytes=1, device_written_bytes=3_300_000_000)
    most = most_times(PAIR, peak)
    assert 8 < most < 16
    found = bench.headroom(PAIR, peak)
    assert tried[0] == 8.0, "the search begins at the bound"
    assert max(tried) <= most, "nothing is tried beyond it"
    assert min(carries, most) / PRECISION <= found <= carries


def test_the_rates_of_the_drives_bound_their_load() -> None:
    bench = _bench(50_000, 5_000_000, duration_s=1.0)
    pair = Design(CATALOG.get("samsung-pm893-480gb"), "raid1", 2)
    most = most_times(pair, bench.run(pair))
    assert 1 < most < 10
    assert not bench.holds(pair, 1.05 * most)


def test_what_an_array_misses_by_itself_rules_out_all_its_drives() -> None:
    bench = _bench(PARITY_IOPS, 5_000_000)
    drives = [CATALOG.get(name) for name in ("samsung-pm9a3-960gb", "micron-9550-max-3.2tb")]
    miss = bench.array_alone(Design(drives[0], "raid5", 4))
    assert miss.is_bound
    for drive in drives:
        found = bench.miss(bench.run(Design(drive, "raid5", 4)))
        assert (found.shortfall or 0) >= 0.98 * (miss.shortfall or 0)
