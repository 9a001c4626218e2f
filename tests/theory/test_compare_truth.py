"""A simulated device replaces the real one: the right drive passes, and a wrong one is reported, and how."""

from dataclasses import replace
from pathlib import Path

import pytest

from bundled import CATALOG
from drivecast.compare import comparison, comparison_side, predict
from drivecast.compare.comparison import Rule
from drivecast.compare.predict import Conditions
from drivecast.document import result
from drivecast.document.comparison import Comparison, Run, Side
from drivecast.present.comparison_text import worded
from measured import document, outcome, point, run

DISK = "hdd(capacity=300GB, rpm=15000)"
SLOWER = "hdd(capacity=300GB, rpm=7200)"
LINES = ["random(4KiB, read=0.7, iodepth=4)", "random(16KiB, read=1, rate=60iops)"]
SECONDS = 120.0


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three repeats on a disk of 15,000 turns a minute."""
    path = tmp_path_factory.mktemp("measured") / "result.json"
    return run(path, DISK, LINES, seeds=(11, 12, 13), seconds=SECONDS)


def against(path: Path, design: str, rule: Rule | None = None) -> Comparison:
    found = comparison.with_design(
        comparison_side.read(path), design, Conditions(CATALOG), rule or Rule(), lambda _share, _what: None
    )
    return worded(found)


def test_the_right_drive_passes(measured: Path) -> None:
    found = against(measured, DISK)
    assert found.outcome == "within", [compared.verdict for compared in found.points]
    for compared in found.points:
        for figure in compared.figures:
            if figure.figure in ("iops", "q0.5", "q0.9", "q0.99"):
                assert figure.factor < 1.1, figure


def test_noise_of_the_right_drive_is_named_noise(measured: Path) -> None:
    """Of all that is judged, about one figure in twenty lies beyond an interval of 95 %."""
    figures = [
        figure
        for point in against(measured, DISK).points
        for figure in point.figures
        if figure.beyond_noise is not None
    ]
    assert len(figures) > 20
    assert sum(bool(figure.beyond_noise) for figure in figures) / len(figures) < 0.2


def test_a_slower_drive_is_named_too_slow(measured: Path) -> None:
    found = against(measured, SLOWER)
    assert found.outcome == "beyond"
    closed = found.points[0].verdict
    assert "IOPS" in closed[0]
    assert "too low" in closed[0]
    assert any(line.startswith("reads: ") and "too slow" in line for line in closed)
    assert not any("too fast" in line for line in closed)


def test_a_load_that_saturates_one_side_only_is_noted(tmp_path: Path) -> None:
    line = "random(4KiB, read=1, rate=220iops)"
    path = run(tmp_path / "r.json", DISK, [line], seconds=SECONDS)
    found = against(path, SLOWER)
    assert found.points[0].saturated == "predicted"
    assert found.outcome == "beyond"


def test_a_tail_that_the_prediction_lacks_is_found_where_it_begins(tmp_path: Path) -> None:
    true = outcome(DISK, LINES[0], seed=1, seconds=SECONDS).model_dump(mode="json")
    rows = [row for row in true["latencies"] if row["op"] == "read"]
    for row in rows:
        if row["quantile"] > 0.985:
            row["latency_ns"] *= 4
    for name in ("q0.99", "q0.999", "q0.9999", "max"):
        true["read"]["latency_ns"][name] *= 4
    path = tmp_path / "r.json"
    result.write(path, document([point(true, LINES[0])]))
    lines = against(path, DISK).points[0].verdict
    reads = next(line for line in lines if line.startswith("reads: "))
    assert reads.startswith("reads: p50 to p95 within 1.0")
    assert "p99" in reads.split(", ")[1]
    assert "too fast" in reads


def test_two_modes_of_one_side_are_noted(tmp_path: Path) -> None:
    """A cache that holds a third of the reads makes a mode that the disk alone does not have."""
    line = "random(4KiB, read=1, iodepth=1)"
    true = outcome(DISK, line, seed=1, seconds=SECONDS).model_dump(mode="json")
    whole = true["read"]["requests"]
    true["latencies"].insert(0, {"op": "read", "latency_ns": 1e5, "count": whole / 2, "quantile": 0.33})
    path = tmp_path / "r.json"
    result.write(path, document([point(true, "random(4KiB, read=1, iodepth=1)")]))
    lines = against(path, DISK).points[0].verdict
    assert any(
        line.startswith("measured read latencies have 2 modes, at 0.095 ms (33 %)") for line in lines
    ), lines


def test_a_short_run_is_undecided(tmp_path: Path) -> None:
    path = run(tmp_path / "r.json", DISK, [LINES[0]], seconds=0.2)
    found = against(path, DISK)
    assert found.outcome == "untold"


def test_the_span_that_was_measured_is_the_one_that_is_simulated() -> None:
    """A file of a hundredth of the disk has short seeks; the line itself says nothing of it."""
    line = "random(4KiB, read=1, iodepth=1)"
    near = outcome(DISK, line.replace(")", ", span=0.01)"), seed=1, seconds=60.0)
    measured = Side(
        "r.json",
        [Run("/mnt/candidate", line, {}, [near], span_bytes=3_000_000_000)],
        seed=0,
        measured=True,
    )
    given = Conditions(CATALOG)
    small = comparison.with_design(measured, DISK, given, Rule(), lambda _share, _what: None)
    assert small.outcome == "within"
    spanned = next(figure for figure in small.points[0].figures if figure.figure == "q0.5")
    unspanned = replace(measured, runs=[replace(measured.runs[0], span_bytes=None)])
    whole = comparison.with_design(unspanned, DISK, given, Rule(), lambda _share, _what: None)
    far = next(figure for figure in whole.points[0].figures if figure.figure == "q0.5")
    assert spanned.ratio == pytest.approx(1.0, rel=0.05)
    assert far.ratio > 1.2


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("random(4KiB, read=1)", "random(4KiB, read=1, span=0.5)"),
        ("random(4KiB, span=1.0, read=1)", "random(4KiB, span=0.5, read=1)"),
        ("jesd219", "jesd219(span=0.5)"),
        ("jesd219()", "jesd219(span=0.5)"),
    ],
)
def test_a_line_is_written_with_its_span(line: str, expected: str) -> None:
    assert predict.with_setting(line, "span", "0.5") == expected
