"""Real runs on a real file, by fio and by the replayer, next to predictions; and what of a test counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import invoke
from drivecast.compare import comparison_side
from drivecast.document import result
from drivecast.errors import InputError
from measured import document, outcome, point
from small_traces import mixed, write

DISK = "hdd(capacity=300GB, rpm=15000)"
LINE = "random(4KiB, read=0.7, iodepth=4)"


@pytest.mark.needs("fio")
def test_what_fio_measures_is_compared_second_by_second(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    options = ("--size", "32MiB", "--ramp", "0", "--runtime", "10", "--repeats", "1", "-o", path, "-q")
    assert invoke("bench", "run", LINE, "--on", tmp_path, *options).code == 0
    found = invoke("compare", path, DISK, "--output-format", "json", "--history", tmp_path / "errors.jsonl")
    assert found.code == 1, found.err
    figures = {(row["op"], row["figure"]): row for row in found.json["points"][0]["figures"]}
    median = figures["read", "q0.5"]
    assert median["resampled"] == "seconds"
    assert median["measured_low"] < median["measured"] < median["measured_high"]
    assert median["outcome"] == "beyond"  # whatever this machine has, it is no such disk
    assert json.loads((tmp_path / "errors.jsonl").read_text())["kind"] == "random-mixed-small-closed-shallow"


def test_a_replay_is_simulated_as_it_was_played(tmp_path: Path) -> None:
    trace, path = write(tmp_path, mixed()), tmp_path / "r.json"
    played = invoke("bench", "replay", trace, "--on", tmp_path, "--pack", "-o", path, "-q")
    assert played.code == 0, played.err
    found = invoke("compare", path, "ssd(logical=1GiB, spare_factor=0.2)", "--output-format", "json").json
    rows = {(row["op"], row["figure"]): row for row in found["points"][0]["figures"]}
    # An open loop: the rate is the trace's on both sides, where a busy machine is not late. A closed one is far faster.
    assert rows["all", "iops"]["ratio"] == pytest.approx(1.0, rel=0.3)
    assert found["points"][0]["kind"].split("-")[3] == "open"
    deep = json.loads(path.read_text())
    deep["points"][0]["settings"]["own_depth"] = True
    path.write_text(json.dumps(deep))
    design = "ssd(logical=1GiB, spare_factor=0.2)"
    hurried = invoke("compare", path, design, "--accept", "span", "--output-format", "json").json
    assert hurried["points"][0]["kind"].split("-")[3] == "closed"


def steady(*, reached: bool) -> result.Result:
    """A steady-state test of one cell: preconditioning and six rounds, the last five its window."""
    found = outcome(DISK, LINE, seed=1, seconds=12)

    def cell(**settings: Any) -> result.Point:
        return point(found, LINE, settings={"part": "iops", "stretch": 1, **settings})

    points = [cell(stage="precondition"), *(cell(stage="round", round=at) for at in range(1, 7))]
    window = [2, 6] if reached else None
    part = {
        "part": "iops", "reached": reached, "stretch": 1, "window": window, "ended_by": "rounds", "rounds": 6,
        "rounds_max": 25, "purge": None, "iodepth": 1, "threads": 1, "variables": [], "matrix": [],
    }  # fmt: skip
    findings = {
        "test": "iops", "specification": "SNIA", "follows": True, "quick": False, "deviations": [],
        "span_bytes": 1 << 30, "step_s": 60, "reached": reached, "parts": [part],
    }  # fmt: skip
    return document(points, kind="steady-state", findings=findings)


def test_of_a_steady_state_test_the_window_counts(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    result.write(path, steady(reached=True))
    runs = comparison_side.read(path).runs
    assert [len(run.outcomes) for run in runs] == [5]
    result.write(path, steady(reached=False))
    with pytest.raises(InputError):
        comparison_side.read(path)


def test_a_model_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "load.toml"
    trace = write(tmp_path, mixed())
    assert invoke("model", "fit", trace, "-o", model).code == 0
    path = tmp_path / "r.json"
    result.write(
        path, document([point(outcome(DISK, LINE, seed=1, seconds=5), str(model), workload_hash="0" * 32)])
    )
    refused = invoke("compare", path, DISK)
    assert refused.code == 2
    assert f"`{model}`" in refused.err


def test_neighbours_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    noise = {"others_read_bytes": 5e9, "others_written_bytes": 0.0}
    result.write(path, document([point(outcome(DISK, LINE, seed=1, seconds=20), LINE, noise=noise)]))
    assert "5.0 GB" in invoke("compare", path, DISK).err


def test_a_line_is_the_same_however_it_is_written(tmp_path: Path) -> None:
    plain, other = tmp_path / "plain.json", tmp_path / "other.json"
    found = outcome(DISK, LINE, seed=1, seconds=20)
    result.write(plain, document([point(found, "random(4KiB, read=0.7, iodepth=4)")]))
    result.write(other, document([point(found, "random( 4096B, iodepth=4,read=70%, span=0.5)")]))
    same = invoke("compare", plain, other, "--output-format", "json")
    assert same.code == 0, same.err
    result.write(other, document([point(found, "random(4KiB, read=0.7, iodepth=5)")]))
    assert invoke("compare", plain, other).code == 2
