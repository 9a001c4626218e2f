"""Windows that stand for a trace: fitted, kept as an archive, played, edited, and what is wrong with one."""

import random
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import tomli_w

from bundled import CATALOG
from conftest import Run
from drivecast import _core
from drivecast.document.windows import Windows
from drivecast.errors import HintedError, InputError
from drivecast.model import fit_windows
from drivecast.stage import windows_file, windows_pass, windows_play
from drivecast.stage.simulate import simulate, workload
from small_traces import GIB, READ, WRITE, Io, write

DESIGN = "samsung-pm893-960gb"
"""Not one of the panel by which windows are chosen."""


@pytest.fixture(scope="module", autouse=True)
def _of_two_seconds() -> Iterator[None]:
    """A quarter as many windows, so that a fit plays a quarter as many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_windows, "WINDOWS", (60,))
        yield


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two minutes: 100 reads and small writes a second, every twelfth second ten times as many writes, and scans."""
    rng, ios, scanned = random.Random(1), [], 0
    for second in range(120):
        burst = second % 12 == 5
        for _ in range(60):
            at = int((second + rng.random()) * 1e9)
            ios.append(Io(at // 1000, READ, rng.randrange(1 << 16) * 16384, 16384))
        for _ in range(400 if burst else 40):
            at = int((second + rng.random() / (5 if burst else 1)) * 1e9)
            ios.append(Io(at // 1000, WRITE, rng.randrange(1 << 14) * 16384, 16384))
        if second % 30 == 20:
            for place in range(100):
                ios.append(Io(int((second + place / 100) * 1e6), READ, 4 * GIB + scanned, 1 << 18))
                scanned += 1 << 18
    ios.sort(key=lambda io: io.time_us)
    return write(tmp_path_factory.mktemp("windows"), ios)


@pytest.fixture(scope="module")
def load(log: Path) -> _core.Workload:
    return workload(str(log))


@pytest.fixture(scope="module")
def fit(log: Path, drivecast: Any) -> Run:
    """The verb, which writes next to the log."""
    out = log.with_name("m.windows")
    run: Run = drivecast("model", "fit", log, "-o", out, "--within", "10%", "--output-format", "json")
    assert run.code == 0, run.err
    return run


@pytest.fixture
def archive(fit: Run, log: Path, tmp_path: Path) -> Path:
    assert fit.json["kind"] == "windows"
    return Path(shutil.copy(log.with_name("m.windows"), tmp_path))


@pytest.fixture
def fitted(archive: Path) -> windows_file.Archive:
    return windows_file.read(archive)


def test_windows_count_for_all_of_the_trace(fitted: windows_file.Archive, load: _core.Workload) -> None:
    header = fitted.header
    assert sum(cluster.weight for cluster in header.clusters) == header.windows == 60
    assert sum(windows_play.weights(header).values()) == 60
    assert len(windows_play.kept(header)) <= max(fit_windows.KEPT)
    assert 0 < header.error < 0.5
    assert len(fitted.rows) < len(pl.DataFrame(load.rows())), "less is kept than there is"


def test_outcomes_are_those_of_the_trace(archive: Path, load: _core.Workload) -> None:
    whole = simulate(DESIGN, load, CATALOG)
    ours = simulate(DESIGN, workload(str(archive)), CATALOG)
    assert ours.duration_s == pytest.approx(whole.duration_s, rel=0.01)
    assert ours.iops == pytest.approx(whole.iops, rel=0.05)
    assert ours.utilization == pytest.approx(whole.utilization, rel=0.1)
    assert ours.queue_depth_mean == pytest.approx(whole.queue_depth_mean, rel=0.2)
    for op in ("read", "write"):
        for name in ("q0.5", "q0.99"):
            assert ours.latency_of(op, name) == pytest.approx(whole.latency_of(op, name), rel=0.15), (
                op,
                name,
            )


def test_a_weight_of_nought_leaves_a_cluster_out(fitted: windows_file.Archive) -> None:
    clusters = [
        cluster.model_copy(update={"weight": 0.0 if cluster.iops > 200 else cluster.weight})
        for cluster in fitted.header.clusters
    ]
    quiet = replace(fitted, header=fitted.header.model_copy(update={"clusters": clusters}))
    before, after = (simulate(DESIGN, windows_pass.workload(each), CATALOG) for each in (fitted, quiet))
    assert after.iops < before.iops
    assert after.latency_of("write", "q0.99") < before.latency_of("write", "q0.99")


def test_the_same_windows_are_the_same_bytes(archive: Path, fit: Run, load: _core.Workload) -> None:
    name, hashed = fit.json["name"], fit.json["trace_hash"]
    again = fit_windows.fit(
        load, name, hashed, CATALOG, within=0.1, seed=0, update=lambda _share, _what: None
    )
    assert windows_file.content(again) == archive.read_bytes()
    assert again.header == Windows.model_validate(fit.json)
    assert windows_file.fingerprint(windows_file.read(archive)) == windows_file.fingerprint(again)


def test_a_pass_has_the_requests_of_the_trace_in_their_order(
    fitted: windows_file.Archive, load: _core.Workload
) -> None:
    of_trace, ours = (pl.DataFrame(each.rows()) for each in (load, windows_pass.workload(fitted)))
    columns = ("op", "offset_bytes", "size_bytes")
    assert ours.select(columns).equals(of_trace.select(columns))
    assert ours["time_ns"].is_sorted()
    width = round(fitted.header.window_s * 1e9)
    assert (ours["time_ns"] // width).equals(of_trace["time_ns"] // width)
    inside = (of_trace["time_ns"] // width).is_in(windows_play.kept(fitted.header))
    assert ours["time_ns"].filter(inside).equals(of_trace["time_ns"].filter(inside))


def _edited(archive: Path, **changes: object) -> Path:
    """The archive with another header."""
    edited = archive.with_name("edited.windows")
    with zipfile.ZipFile(archive) as before, zipfile.ZipFile(edited, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            if name == windows_file.HEADER:
                data = tomli_w.dumps({**tomllib.loads(data.decode()), **changes}).encode()
            after.writestr(name, data)
    return edited


def test_archives_that_are_none_are_refused(archive: Path, fitted: windows_file.Archive) -> None:
    cut = archive.with_name("cut.windows")
    cut.write_bytes(archive.read_bytes()[:-1000])
    for unreadable in (cut, archive.with_name("none.windows")):
        with pytest.raises(InputError) as refused_file:
            windows_file.read(unreadable)
        assert str(unreadable) in str(refused_file.value)
    with pytest.raises(HintedError) as refused:
        windows_file.read(_edited(archive, schema_version=1))
    assert "`schema_version`" in refused.value.reason
    clusters = [cluster.model_dump() for cluster in fitted.header.clusters]
    clusters[0]["weight"] = -1.0
    with pytest.raises(InputError, match=r"clusters.0.weight"):
        windows_file.read(_edited(archive, clusters=clusters))
    clusters = [cluster.model_dump() for cluster in fitted.header.clusters]
    with pytest.raises(InputError, match=r"`order\.parquet` has `cluster`"):
        windows_file.read(_edited(archive, clusters=clusters[:1]))
    with pytest.raises(InputError, match=r"`order\.parquet` has 60 windows, and the header 61"):
        windows_file.read(_edited(archive, windows=61))
    clusters[0]["windows"], clusters[0]["leads_s"] = [60], [0.0]
    with pytest.raises(InputError, match="a cluster has window 60; the trace has 60, from 0"):
        windows_file.read(_edited(archive, clusters=clusters))


def test_a_burst_that_came_once_is_named(tmp_path: Path) -> None:
    rng = random.Random(3)
    ios = [Io(at * 10_000, READ, rng.randrange(1 << 16) * 16384, 16384) for at in range(6000)]
    ios += [Io(30_000_000 + at, WRITE, rng.randrange(1 << 16) * 16384, 65536) for at in range(3000)]
    load = workload(str(write(tmp_path, sorted(ios, key=lambda io: io.time_us))))
    found = fit_windows.fit(load, "once", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None)
    (remark,) = found.header.remarks
    lone = [cluster.name for cluster in found.header.clusters if 30 in cluster.windows]
    assert lone[0] in remark


def test_the_other_half_is_shown_and_not_judged(archive: Path, log: Path, drivecast: Any) -> None:
    run: Run = drivecast("model", "validate", archive, log, "--hold-out", "--output-format", "json")
    assert run.code in (0, 1), run.err
    halves = [part for part in run.json["parts"] if part["group"] == "other half"]
    assert {part["name"] for part in halves} >= {"other half, SSD: write p99", "other half, disk: read p50"}
    assert not any(part["judged"] for part in halves)
    assert all(part["distance"] < 1 for part in halves if "read p50" in part["name"]), "the halves are alike"


def test_a_run_on_windows_has_the_interval_of_their_choice(archive: Path, drivecast: Any) -> None:
    run: Run = drivecast("simulate", DESIGN, "--workload", archive, "--output-format", "json")
    assert run.code == 0, run.err
    hashed = windows_file.fingerprint(windows_file.read(archive))
    assert run.json["windows_hash"] == hashed
    worn: Run = drivecast("wear", DESIGN, "--workload", archive, "--output-format", "json")
    assert worn.json["windows_hash"] == hashed
    found = {(each["op"], each["quantile"]): each for each in run.json["by_windows"]}
    assert {("read", "q0.5"), ("write", "q0.99"), ("write", "q0.999")} <= set(found)
    p99 = run.json["write"]["latency_ns"]["q0.99"]
    assert found["write", "q0.99"]["low"] <= p99 <= found["write", "q0.99"]["high"]


def test_traces_that_have_no_windows_are_refused(tmp_path: Path) -> None:
    short = workload(str(write(tmp_path, [Io(at * 10_000_000, READ, 0, 4096) for at in range(4)])))
    with pytest.raises(HintedError) as refused:
        fit_windows.fit(short, "short", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None)
    assert "`--kind streams`" in refused.value.hint


def test_the_verbs_take_windows(archive: Path, log: Path, drivecast: Any) -> None:
    refused = drivecast("plan", archive)
    assert refused.code == 2
    assert "--accept-model" in refused.err
    run: Run = drivecast("model", "validate", archive, log, "--output-format", "json")
    assert run.code in (0, 1), run.err
    names = {part["name"] for part in run.json["parts"]}
    assert {"SSD: write p99", "write amplification", "update distance"} <= names
    made = drivecast(
        "model", "generate", archive, "-o", archive.with_name("pass.parquet"), "--output-format", "json"
    )
    assert made.code == 0, made.err
    assert made.json["requests"] > 1000
    wrong = drivecast("simulate", DESIGN, "--workload", archive, "--length", "10")
    assert wrong.code == 2
    assert "iodepth" in wrong.err


def test_the_kind_follows_from_the_name(log: Path, tmp_path: Path, drivecast: Any) -> None:
    run = drivecast("model", "fit", log, "-o", tmp_path / "m.toml", "--kind", "windows")
    assert run.code == 2
    assert "expected `NAME.windows`" in run.err
    run = drivecast("model", "fit", log, "-o", tmp_path / "m.windows", "--kind", "streams")
    assert run.code == 2
    assert "expected `NAME.toml`" in run.err
