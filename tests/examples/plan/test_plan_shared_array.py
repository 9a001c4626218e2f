"""Several logs on one array: superposed in time, each with its latency alone and beside the others."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from bundled import CATALOG
from conftest import Run
from drivecast.document.outcome import Latency, OfStream, Outcome, Stream
from drivecast.document.plan import Design, Plan
from drivecast.document.tenant import Effect, Tenant
from drivecast.errors import InputError
from drivecast.plan import search, space
from drivecast.plan.candidate import Options
from drivecast.plan.load import Synthetic
from drivecast.plan.requirement import Given, derive
from drivecast.plan.shared_array import tenants
from drivecast.plan.trial import Bench
from drivecast.present import neighbours, page, terminal
from drivecast.stage import counter_load, trace
from drivecast.stage.counter_load import CounterLoad, Share
from drivecast.stage.design import parse
from drivecast.stage.superposed import superposed
from made_up_load import PROFILE
from small_traces import READ, Io, mixed, write

PAIR = "raid1(2 * samsung-pm9a3-1.92tb)"
DISKS = "raid1(2 * seagate-exos-15e900-300gb)"
Program = Callable[..., Run]


def counters(
    place: Path, start: str, rates: list[tuple[float, float]], *, interval_s: int = 60, dates: bool = True
) -> Path:
    """A counter log of sadf: reads and writes a second of 8 KiB in each interval."""
    begun = datetime.fromisoformat(start)
    rows = ["# hostname;interval;timestamp;DEV;tps;rkB/s;wkB/s;areq-sz;aqu-sz;await;%util"]
    for at, (reads, writes) in enumerate(rates, 1):
        time = begun + timedelta(seconds=interval_s * at)
        stamp = f"{time:%Y-%m-%d %H:%M:%S UTC}" if dates else f"{time:%H:%M:%S}"
        figures = f"{reads + writes:.2f};{reads * 8:.2f};{writes * 8:.2f};8.00;0.10;0.20;5.00"
        rows.append(f"db;{interval_s};{stamp};sdb;{figures}")
    place.write_text("\n".join(rows) + "\n")
    return place


def test_traces_begin_together_with_addresses_of_their_own(tmp_path: Path) -> None:
    first = write(tmp_path, mixed(600), "first.blktrace")
    second = write(tmp_path, mixed(200, seed=8), "second.blktrace")
    with superposed([first, second], trace.AS_IT_IS) as found:
        rows = pl.read_parquet(found.file)
        profile = found.profile(60.0)
    assert found.names == ("first", "second")
    assert rows["time_ns"].is_sorted()
    assert rows["time_ns"].max() == 199 * 5_000_000 + 1000, "sent 1 µs after it was queued"
    of = {stream: rows.filter(pl.col("stream") == stream) for stream in (0, 1)}
    assert (len(of[0]), len(of[1])) == (200, 200), "as long as the shorter lasts"
    end = (of[0]["offset_bytes"] + of[0]["size_bytes"]).max()
    assert of[1]["offset_bytes"].min() >= end  # type: ignore[operator]
    assert profile.requests == 400
    assert len(profile.log.files) == 2
    assert "0.995 s" in profile.notes[0]


def test_counters_are_laid_on_one_clock_and_added_up(tmp_path: Path) -> None:
    slow = counters(tmp_path / "slow.csv", "2026-11-18 10:00:00", [(10, 20)] * 10)
    quick = counters(tmp_path / "quick.csv", "2026-11-18 10:05:30", [(100, 0)] * 60, interval_s=10)
    with superposed([slow, quick], trace.AS_IT_IS) as found:
        profile = found.profile(60.0)
        shares = found.shares(profile)
    assert found.start == "2026-11-18 10:05:30"
    assert profile.duration_s == 240.0, "from 10:05:30 to 10:10, in whole minutes"
    assert profile.reads == pytest.approx(240 * 110, rel=1e-3)
    assert profile.writes == pytest.approx(240 * 20, rel=1e-3)
    assert profile.bytes_read == pytest.approx(240 * 110 * 8192, rel=1e-3)
    assert [round(share.requests / 60) for share in shares] == [30, 100]
    assert "240 s" in profile.notes[0]


def test_requests_of_an_interval_are_spread_over_the_steps_that_it_covers(tmp_path: Path) -> None:
    hour = counters(tmp_path / "hour.csv", "2026-11-18 10:00:00", [(60, 0), (0, 0), (120, 0)])
    late = counters(tmp_path / "late.csv", "2026-11-18 10:00:30", [(0, 1)] * 3)
    with superposed([hour, late], trace.AS_IT_IS) as found:
        reads = found.steps[0]["reads"].to_list()
    assert reads == pytest.approx([30 * 60, 30 * 120], abs=1)


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (
            ("2026-11-19 10:00:00", True),
            "do not overlap: `a` ends at 2026-11-18 10:03:00, `b` begins at 2026-11-19",
        ),
        (
            ("2026-11-18 10:00:00", False),
            "logs of different clocks: `a` has dates, `b` has times of day alone",
        ),
    ],
)
def test_logs_of_other_times_or_clocks_are_refused(
    tmp_path: Path, second: tuple[str, bool], said: str
) -> None:
    first = counters(tmp_path / "a.csv", "2026-11-18 10:00:00", [(1, 1)] * 3)
    other = counters(tmp_path / "b.csv", second[0], [(1, 1)] * 3, dates=second[1])
    with pytest.raises(InputError) as refused, superposed([first, other], trace.AS_IT_IS):
        pass
    assert said in str(refused.value)
    assert "`--together`" in str(refused.value.hint)


def test_a_trace_beside_counters_and_a_log_alone_are_refused(drivecast: Program, tmp_path: Path) -> None:
    requests = write(tmp_path, mixed(50), "t.blktrace")
    log = counters(tmp_path / "c.csv", "2026-11-18 10:00:00", [(1, 1)] * 3)
    for logs, said in (
        ((requests, log), "`t` is a trace and `c` a counter log"),
        ((requests,), "expected 2 to 64 logs, found 1"),
    ):
        run = drivecast("plan", *logs, "--together")
        assert run.code == 2
        assert said in run.err


def heavy(count: int) -> list[Io]:
    """Large reads, one each 8 ms, of which a disk serves a few."""
    return [Io(8000 * at, READ, (at * 7919 % 4000) << 20, 512 << 10) for at in range(count)]


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """Two traces on two disks that are named: a light one, and one of large reads."""
    folder = tmp_path_factory.mktemp("logs")
    logs = [write(folder, mixed(400), "light.blktrace"), write(folder, heavy(250), "heavy.blktrace")]
    given = Given(capacity_bytes=20 * 10**9, p99_read_ns=10**9, p99_write_ns=10**9, headroom=1.0)
    options = Options(
        threads=1, together=True, designs=(DISKS,), today=DISKS, spread=False, peak_window_s=2.0
    )
    with pytest.MonkeyPatch.context() as only:
        only.setattr(space, "ladders", lambda _catalog: iter(()))
        return search.plan(logs, given, options, lambda _share, _what: None)


def test_what_each_log_has_from_the_others_is_shown(planned: Plan) -> None:
    assert planned.workload.together == ["light", "heavy"]
    assert planned.workload.name == "light + heavy"
    (design,) = [design for design in planned.designs if design.tenants]
    light, heavy_ = design.tenants or []
    assert light.write_p99_ns is not None
    for effect, times in ((light.read_p99_ns, 1.05), (light.write_p99_ns, 1.5)):
        assert effect.together > times * effect.alone, "it waits for the large reads"
    assert light.read_p99_ns.without == {"heavy": light.read_p99_ns.alone}
    assert heavy_.write_p99_ns is None, "it only reads"
    assert [stream.number for stream in design.outcome.streams] == [0, 1]
    assert "light: " in str(terminal.render(planned).plain)
    assert "<h2>Logs together</h2>" in page.render(planned)


def test_of_three_logs_the_one_that_costs_most_is_named() -> None:
    effect = Effect(alone=1e5, together=9e5, without={"b": 2e5, "c": 8e5})
    assert effect.worst == "b"
    assert Effect(alone=1e5, together=1e5, without={"b": 1e5, "c": None}).worst is None
    tenant = Tenant(log="a", iops=100.0, read_p99_ns=effect)
    design = Design(line="x", title="x", verdict="fits", tenants=[tenant])
    (said,) = neighbours.effects(design)
    assert said == ("a", "100 IOPS; p99 of reads 0.10 ms alone, 0.90 ms together (0.20 ms without b)")


def test_each_of_several_counter_logs_is_a_stream() -> None:
    shares = (Share(45_000, 15_000, 45e3 * 16384, 15e3 * 16384), Share(0, 60_000, 0, 60e3 * 4096))
    load = counter_load.of(PROFILE.model_copy(update={"requests": 120_000}), shares)
    assert [share.item for share in shares] == [
        "60000 * 16384[read=0.7500]",
        "60000 * 4096[read=0.0000]",
    ]
    assert load.only([1]).rate_iops == load.rate_iops / 2
    requirements = derive(Given(years=5), PROFILE)
    load = replace(load, duration_s=1.0)
    bench = Bench(CATALOG, requirements, Synthetic(load), 0, trimmed=True, logs=("data", "log"))
    data, log = tenants(parse(PAIR, CATALOG), bench)
    assert data.iops == pytest.approx(1000, rel=0.15)
    assert log.iops == pytest.approx(1000, rel=0.15)
    assert log.read_p99_ns is None
    assert data.read_p99_ns is not None


def test_each_log_must_meet_the_limits() -> None:
    bench = Bench(
        CATALOG,
        derive(Given(years=5, p99_read_ns=10**6), PROFILE.model_copy(update={"reads": 9})),
        Synthetic(CounterLoad(4096, 1.0, 100.0, 1.0, None, ())),
        0,
        trimmed=True,
        logs=("a", "b"),
    )

    def stream(requests: int, p99_ns: float) -> Stream:
        return Stream(requests=requests, latency_ns=Latency(q99=p99_ns))

    def outcome(requests: int) -> Outcome:
        apart = [OfStream(number=0, read=stream(10**6, 2e5)), OfStream(number=1, read=stream(requests, 7e6))]
        return Outcome(iops=1.0, read=stream(10**6 + requests, 3e5), streams=apart)

    miss = bench.miss(outcome(1000))
    assert (miss.log, miss.found) == ("b", 7e6)
    assert bench.miss(outcome(50)) is None, "so few requests have no 99th percentile"
