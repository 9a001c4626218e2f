"""A test of steady state in words and in figures: what is said, and what is drawn."""

import json
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest

from agreed import agreed
from drivecast.document.findings import Cliff, SteadyPart, SteadyState, Tracked
from drivecast.document.result import Point, Result, TargetRow
from drivecast.present import result_page, style
from drivecast.present.figure.convergence import convergence, saturation
from drivecast.present.measured import steady_state
from drivecast.present.measured.result_summary import headline


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


def texts() -> Iterator[str]:
    """By the book, not reached, quick, with exceptions, and with a cliff or none: in the terminal and over a page."""
    missed = result(holds=False, reached=False, quick=True, follows=False, deviations=["`x` y"])
    excepted = [result(follows=False, deviations=names) for names in (["x"], ["x", "y"])]
    for found in (result(), missed, *excepted, saturated(CLIFF), saturated(None)):
        yield text(found)
        over = headline(whole(found))
        tiles = [f"{tile.name}: {tile.figure}; {', '.join(tile.notes)}" for tile in over.tiles]
        yield "\n".join([over.title, *over.sentences, *tiles])


def test_the_text_is_the_one_that_was_read() -> None:
    """After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference."""
    agreed("steady-state.txt", "\n\n".join(texts()) + "\n")


@pytest.mark.parametrize("changed", [{"quick": True}, {"deviations": ["x"]}, {"deviations": ["x", "y"]}])
def test_what_is_not_by_the_book_says_so_in_every_row(changed: dict[str, Any]) -> None:
    (rules,) = {row["rules"] for row in rows(result(follows=False, **changed))}
    assert rules not in {row["rules"] for row in rows(result())}


def test_a_name_cannot_move_the_cursor() -> None:
    told = result().model_copy(update={"targets": [TargetRow(name="a\x1b[2Jb")]})
    assert "\x1b" not in text(told)


def test_a_saturation_has_a_row_for_each_step() -> None:
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
    assert "cliff" in drawn
    assert "cliff" not in style.to_svg(saturation(pl.DataFrame(SERIES), 4 * 10**9, None))


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
        assert "9,000" in page


def whole(of: Result) -> Result:
    """The result with a point, as a page wants one."""
    outcome = {"iops": 1.0, "throughput_bytes_per_s": 1.0}
    point = Point(target="/dev/sdx", settings={}, workload="random(4KiB)", started="", outcome=outcome)
    return of.model_copy(update={"points": [point], "complete": True, "started": "2026-01-01T00:00:00+00:00"})
