"""`drivecast compare` as users meet it: verdicts, exit codes, outputs, and what it refuses."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import invoke
from drivecast.cli.verb import json_text
from drivecast.document import result
from measured import document, outcome, point, run
from text_boxes import Fault

DISK = "hdd(capacity=300GB, rpm=15000)"
SLOWER = "hdd(capacity=300GB, rpm=7200)"
LINE = "random(4KiB, read=0.7, iodepth=4)"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three repeats on a disk."""
    return run(tmp_path_factory.mktemp("m") / "result.json", DISK, [LINE], seeds=(11, 12, 13))


def test_the_right_design_ends_with_0_and_a_wrong_one_with_1(measured: Path) -> None:
    right = invoke("compare", measured, DISK)
    assert right.code == 0, right.err
    assert "IOPS" in right.out
    wrong = invoke("compare", measured, SLOWER)
    assert wrong.code == 1
    assert "too slow" in wrong.out
    assert invoke("compare", measured, SLOWER, "--tolerance", "9").code == 0


@pytest.mark.parametrize("faults", ["wide"], indirect=True)
def test_data_page_and_text_say_the_same(
    measured: Path, tmp_path: Path, faults: Callable[[dict[str, str]], list[Fault]]
) -> None:
    page, data = tmp_path / "page.html", tmp_path / "data.json"
    found = invoke("compare", measured, DISK, "-o", page, "--output-format", "json").json
    assert found["outcome"] == "within"
    assert found["points"][0]["kind"] == "random-mixed-small-closed-shallow"
    assert found["points"][0]["repeats"] == 3
    figures = {(row["op"], row["figure"]): row for row in found["points"][0]["figures"]}
    median = figures["read", "q0.5"]
    assert median["ratio"] == pytest.approx(median["predicted"] / median["measured"])
    assert median["ratio_low"] < median["ratio"] < median["ratio_high"]
    assert median["resampled"] == "repeats"
    assert figures["read", "max"]["outcome"] == "shown"
    text = page.read_text()
    assert text.count("<svg") == 4
    assert found["verdict"][1:] in text
    assert "<script" not in text
    assert faults({"comparison": text}) == []
    again = invoke("compare", measured, DISK, "-o", data, "--output-format", "csv")
    assert json.loads(data.read_text()) == found
    rows = list(csv.DictReader(io.StringIO(again.out)))
    assert len(rows) == len(found["points"][0]["figures"])
    assert float(rows[0]["ratio"]) == figures["all", "iops"]["ratio"]


def test_an_outcome_and_another_result_are_compared_as_well(measured: Path, tmp_path: Path) -> None:
    simulated = tmp_path / "predicted.json"
    invoke("simulate", DISK, "-w", LINE, "--duration", "60", "-o", simulated)
    found = invoke("compare", measured, simulated, "--output-format", "json")
    assert found.code == 0, found.err
    assert found.json["against"] == "prediction"
    other = run(tmp_path / "other.json", DISK, [LINE], seeds=(21, 22, 23))
    both = invoke("compare", measured, other, "--output-format", "json")
    assert both.code == 0
    assert both.json["against"] == "measurement"
    assert "errors of" not in both.err


@pytest.mark.parametrize("late_for", [[], ["flush"], ["read", "flush"]])
def test_what_an_attached_design_was_late_for_is_said(tmp_path: Path, late_for: list[str]) -> None:
    live, simulated = tmp_path / "live.json", tmp_path / "simulated.json"
    invoke("simulate", DISK, "-w", LINE, "--duration", "60", "-o", simulated)
    late = {"requests": 9, "late": 1, "p50_ns": 0, "p99_ns": 9e6, "p999_ns": 9e6, "max_ns": 9e6}
    change(simulated, live, lateness={**late, "transport_ns": 0, "late_for": late_for})
    found = invoke("compare", live, simulated)
    assert found.code == 0, found.err
    assert ("note: " in found.err) == bool(late_for)
    assert f"({' and '.join(late_for)})" in found.err or not late_for


def change(path: Path, to: Path, **changes: Any) -> Path:
    """A result with other contents."""
    to.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    return to


def test_unlike_runs_are_refused(measured: Path, tmp_path: Path) -> None:
    def refused(*arguments: Any) -> str:
        found = invoke("compare", *arguments)
        assert found.code == 2, found.out
        assert found.out == ""
        return str(found.err)

    partial = change(measured, tmp_path / "partial.json", complete=False, partial="interrupted")
    assert "`--accept partial`" in refused(partial, DISK)
    assert "note: " in invoke("compare", partial, DISK, "--accept", "partial").err
    assert "`--accept seed`" in refused(measured, change(measured, tmp_path / "seed.json", seed=5))
    other = run(tmp_path / "other.json", DISK, ["random(16KiB, read=0.7, iodepth=4)"])
    assert "iodepth=4" in refused(measured, other)
    mix = tmp_path / "mix.json"
    invoke("simulate", DISK, "-w", "random(16KiB, read=0.1, iodepth=4)", "--duration", "60", "-o", mix)
    assert "read=0.1" in refused(measured, mix)
    unnamed = {key: value for key, value in json.loads(mix.read_text()).items() if key != "workload"}
    mix.write_text(json.dumps(unnamed))
    assert "10%" in refused(measured, mix), "the share of reads"
    points = json.loads(measured.read_text())["points"]
    spans = [
        change(measured, tmp_path / f"{at}.json", points=[{**row, "span_bytes": at} for row in points])
        for at in (10**9, 10**10)
    ]
    assert "`--accept span`" in refused(*spans)
    assert invoke("compare", *spans, "--accept", "span").code == 0
    hashes = [
        change(measured, tmp_path / f"{at}.json", points=[{**row, "workload_hash": at} for row in points])
        for at in ("aa", "bb")
    ]
    assert "bb" in refused(*hashes)
    large = [{**row, "span_bytes": 10**12} for row in points]
    assert "1,000.0 GB" in refused(change(measured, tmp_path / "large.json", points=large), DISK)


def test_a_database_is_compared_with_a_result_and_not_with_a_design(tmp_path: Path) -> None:
    def database(name: str, per_s: float) -> Path:
        rows = [{"second": float(at), "per_s": per_s + 10 * (at % 3)} for at in range(30)]
        carried = {"per_s": per_s + 10, "latency_ns": {"mean": 1e6, "q0.95": 2e6}, "seconds": rows}
        measured_point = result.Point(
            target="/mnt/candidate",
            settings={"threads": 16},
            workload=None,
            started="2026-11-21T10:00:00+00:00",
            transactions=result.Transactions(**carried),
        )
        result.write(tmp_path / name, document([measured_point], kind="database"))
        return tmp_path / name

    slow, fast = database("slow.json", 1000), database("fast.json", 1500)
    found = invoke("compare", slow, fast, "--output-format", "json")
    assert found.code == 1
    rate = found.json["points"][0]["figures"][0]
    assert (rate["op"], rate["figure"]) == ("transaction", "iops")
    assert rate["ratio"] == pytest.approx(1510 / 1010)
    assert invoke("compare", slow, DISK).code == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", "neither a result nor an outcome"),
        ("[1]", "neither a result nor an outcome"),
        ("nonsense", "is not JSON"),
        ('{"points": 1}', "is no result of `drivecast bench`"),
        ('{"iops": 1, "read": {"latency_ns": {"q0.5": "fast"}}, "write": null}', "read.latency_ns.q0.5"),
        ('{"iops": NaN, "read": null, "write": null}', "iops"),
    ],
)
def test_what_is_no_measurement_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    found = invoke("compare", path, path)
    assert found.code == 2
    assert expected in found.err + found.out


def test_wrong_use_is_refused(measured: Path, tmp_path: Path) -> None:
    for sides in ((tmp_path / "none.json", DISK), (measured, tmp_path / "none.json")):
        assert f"`{tmp_path / 'none.json'}`" in invoke("compare", *sides).err
    assert "no-such-drive" in invoke("compare", measured, "no-such-drive").err
    lone = tmp_path / "outcome.json"
    lone.write_text(json_text(outcome(DISK, LINE, seed=0, seconds=20)))
    unnamed = invoke("compare", lone, DISK)
    assert unnamed.code == 2
    assert "`--workload`" in unnamed.err
    assert invoke("compare", lone, DISK, "-w", LINE, "--history", "none").code in (0, 1)


def test_a_file_named_as_a_verb_is_given_with_its_folder(measured: Path, tmp_path: Path) -> None:
    (tmp_path / "history").write_text(measured.read_text())
    assert invoke("compare", "./history", DISK, cwd=tmp_path).code == 0
    (tmp_path / "result").write_text(measured.read_text())
    assert invoke("compare", "result", DISK, cwd=tmp_path).code == 0
    shown = invoke("compare", "--help").out
    assert "compare [OPTIONS] {RESULT} {PREDICTION}" in shown
    assert "history  List the errors" in shown
    assert "compare history [OPTIONS]" in invoke("compare", "history", "--help").out


def test_a_point_that_was_measured_twice_under_other_settings_is_two(tmp_path: Path) -> None:
    points = [
        point(outcome(DISK, LINE, seed=at, seconds=30), LINE, settings={"engine": engine, "repeat": at})
        for engine in ("io_uring", "libaio")
        for at in (1, 2)
    ]
    path = tmp_path / "r.json"
    result.write(path, document(points))
    found = invoke("compare", path, DISK, "--output-format", "json").json
    assert [row["settings"]["engine"] for row in found["points"]] == ["io_uring", "libaio"]
    assert [row["repeats"] for row in found["points"]] == [2, 2]
