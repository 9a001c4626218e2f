"""Windows for other tools: clusters as phases in turn, and their own requests as logs that fio replays."""

import csv
import json
import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import polars as pl
import pytest

from bundled import CATALOG
from conftest import Run
from drivecast import exchange
from drivecast.errors import InputError
from drivecast.exchange import TOOLS, fio_replay, phases
from drivecast.exchange.losses import Losses
from drivecast.model import fit_windows
from drivecast.stage import windows_file, windows_pass, windows_play
from drivecast.stage.simulate import workload
from drivecast.stage.windows_file import Archive
from needs import needs
from small_traces import READ, WRITE, Io, write
from small_windows import archive

SPAN = 1 << 24
"""Of the traces, so that fio's file is small."""


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """Half a minute of reads, every sixth second of writes alone, ten times as many."""
    rng, ios = random.Random(2), []
    for second in range(30):
        busy = second % 6 == 3
        for _ in range(300 if busy else 30):
            at = int((second + 0.1 + 0.8 * rng.random()) * 1e6)
            ios.append(Io(at, WRITE if busy else READ, rng.randrange(SPAN // 4096) * 4096, 4096))
    ios.sort(key=lambda each: each.time_us)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_windows, "WINDOWS", (30,))
        patch.setattr(fit_windows, "KEPT", (12,))
        load = workload(str(write(tmp_path_factory.mktemp("export"), ios)))
        yield fit_windows.fit(
            load, "mixed", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None
        )


@pytest.fixture(scope="module")
def fio() -> str:
    return needs("fio")


def _named(found: Archive, clusters: list[tuple[str, float, int]]) -> Archive:
    """The archive with these clusters: name, weight and window."""
    like = found.header.clusters[0]
    made = [
        like.model_copy(update={"name": name, "weight": weight, "windows": [window], "leads_s": [0.0]})
        for name, weight, window in clusters
    ]
    header = found.header.model_copy(update={"clusters": made})
    rows = windows_play.play(_trace(found), windows_play.spans_ns(header))
    return replace(found, header=header, rows=rows)


def _trace(found: Archive) -> pl.DataFrame:
    return windows_pass.trace_again(found)


def test_clusters_last_as_long_as_their_share(fitted: Archive) -> None:
    losses = Losses()
    found = phases.of_windows(losses, _named(fitted, [("b", 3.0, 9), ("a", 1.0, 1), ("c", 0.0, 4)]), 100)
    assert [(model.name, model.duration_s) for model in found.models] == [("a", 25.0), ("b", 75.0)], (
        "by their first window, and none without a weight"
    )
    reads = [
        sum(stream.read * _rate(stream) for stream in model.streams) / sum(map(_rate, model.streams))
        for model in found.models
    ]
    assert reads == [pytest.approx(1.0), pytest.approx(0.0)]
    rates = [sum(map(_rate, model.streams)) for model in found.models]
    assert rates == [pytest.approx(30, rel=0.1), pytest.approx(300, rel=0.1)]
    assert all(model.span_bytes == fitted.header.span_bytes for model in found.models)
    assert "which window follows which: each cluster comes once" in losses.lines


def _rate(stream: Any) -> float:
    return float(stream.arrivals.rate_iops)


def test_many_clusters_of_a_name_are_one_phase(fitted: Archive) -> None:
    losses = Losses()
    clusters = [(f"usual {at}", 1.0, at) for at in (0, 1, 2, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 16)]
    clusters += [("busy writes 1", 2.0, 3), ("busy writes 2", 2.0, 9), ("night", 1.0, 17)]
    found = phases.of_windows(losses, _named(fitted, clusters), 190)
    assert [model.name for model in found.models] == ["usual", "busy writes", "night"]
    assert [model.duration_s for model in found.models] == [140.0, 40.0, 10.0]
    assert any(line.startswith("14 clusters `usual` of ") for line in losses.lines)


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_each_tool_has_the_phases_in_turn(tool: str, fitted: Archive) -> None:
    found = _named(fitted, [("calm", 3.0, 1), ("storm", 1.0, 9)])
    text, losses = TOOLS[tool].export_windows(found, "disk.dat", 40)
    assert text.index("calm") < text.index("storm")
    assert losses
    if tool == "fio":
        sections = re.split(r"\n\n", text)[1:]
        assert [("stonewall" in each, re.findall(r"runtime=(\d+)s", each)) for each in sections] == [
            (False, ["30"]),
            (True, ["10"]),
        ]
        assert "rw=randread" in sections[0]
        assert "rw=randwrite" in sections[1]
    if tool == "diskspd":
        spans = ElementTree.fromstring(text).findall("TimeSpans/TimeSpan")  # noqa: S314 (made above)
        assert [each.findtext("Duration") for each in spans] == ["30", "10"]
        assert [each.findtext("Targets/Target/WriteRatio") for each in spans] == ["0", "100"]
    if tool == "diskspd-cmd":
        runs = [line for line in text.split("\r\n") if "diskspd" in line]
        assert [re.findall(r"-d(\d+)", line) for line in runs] == [["30"], ["10"]]
        assert not any(line.startswith("start") for line in runs), "the last of a phase is waited for"
    if tool == "vdbench":
        runs = [line for line in text.splitlines() if line.startswith("rd=")]
        assert [re.findall(r"wd=(\w+)\*.*elapsed=(\d+)", line)[0] for line in runs] == [
            ("wd1p", "30"),
            ("wd2p", "10"),
        ]
        loads = [line.partition(",")[0] for line in text.splitlines() if line.startswith("wd=")]
        assert [name[:6] for name in loads] == ["wd=wd1", "wd=wd2"]
    if tool == "sysbench":
        assert text.count("\nwait\n") == 2
    if tool == "iometer":
        steps = re.findall(r"'Assigned access specs\n((?:\t.*\n)+)", text)
        assert [block.split("\t").count("Idle\n") for block in steps] == [10, 30]


@pytest.mark.parametrize("tool", ["fio", "diskspd"])
def test_phases_are_not_read_as_a_model(tool: str, fitted: Archive, tmp_path: Path) -> None:
    found = _named(fitted, [("calm", 3.0, 1), ("storm", 1.0, 9)])
    path = tmp_path / f"m{TOOLS[tool].suffix}"
    path.write_text(TOOLS[tool].export_windows(found, "disk.dat", 40)[0])
    with pytest.raises(InputError) as refused:
        exchange.read(path, None, None)
    assert {"fio": "`stonewall`", "diskspd": "`TimeSpan`"}[tool] in str(refused.value)


def test_what_has_no_phases_is_refused(fitted: Archive) -> None:
    with pytest.raises(InputError):
        TOOLS["fio"].export_windows(_named(fitted, [("a", 1.0, 1), ("b", 1.0, 9)]), "x", 1)
    idle = replace(fitted, rows=fitted.rows.clear())
    with pytest.raises(InputError):
        TOOLS["fio"].export_windows(idle, "x", None)
    with pytest.raises(InputError):
        fio_replay.files(idle, "x")
    with pytest.raises(InputError) as refused:
        fio_replay.files(fitted, "a b")
    assert "`a b`" in str(refused.value)


def test_idle_clusters_are_a_loss(fitted: Archive) -> None:
    losses = Losses()
    found = _named(fitted, [("calm", 3.0, 1), ("idle 1", 1.0, 9)])
    begin = windows_play.parts_ns(found.header)[1]
    phases.of_windows(losses, replace(found, rows=found.rows.filter(pl.col("time_ns") <= begin)), 40)
    assert any("25.0%" in line for line in losses.lines)


def test_fio_runs_the_phases(fio: str, fitted: Archive, tmp_path: Path) -> None:
    found = _named(fitted, [("calm", 2.0, 1), ("storm", 1.0, 9)])
    (tmp_path / "m.fio").write_text(TOOLS["fio"].export_windows(found, str(tmp_path / "data"), 3)[0])
    jobs = _run(fio, "m.fio", tmp_path)
    assert [(each["read"]["total_ios"] > 0, each["write"]["total_ios"] > 0) for each in jobs] == [
        (True, False),
        (False, True),
    ]
    assert [round(each["job_runtime"] / 1000) for each in jobs] == [2, 1]
    # Poisson arrivals at 30 and 300 a second: within five standard deviations.
    assert jobs[0]["read"]["total_ios"] == pytest.approx(60, abs=5 * 60**0.5)
    assert jobs[1]["write"]["total_ios"] == pytest.approx(300, abs=5 * 300**0.5)


def test_fio_replays_the_windows(fio: str, fitted: Archive, tmp_path: Path) -> None:
    """Each window's own requests; those of its lead-in are played and not counted."""
    found = _named(fitted, [("calm", 7.0, 1), ("storm", 1.0, 9)])
    clusters = [
        each.model_copy(update={"leads_s": [lead]})
        for each, lead in zip(found.header.clusters, (0.0, 0.5), strict=True)
    ]
    header = found.header.model_copy(update={"clusters": clusters})
    found = replace(
        found, header=header, rows=windows_play.play(_trace(fitted), windows_play.spans_ns(header))
    )
    written, losses = fio_replay.files(found, "data")
    for name, text in written.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "data").write_bytes(bytes(found.header.span_bytes))
    jobs = _run(fio, fio_replay.JOB_FILE, tmp_path)
    table = list(csv.DictReader(written[fio_replay.WEIGHTS].splitlines()))
    assert [(row["window"], row["cluster"], row["weight"]) for row in table] == [
        ("1", "calm", "7"),
        ("9", "storm", "1"),
    ]
    ends = windows_play.parts_ns(found.header)
    late_ns = 150_000_000  # fio ends a ramp some tens of ms late
    counts = [
        len(found.rows.filter((pl.col("time_ns") > low) & (pl.col("time_ns") <= high)))
        for low, high in ((ends[0], ends[1]), (ends[2], ends[3]), (ends[2] + late_ns, ends[3]))
    ]
    made = [each["read"]["total_ios"] + each["write"]["total_ios"] for each in jobs]
    assert made[0] == counts[0]
    assert 0.7 * counts[1] < counts[2] <= made[1] <= counts[1], "but for what comes while ramps end"
    assert [each["read"]["io_bytes"] > 0 for each in jobs] == [True, False]
    # On loopback storage a request takes well below the 10 ms that a queue waited for would add.
    assert all(each[op]["clat_ns"]["N"] == each[op]["total_ios"] for each in jobs for op in ("read", "write"))
    assert any("ramp" in line for line in losses)


def _run(fio: str, job: str, folder: Path) -> list[dict[str, Any]]:
    command = [fio, "--output-format=json", "--output=report.json", job]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    report = json.loads((folder / "report.json").read_text())
    return report["jobs"]  # type: ignore[no-any-return]


def test_the_verb(tmp_path: Path, drivecast: Any) -> None:
    model = tmp_path / "m.windows"
    windows_file.write(model, archive())
    run: Run = drivecast("model", "export", model, "--to", "fio", "--seconds", "10", "-o", tmp_path / "m.fio")
    assert run.code == 0, run.err
    assert "lost: " in run.err
    folder = tmp_path / "replay"
    made: Run = drivecast(
        "model", "export", model, "--to", "fio", "--replay", folder, "--output-format", "json"
    )
    assert made.code == 0, made.err
    assert made.json["windows"] == 2
    assert {"replay.fio", "weights.csv", "window-3-0.log"} <= {path.name for path in folder.iterdir()}
    for options, place in (
        (("--to", "fio", "--replay", folder), str(folder)),
        (("--to", "vdbench", "--replay", tmp_path / "new"), "`--to fio`"),
        (("--to", "fio", "--seconds", "1", "-o", tmp_path / "x.fio"), "1 s"),
    ):
        refused: Run = drivecast("model", "export", model, *options)
        assert refused.code == 2
        assert place in refused.err
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".tmp"]
    toml: Run = drivecast("model", "export", "no.toml", "--to", "fio", "--seconds", "5")
    assert toml.code == 2
    assert "--seconds" in toml.err
