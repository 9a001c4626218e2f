"""A test of steady state in words and in figures: what is said, and what is drawn."""

import json
from typing import Any

import polars as pl
import pytest

from drivecast.document.findings import Cliff, SteadyPart, SteadyState, Tracked
from drivecast.document.result import Point, Result, TargetRow
from drivecast.present import result_page, style
from drivecast.present.figure.convergence import convergence, saturation
from drivecast.present.measured import steady_state
from drivecast.present.measured.headline import headline


def variable(values: list[float], *, holds: bool) -> dict[str, Any]:
    return {
        "name": "0/100 4 KiB",
        "read_fraction": 0,
        "block_bytes": 4096,
        "quantity": "iops",
        "unit": "1/s",
        "spacing": 1,
        "values": values,
        "mean": 100.0,
        "range": 0.02 if holds else 0.35,
        "range_holds": holds,
        "slope": 0.5,
        "excursion": 0.02,
        "slope_holds": True,
        "fit_first": 99.0,
        "fit_last": 101.0,
        "steady": holds,
    }


def result(*, holds: bool = True, **changed: Any) -> Result:
    cells = [
        {
            "name": f"{mix} {size} KiB",
            "read_fraction": int(mix.split("/")[0]) / 100,
            "block_bytes": size * 1024,
            "pattern": "random",
            "iops": iops,
            "throughput_bytes_per_s": 1.0,
            "latency_ns_mean": 1.0,
            "latency_ns_max": 1.0,
        }
        for mix, size, iops in (
            ("100/0", 4, 9000.0),
            ("100/0", 64, 900.0),
            ("0/100", 4, 100.0),
            ("0/100", 64, 10.0),
        )
    ]
    part = {
        "part": "IOPS",
        "reached": holds,
        "ended_by": "steady" if holds else "rounds",
        "rounds": 7,
        "rounds_max": 25,
        "stretch": 1,
        "purge": None,
        "iodepth": 32,
        "threads": 1,
        "window": [3, 7],
        "variables": [variable([400, 200, 99, 100, 100, 100, 101], holds=holds)],
        "matrix": cells,
        "histogram": None,
    }
    findings = {
        "test": "iops", "specification": "SNIA SSS PTS 2.0.2", "follows": True, "quick": False, "deviations": [],
        "span_bytes": 4 * 10**9, "step_s": 60.0, "reached": holds, "parts": [part],
    }  # fmt: skip
    return Result(
        kind="steady-state", title="", version="", seed=0, plan_hash="", command=[], started="", environment={},
        targets=[{"name": "/dev/sdx"}], points=[], findings=findings | changed,
    )  # fmt: skip


SERIES = [
    {"step": at + 1, "end_s": 60.0 * (at + 1), "written_bytes": 10**9 * (at + 1), "iops": 900.0 if at < 6 else 300.0,
     "latency_ns_mean": 1e6, "latency_ns_max": 2e6}
    for at in range(12)
]  # fmt: skip
CLIFF: dict[str, Any] = {
    "step": 7, "start_s": 360.0, "written_bytes": 6 * 10**9, "spans": 1.5, "iops_before": 900.0, "iops_settled": 300.0,
}  # fmt: skip


def steady(of: Result) -> SteadyState:
    assert isinstance(of.findings, SteadyState)
    return of.findings


def part_of(of: Result) -> SteadyPart:
    return steady(of).parts[0]


def text(of: Result) -> str:
    return steady_state.text(of, steady(of)).plain


def rows(of: Result) -> list[dict[str, Any]]:
    return steady_state.rows(of, steady(of))


def saturated(cliff: dict[str, float] | None) -> Result:
    part = {
        **part_of(result()).model_dump(exclude_unset=True), "reached": False, "ended_by": "capacity", "rounds": 12,
        "window": None,
        "variables": [], "matrix": [], "series": SERIES, "cliff": cliff,
    }  # fmt: skip
    return result(test="saturation", parts=[part])


def test_a_run_by_the_book_says_so() -> None:
    lines = text(result()).splitlines()
    assert lines[0] == "IOPS test of /dev/sdx by SNIA SSS PTS 2.0.2"
    assert "IOPS: steady state reached, measured in rounds 3 to 7" in lines
    assert not any("not as specified" in line for line in lines)


def test_the_matrix_is_laid_out_as_the_specification_does() -> None:
    lines = text(result()).splitlines()
    at = next(place for place, line in enumerate(lines) if "by R/W" in line)
    assert [line.split() for line in lines[at : at + 3]] == [
        ["IOPS", "by", "R/W", "0/100", "100/0"],
        ["4", "KiB", "100", "9,000"],
        ["64", "KiB", "10", "900"],
    ]


def test_not_reached_is_said_and_marked() -> None:
    lines = text(result(holds=False))
    assert "steady state NOT reached in 7 rounds; figures are of the last five rounds judged" in lines
    assert "35 % NO" in lines
    assert "2 % ok" in lines


@pytest.mark.parametrize(
    ("changed", "head"),
    [
        (
            {"quick": True, "follows": False, "deviations": ["x"]},
            "quick IOPS test of /dev/sdx, not SNIA SSS PTS 2.0.2",
        ),
        (
            {"follows": False, "deviations": ["x"]},
            "IOPS test of /dev/sdx after SNIA SSS PTS 2.0.2, with 1 exception",
        ),
        (
            {"follows": False, "deviations": ["x", "y"]},
            "IOPS test of /dev/sdx after SNIA SSS PTS 2.0.2, with 2 exceptions",
        ),
    ],
)
def test_what_is_not_by_the_book_says_so_everywhere(changed: dict[str, Any], head: str) -> None:
    lines = text(result(**changed)).splitlines()
    assert lines[:3] == [head, "  not as specified:", "    - x"]
    rules = {row["rules"] for row in rows(result(**changed))}
    assert len(rules) == 1
    assert rules.pop() in head.replace(", not", " quick, not")


def test_a_name_cannot_move_the_cursor() -> None:
    told = result().model_copy(update={"targets": [TargetRow(name="a\x1b[2Jb")]})
    assert "\x1b" not in text(told)


def test_the_cliff_in_words() -> None:
    lines = text(saturated(CLIFF))
    assert "cliff    after 360 s and 6 GB, 1.5× the span" in lines
    assert "from 900 to 300 IOPS at the end" in lines
    assert "12 steps, too few to judge steady state by" in lines
    assert "cliff    none" in text(saturated(None))
    assert [row["step"] for row in rows(saturated(None))] == list(range(1, 13))


def test_the_convergence_draws_window_band_and_fit() -> None:
    part = part_of(result())
    chart = convergence(part)
    drawn = json.dumps(style.spec(chart))
    rows = [row for rows in style.spec(chart)["datasets"].values() for row in rows]
    band = next(row for row in rows if "low" in row)
    assert [band[key] for key in ("round", "end", "low", "high")] == pytest.approx([2.5, 7.5, 90, 110])
    assert [row["value"] for row in rows if row.get("name") == "0/100 4 KiB"] == [
        400,
        200,
        99,
        100,
        100,
        100,
        101,
    ]
    assert {"round": 3, "value": 99.0} in rows
    assert {"round": 7, "value": 101.0} in rows
    assert "0/100 4 KiB, IOPS" in drawn
    assert style.READ in drawn
    assert style.LIMIT not in drawn
    missed = part_of(result(holds=False))
    chart = convergence(missed)
    assert style.LIMIT in json.dumps(style.spec(chart))
    assert style.to_svg(chart).startswith("<svg")


def test_rounds_before_the_fifth_are_drawn_without_a_window() -> None:
    early = {key: value for key, value in variable([400, 200], holds=True).items() if key != "mean"}
    part = part_of(result()).model_copy(update={"window": None, "variables": [Tracked(**early)]})
    chart = convergence(part)
    assert "<svg" in style.to_svg(chart)


def test_the_saturation_marks_the_cliff() -> None:
    drawn = style.to_svg(saturation(pl.DataFrame(SERIES), 4 * 10**9, Cliff(**CLIFF)))
    assert "cliff after 360 s, 6 GB: 900 to 300 IOPS" in drawn
    assert "written, times the span" in drawn
    assert "cliff" not in style.to_svg(saturation(pl.DataFrame(SERIES), 4 * 10**9, None))


def test_the_page_says_verdict_rules_and_figures() -> None:
    told = headline(whole(result()))
    assert told.title == "Steady at 100 random writes of 4 KiB a second"
    assert told.sentences[0] == "Measured by SNIA SSS PTS 2.0.2"
    assert [(tile.name, tile.figure, tile.notes) for tile in told.tiles] == [
        ("0/100 4 KiB", "100", ["range 2 %", "slope 2 %"])
    ]
    missed = headline(whole(result(holds=False, reached=False, quick=True, deviations=["`x` y"])))
    assert missed.title == "No steady state in 7 rounds"
    assert missed.sentences[0] == "A quick look, not SNIA SSS PTS 2.0.2"
    assert missed.sentences[-1] == "Not as specified: x y"
    assert headline(whole(saturated(CLIFF))).title == "Random writes fall from 900 to 300 IOPS after 6 GB"
    assert headline(whole(saturated(None))).title == "No cliff within 12 GB written"


@pytest.mark.parametrize(
    ("of", "names"),
    [
        (result(), ["convergence"]),
        (saturated(CLIFF), ["write-saturation"]),
    ],
)
def test_the_page_has_its_figures_and_tables(of: Result, names: list[str]) -> None:
    told = whole(of)
    page = result_page.render(told)
    for name in names:
        assert f'id="figure-{name}"' in page
    if names == ["convergence"]:
        assert "IOPS by reads and writes" in page
        assert "9,000" in page


def whole(of: Result) -> Result:
    """The result with a point, as a page wants one."""
    outcome = {"iops": 1.0, "throughput_bytes_per_s": 1.0}
    point = Point(target="/dev/sdx", settings={}, workload="random(4KiB)", started="", outcome=outcome)
    return of.model_copy(update={"points": [point], "complete": True, "started": "2026-01-01T00:00:00+00:00"})
