"""What a plan says of all of a log, the quiet hours too; and a pass of windows that is too long to be played whole."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from bundled import CATALOG
from conftest import Run
from drivecast.document.plan import Design, WholeLog
from drivecast.model import fit_windows
from drivecast.model.change.changes import Wanted, changed
from drivecast.plan import load as plan_load
from drivecast.plan import search
from drivecast.plan.latencies import latencies
from drivecast.plan.load import Replay, spread
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.present import answer
from drivecast.quantity.interval import Span
from drivecast.stage import trace, windows_file, windows_pass
from drivecast.stage.design import parse
from drivecast.stage.simulate import Options, simulate
from drivecast.stage.windows_excerpt import excerpt
from drivecast.stage.windows_file import Archive
from small_traces import READ, WRITE, Io, write
from small_windows import archive

LINE = "raid1(2 * samsung-pm893-480gb)"
NEEDED = Given(capacity_bytes=200 * 10**9, years=5)
MINUTE_US = 60_000_000


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five minutes, of which the second has thirty times as many writes."""
    rng, ios = random.Random(3), []
    for minute in range(5):
        for _ in range(9000 if minute == 1 else 300):
            ios.append(
                Io(
                    minute * MINUTE_US + rng.randrange(MINUTE_US),
                    WRITE,
                    rng.randrange(1 << 16) * 16384,
                    16384,
                )
            )
        for _ in range(1500):
            ios.append(
                Io(minute * MINUTE_US + rng.randrange(MINUTE_US), READ, rng.randrange(1 << 16) * 16384, 16384)
            )
    return write(tmp_path_factory.mktemp("log"), sorted(ios, key=lambda each: each.time_us))


@pytest.fixture(scope="module")
def windows(log: Path) -> Iterator[Archive]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_windows, "WINDOWS", (60,))
        load = trace.workload([log])
        yield fit_windows.fit(load, "x", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None)


def _bench(log: Path, found: Replay | None = None) -> Bench:
    profile = trace.profile([log])
    load = found or plan_load.load([log], profile, trace.AS_IT_IS)
    return Bench(CATALOG, derive(NEEDED, profile), load, seed=0, trimmed=True, profile=profile)


def test_all_of_a_log_is_played_and_is_faster_than_its_peak(log: Path) -> None:
    bench, design = _bench(log), parse("raid1(2 * seagate-exos-15e900-600gb)", CATALOG)
    found = bench.over_all(design)
    whole = simulate(design.serving.line, trace.workload([log]), CATALOG, Options(fill=bench.fill(design)))
    assert found == latencies([whole], design.drive.latency_errors)
    over_all, peak = found["read", "p99"], latencies([bench.run(design)], None)["read", "p99"]
    assert over_all.value < 0.9 * peak.value


def test_windows_say_what_the_log_does_with_a_wider_interval(log: Path, windows: Archive) -> None:
    design = parse(LINE, CATALOG)
    bench = _bench(log)
    estimates = tuple(windows.header.estimates)
    represented = plan_load.WholeLog(windows_pass.workload(windows), estimates)
    assert isinstance(bench.load, Replay)
    by_windows = _bench(log, replace(bench.load, whole_log=represented)).over_all(design)
    truth = bench.over_all(design)
    for each in estimates:
        if each.quantile != 0.99:
            continue
        ours, theirs = by_windows[each.op, "p99"], truth[each.op, "p99"]
        assert ours.value == pytest.approx(theirs.value, rel=0.15)
        assert ours.low <= theirs.value <= ours.high
        alone = latencies(
            [simulate(LINE, represented.workload, CATALOG, Options(fill=bench.fill(design)))],
            design.drive.latency_errors,
        )
        span = alone[each.op, "p99"]
        assert (ours.low, ours.high) == (span.low * each.low, span.high * each.high)


def test_windows_are_spread_as_their_pass_is(windows: Archive) -> None:
    load = windows_pass.workload(windows)
    stored = 400 * 10**9
    wide = spread(Replay(load, 0.0, 1.0, whole_log=plan_load.WholeLog(load)), stored)
    assert isinstance(wide, Replay)
    assert 0.9 * stored < (wide.whole_log.workload.span_bytes or 0) <= stored
    disk = "seagate-exos-15e900-600gb"
    near, far = (
        simulate(disk, each, CATALOG).latency_of("read", "mean") for each in (load, wide.whole_log.workload)
    )
    assert far > 1.2 * near


def test_a_log_that_is_all_peak_or_too_long_has_none(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = trace.profile([log], peak_window_s=3600.0)
    assert plan_load.load([log], profile, trace.AS_IT_IS).whole_log is None  # type: ignore[union-attr]
    monkeypatch.setattr(plan_load, "WHOLE_MAX", 1000)
    assert _bench(log).over_all(parse(LINE, CATALOG)) is None


def test_a_person_reads_it() -> None:
    design = Design(line="x", title="x", verdict="fits")
    assert answer.whole_log(design) == ""
    span = Span(180e3, 280e3, 580e3)
    known = design.model_copy(update={"whole_log": WholeLog(by_windows=True, read_p99_ns=span)})
    assert answer.whole_log(known) == "p99 of reads 0.28 ms (0.18–0.58), by windows"


def test_an_excerpt_has_the_peak_and_the_mix_of_the_pass(windows: Archive) -> None:
    hour = changed(windows, Wanted(length_s=6 * 3600.0), 0)
    limit = 200_000
    short = excerpt(hour, 60.0, limit)
    counts = windows_file.requests_by_window(hour)
    turns, left = (each.turns["window"].to_numpy() for each in (hour, short))
    assert counts[left].sum() < 1.1 * limit
    assert counts[turns].sum() > 5 * limit
    width = int(60 / hour.header.window_s) + 1
    sums = np.convolve(counts[turns], np.ones(width), "valid")
    assert np.convolve(counts[left], np.ones(width), "valid").max() >= sums.max(), (
        "the busiest minute is whole"
    )
    assert counts[left].mean() == pytest.approx(counts[turns].mean(), rel=0.05)
    order = hour.order["cluster"].to_numpy()
    shares = [np.bincount(order[each], minlength=64) / len(each) for each in (turns, left)]
    assert np.abs(shares[0] - shares[1]).max() < 0.03
    assert set(short.map["window"]) <= set(left.tolist())
    rows = windows_pass.whole(short)
    assert len(rows) == counts[left].sum()
    assert excerpt(hour, 60.0, 10**9) is hour


def test_an_excerpt_is_of_windows_as_they_are() -> None:
    """Of 2,000 turns a tenth: requests, in order, at the addresses of their windows."""
    found = archive()
    turns = pl.DataFrame({"window": pl.Series(list(range(10)) * 200, dtype=pl.UInt32)})
    long = replace(found, turns=turns)
    short = excerpt(long, 0.005, 2000)
    rows, whole = windows_pass.whole(short), windows_pass.trace_again(found)
    assert 1800 <= len(rows) <= 2300
    assert set(rows["offset_bytes"]) <= set(whole["offset_bytes"])
    assert rows["time_ns"].is_sorted()


def test_the_verb_plans_a_week_by_an_excerpt(
    windows: Archive, tmp_path: Path, drivecast: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One drive competes: the others would be judged by the same excerpt."""
    name = "samsung-pm893-480gb"
    monkeypatch.setattr(
        search, "load_catalog", lambda _paths: replace(CATALOG, drives={name: CATALOG.get(name)})
    )
    week = changed(windows, Wanted(length_s=7 * 86400.0), 0)
    path = tmp_path / "week.windows"
    windows_file.write(path, week)
    options = ("--capacity", "200GB", "--design", LINE, "--output-format", "json", "--accept-model")
    run: Run = drivecast("plan", path, *options)
    assert run.code == 0, run.err
    assert run.json["hashes"]["windows"] == windows_file.fingerprint(week)
    (named,) = (each for each in run.json["designs"] if each["line"] == LINE)
    assert named["whole_log"]["by_windows"] is True
    p99 = named["whole_log"]["read_p99_ns"]
    assert p99["low"] <= p99["value"] <= p99["high"]
    assert run.json["workload"]["profile"]["duration_s"] < 86400
