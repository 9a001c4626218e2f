"""Windows of more load, more data, another mix or length, or several workloads: as the traces would be."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bundled import CATALOG
from conftest import Run
from drivecast import _core
from drivecast.errors import InputError
from drivecast.model import fit_windows
from drivecast.model.change.changes import Wanted, changed
from drivecast.model.change.join import joined
from drivecast.stage import windows_file, windows_pass
from drivecast.stage.simulate import Options, simulate, workload
from drivecast.stage.windows_file import Archive
from small_traces import GIB, READ, WRITE, Io, write
from small_windows import archive

DESIGN = "samsung-pm893-960gb"
QUANTILES = [(op, name) for op in ("read", "write") for name in ("q0.5", "q0.99")]
LENGTH_US = 60_000_000


@pytest.fixture(scope="module", autouse=True)
def _of_a_second() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_windows, "WINDOWS", (60,))
        patch.setattr(fit_windows, "KEPT", (24,))
        yield


@pytest.fixture(scope="module")
def ios() -> list[Io]:
    """A minute of reads and writes at random, with bursts of writes and a hot part."""
    rng, found = random.Random(5), []
    for second in range(60):
        for _ in range(100):
            found.append(Io(int((second + rng.random()) * 1e6), READ, rng.randrange(1 << 17) * 8192, 8192))
        for _ in range(300 if second % 9 == 4 else 60):
            place = rng.randrange(1 << 8) if rng.random() < 0.5 else rng.randrange(1 << 17)
            found.append(Io(int((second + rng.random()) * 1e6), WRITE, place * 8192, 8192))
    return sorted(found, key=lambda each: each.time_us)


@pytest.fixture(scope="module")
def fitted(ios: list[Io], tmp_path_factory: pytest.TempPathFactory) -> Archive:
    load = workload(str(write(tmp_path_factory.mktemp("change"), ios)))
    return fit_windows.fit(load, "x", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None)


def _off(found: Archive, truth: _core.Workload, speedup: float = 1.0) -> list[float]:
    """Quantiles of latency of windows over those of a trace."""
    options = Options(speedup=speedup)
    ours, theirs = (
        simulate(DESIGN, windows_pass.workload(found), CATALOG),
        simulate(DESIGN, truth, CATALOG, options),
    )
    return [ours.latency_of(op, name) / theirs.latency_of(op, name) for op, name in QUANTILES]


def _trace(folder: Path, ios: list[Io]) -> _core.Workload:
    return workload(str(write(folder, sorted(ios, key=lambda each: each.time_us))))


def test_twice_the_load_is_two_such_workloads(ios: list[Io], fitted: Archive, tmp_path: Path) -> None:
    """Of users as many again, with data of their own: the same trace a third of a second later."""
    twice = changed(fitted, Wanted(rate=2.0), 0)
    assert twice.header.requests == 2 * fitted.header.requests
    behind = [
        replace(each, time_us=(each.time_us + 330_000) % LENGTH_US, offset=each.offset + 2 * GIB)
        for each in ios
    ]
    assert _off(twice, _trace(tmp_path, [*ios, *behind])) == pytest.approx([1.0] * 4, abs=0.15)
    (said,) = twice.header.changes
    assert said.startswith("rate: ")
    weights = [[cluster.weight for cluster in each.header.clusters] for each in (fitted, twice)]
    assert weights[0] == weights[1]
    before, after = (each.header.clusters[0] for each in (fitted, twice))
    assert after.iops == pytest.approx(2 * before.iops)
    assert after.read_fraction == pytest.approx(before.read_fraction)


def test_half_the_load_is_half_the_extents(ios: list[Io], fitted: Archive, tmp_path: Path) -> None:
    half = changed(fitted, Wanted(rate=0.5), 0)
    assert half.header.requests == pytest.approx(fitted.header.requests / 2, rel=0.03)
    rng = random.Random(1)
    kept = {extent for extent in range(1 << 11) if rng.random() < 0.5}
    truth = _trace(tmp_path, [each for each in ios if each.offset >> 20 in kept])
    off = _off(half, truth)
    assert off == pytest.approx([1.0] * 4, abs=0.2)
    touched = [each.map.select(pl.col("offset_bytes") // 4096).n_unique() for each in (half, fitted)]
    assert touched[0] == pytest.approx(touched[1] / 2, rel=0.06), "half of the data with half of the requests"
    everywhere = changed(fitted, Wanted(rate=0.5, same_data=True), 0)
    assert everywhere.header.requests == pytest.approx(fitted.header.requests / 2, rel=0.03)
    extents = [
        each.map.select(pl.col("offset_bytes") // (1 << 20)).n_unique() for each in (half, everywhere, fitted)
    ]
    assert extents[0] < 0.65 * extents[2], "half of them, and those that are hot"
    assert extents[1] > 0.9 * extents[2], "half of the requests all over the data"


def test_by_time_a_trace_is_played_faster(fitted: Archive, ios: list[Io], tmp_path: Path) -> None:
    faster = changed(fitted, Wanted(rate=2.0, by="time"), 0)
    assert faster.header.duration_s == pytest.approx(fitted.header.duration_s / 2)
    assert _off(faster, _trace(tmp_path, ios), speedup=2.0) == pytest.approx([1.0] * 4, abs=0.15)


def test_another_share_of_reads(fitted: Archive) -> None:
    reads = changed(fitted, Wanted(reads=0.8), 0)
    data = windows_pass.whole(reads)
    assert (data["op"] == "read").mean() == pytest.approx(0.8, abs=0.02)
    assert reads.header.requests == pytest.approx(fitted.header.requests, rel=0.03)


def test_more_data_is_accessed_at_the_same_rate(fitted: Archive) -> None:
    grown = changed(fitted, Wanted(footprint=2.0), 0)
    before, after = (windows_pass.whole(each) for each in (fitted, grown))
    assert before.drop("offset_bytes").equals(after.drop("offset_bytes"))
    pages = [each.select((pl.col("offset_bytes") // 8192).n_unique()).item() for each in (before, after)]
    hot = [
        each.filter(pl.col("offset_bytes") % fitted.header.span_bytes < 1 << 21)
        .select((pl.col("offset_bytes") // 8192).n_unique())
        .item()
        for each in (before, after)
    ]
    assert pages[0] < pages[1] < 2 * pages[0]
    assert hot[1] == pytest.approx(2 * hot[0], rel=0.05), "what is accessed again and again is twice as much"


def test_more_of_a_cluster(fitted: Archive) -> None:
    busiest = max(fitted.header.clusters, key=lambda each: each.iops)
    more = changed(fitted, Wanted(more={busiest.name: 3.0}), 0)
    weight = {each.name: each.weight for each in more.header.clusters}
    assert weight[busiest.name] == 3 * busiest.weight
    extra_s = 2 * busiest.weight * fitted.header.window_s
    assert more.header.duration_s == pytest.approx(60 * fitted.header.window_s + extra_s)
    assert len(windows_pass.whole(more)) == more.header.requests
    assert more.rows.equals(fitted.rows), "what is played is as it was, and counts more often"
    without = changed(fitted, Wanted(more={busiest.name: 0.0}), 0)
    assert {each.name: each.weight for each in without.header.clusters}[busiest.name] == 0
    assert without.header.requests < fitted.header.requests


def test_a_longer_pass_has_the_mix_of_the_trace(fitted: Archive, tmp_path: Path) -> None:
    hour = changed(fitted, Wanted(length_s=3600.0), 0)
    path = tmp_path / "hour.windows"
    windows_file.write(path, hour)
    assert windows_file.read(path).turns.equals(hour.turns)
    assert path.stat().st_size < 1.1 * len(windows_file.content(fitted)), "as small as it was"
    rates = [each.header.requests / each.header.duration_s for each in (hour, fitted)]
    assert rates[0] == pytest.approx(rates[1], rel=0.05)
    ours, theirs = (simulate(DESIGN, windows_pass.workload(each), CATALOG) for each in (hour, fitted))
    for op, name in QUANTILES:
        assert ours.latency_of(op, name) == pytest.approx(theirs.latency_of(op, name), rel=0.1)
    content = windows_file.content(hour)
    assert content == windows_file.content(changed(fitted, Wanted(length_s=3600.0), 0)), "by its seed"
    assert content != windows_file.content(changed(fitted, Wanted(length_s=3600.0), 1))


def test_days_have_the_hours_of_the_trace() -> None:
    """A trace of 25 windows of an hour: what follows one of the quiet hours follows it at that hour."""
    found = archive()
    clusters = [each.model_copy(update={"leads_s": [0.0]}) for each in found.header.clusters]
    header = found.header.model_copy(update={"window_s": 3600.0, "windows": 48, "clusters": clusters})
    order = pl.DataFrame(
        {"cluster": pl.Series([0 if at % 24 < 12 else 1 for at in range(48)], dtype=pl.UInt16)}
    )
    turns = pl.DataFrame({"window": pl.Series(range(48), dtype=pl.UInt32)})
    days = replace(found, header=header, order=order, turns=turns)
    week = changed(days, Wanted(length_s=7 * 86400.0), 3).turns["window"].to_list()
    assert [window % 24 for window in week] == [at % 24 for at in range(168)]
    assert any(week[at] // 24 != week[at - 24] // 24 for at in range(24, 168)), "of either day"


def test_two_workloads_on_one_array(fitted: Archive, ios: list[Io], tmp_path: Path) -> None:
    rng = random.Random(8)
    scan = [Io(at * 20_000, READ, at * (1 << 17), 1 << 17) for at in range(3000)]
    scan += [Io(at * 30_000 + 7, WRITE, rng.randrange(1 << 15) * 16384, 16384) for at in range(2000)]
    scan.sort(key=lambda each: each.time_us)
    load = _trace(tmp_path, scan)
    other = fit_windows.fit(load, "scan", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None)
    both = joined(
        {"db": fitted, "scan": other}, CATALOG, within=0.1, seed=0, update=lambda _share, _what: None
    )
    assert both.header.name == "db+scan"
    assert both.header.requests == pytest.approx(len(ios) + len(scan), rel=0.01)
    moved = [replace(each, offset=each.offset + 4 * GIB) for each in scan]
    folder = tmp_path / "both"
    folder.mkdir()
    off = _off(both, _trace(folder, [*ios, *moved]))
    assert off[::2] == pytest.approx([1.0] * 2, abs=0.15)
    assert off[1::2] == pytest.approx([1.0] * 2, abs=0.3), (
        "p99 is at the step from a lone read to one that waits"
    )
    assert both.header.changes[-1].startswith("join: passes of `db` (within ")
    with pytest.raises(InputError):
        joined({"db": fitted}, CATALOG, within=0.1, seed=0, update=lambda _share, _what: None)


def test_the_verb(fitted: Archive, tmp_path: Path, drivecast: Any) -> None:
    source, out = tmp_path / "m.windows", tmp_path / "n.windows"
    windows_file.write(source, fitted)
    name = fitted.header.clusters[0].name
    run: Run = drivecast(
        "model", "change", source, "-o", out, "--rate", "1.5", "--reads", "60%", "--footprint", "2",
        "--more", f"{name}=2", "--length", "2min", "--output-format", "json",
    )  # fmt: skip
    assert run.code == 0, run.err
    assert [text.split(":")[0] for text in run.json["changes"]] == ["rate", "footprint", "mix", "length"]
    played: Run = drivecast("simulate", DESIGN, "-w", out)
    assert played.code == 0, played.err
    assert "changed: length: " in played.err
    plain: Run = drivecast("model", "generate", out, "-o", tmp_path / "n.parquet")
    assert plain.code == 0, plain.err


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ([], "expected a change"),
        (["--rate", "0"], "rate times 0; expected"),
        (["--rate", "nan"], "rate times nan; expected"),
        (["--reads", "1.2"], "a share from 0 to 1"),
        (["--rate", "2", "--by", "time", "--same-data"], "by time the mix and the data stay"),
        (["--footprint", "0.5"], "expected 1 to 64"),
        (["--more", "busy"], "expected a cluster and a number"),
        (["--more", "no such=2"], "no cluster `no such`; there are `"),
        (["--length", "1us"], "a window, at least"),
    ],
)
def test_what_cannot_be(
    fitted: Archive, tmp_path: Path, drivecast: Any, options: list[str], reason: str
) -> None:
    source, out = tmp_path / "m.windows", tmp_path / "n.windows"
    windows_file.write(source, fitted)
    run: Run = drivecast("model", "change", source, "-o", out, *options)
    assert run.code == 2
    assert reason in run.err
    assert not out.exists()
