"""Each figure as a value: its marks, its axes with units, and the rows it draws."""

import math
import resource
from functools import cache
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

from drivecast.document.cost import Cost
from drivecast.document.outcome import LatencyHistogram, Seconds
from drivecast.document.plan import Plan
from drivecast.document.profile import BlockSize, HeatMap
from drivecast.errors import InputError
from drivecast.present import drawing, style, table
from drivecast.quantity.interval import Span
from real_plan import plan

TITLES = {
    "iops": {"time (s)", "requests per second (IOPS)"},
    "throughput": {"time (s)", "throughput (MB/s)"},
    "queue-depth": {"time (s)", "queue depth (requests outstanding)"},
    "block-size": {"request size, up to", "share of reads or writes (%)"},
    "heat-map": {"time (s)", "address (GB)"},
    "cost-latency": {"cost over 5 years (USD)", "p99 read latency (ms)"},
    "life": {"years until worn out (50 and more drawn at 50)"},
    "latency": {
        "read latency (ms)",
        "write latency (ms)",
        "share of reads that take longer (%)",
        "share of writes that take longer (%)",
    },
    "headroom": {"times the measured peak (IOPS)"},
    "cost": {"cost over 5 years (USD)"},
    "tornado": {"cost over 5 years (USD)"},
    "tornado-life": {"years until worn out (50 and more drawn at 50)"},
    "latency-over-time": {"time in the peak window (s)", "latency in each second (ms)"},
}


def figures(of: Plan) -> dict[str, drawing.Figure]:
    winner = of.find(of.winner)
    first = drawing.cost_against_latency(of)
    found = [
        *drawing.of_workload(of.workload.profile),
        *([first] if first else []),
        *drawing.of_designs(of),
    ]
    found += [*drawing.of_winner(of, winner), *drawing.of_sensitivity(of, winner)] if winner else []
    return {figure.name: figure for figure in found}


@cache
def drawn() -> dict[str, drawing.Figure]:
    return figures(plan())


def layers(spec: dict[str, Any]) -> list[dict[str, Any]]:
    parts = spec.get("layer", []) + spec.get("hconcat", [])
    return [leaf for part in parts for leaf in layers(part)] if parts else [spec]


def kind(layer: dict[str, Any]) -> str:
    mark = layer["mark"]
    return str(mark["type"] if isinstance(mark, dict) else mark)


def rows(spec: dict[str, Any], mark: str) -> list[dict[str, Any]]:
    """The rows of the first layer with this mark."""
    layer = next(layer for layer in layers(spec) if kind(layer) == mark)
    data = layer.get("data") or spec["data"]
    found = data.get("values") or spec["datasets"][data["name"]]
    return list(found)


def axes(figure: drawing.Figure) -> set[str]:
    return {
        channel["title"]
        for layer in layers(style.spec(figure.chart))
        for axis, channel in layer["encoding"].items()
        if axis in ("x", "y") and channel.get("title")
    }


def test_every_figure_is_drawn_with_what_its_axes_show_and_its_unit() -> None:
    assert {name: axes(figure) for name, figure in drawn().items()} == TITLES


def test_iops_has_a_row_a_second_and_operation_that_sum_to_the_requests() -> None:
    bars = rows(style.spec(drawn()["iops"].chart), "area")
    profile = plan().workload.profile
    assert profile.seconds is not None
    assert len(bars) == 2 * len(profile.seconds)
    assert sum(row["rate"] for row in bars) == profile.requests


def test_the_peak_window_is_shaded_where_it_lies() -> None:
    (band,) = rows(style.spec(drawn()["iops"].chart), "rect")
    window = plan().workload.profile.peak_window
    assert (band["start"], band["end"]) == (window.start_s, window.start_s + window.length_s)


def test_cost_against_latency_has_all_that_was_simulated_and_joins_what_no_cheaper_design_beats() -> None:
    spec = style.spec(drawn()["cost-latency"].chart)
    assert len(rows(spec, "point")) == plan().counts.simulated
    stairs = rows(spec, "line")
    assert [row["cost"] for row in stairs] == sorted(row["cost"] for row in stairs)
    assert [row["read_ms"] for row in stairs] == sorted((row["read_ms"] for row in stairs), reverse=True)
    assert all(row["verdict"] == "fits" for row in stairs)


def test_no_design_is_drawn_outside_the_axes_and_names_have_room_on_their_left() -> None:
    cheap = next(design for design in plan().designs if design.verdict == "misses")
    far = [
        cheap.model_copy(update={"read_p99_ns": Span(value=value), "cost": Cost(total=total)})
        for value, total in ((1, 1e9), (1e15, 0.01), (1, 0.01), (1e15, 1e9))
    ]
    spec = style.spec(
        figures(plan().model_copy(update={"designs": [*plan().designs, *far]}))["cost-latency"].chart
    )
    layer = next(layer for layer in layers(spec) if kind(layer) == "point")
    low, high = layer["encoding"]["x"]["scale"]["domain"]
    least, most = layer["encoding"]["y"]["scale"]["domain"]
    points = rows(spec, "point")
    assert all(low <= row["cost"] <= high and least <= row["read_ms"] <= most for row in points)
    assert sum(row["beyond"] for row in points) >= len(far)
    cheapest = min(row["cost"] for row in points if row["verdict"] == "fits")
    assert math.log(cheapest / low) / math.log(high / low) > 0.2


def test_dots_that_would_hide_each_other_carry_one_number() -> None:
    first, *others = plan().ranked()
    twin = first.model_copy(update={"line": "twin", "title": "twin", "rank": len(others) + 2})
    shown = plan().model_copy(update={"designs": [first, *others, twin]})
    points = rows(style.spec(figures(shown)["cost-latency"].chart), "point")
    numbered = [row for row in points if row["number"] is not None]
    front = [row for row in points if row["pareto_optimal"]]
    assert 0 < len(numbered) < len(front)
    assert all(row["number"] == row["rank"] for row in numbered)


def test_where_nothing_fits_the_nearest_are_drawn_in_the_place_of_the_front() -> None:
    nearest = [design.line for design in plan().ranked()[:3]]
    designs = [
        design.model_copy(update={"verdict": "misses", "rank": None, "pareto_optimal": False})
        if design.verdict == "fits"
        else design
        for design in plan().designs
    ]
    spec = style.spec(
        figures(plan().model_copy(update={"designs": designs, "winner": None, "nearest": nearest}))[
            "cost-latency-none"
        ].chart
    )
    assert {row["line"] for row in rows(spec, "line")} <= set(nearest)


def test_the_latency_curves_fall_and_end_at_one_in_a_hundred_thousand() -> None:
    curve = table.exceedance(plan().ranked()[:1], "read")
    assert curve["share"].is_sorted(descending=True)
    assert curve["latency_ms"].is_sorted()
    assert 1e-5 <= curve["share"][-1] < 1e-4


def test_without_a_histogram_the_curve_goes_through_the_quantiles() -> None:
    design = plan().ranked()[0]
    bare = design.model_copy(
        update={"outcome": design.outcome.model_copy(update={"latencies": LatencyHistogram()})}
    )
    curve = table.exceedance([bare], "read")
    assert (
        dict(zip(curve["share"], curve["latency_ms"], strict=True))[0.01]
        == design.outcome.latency_of("read", "q0.99") / 1e6
    )


def test_the_heat_map_joins_equal_cells_and_keeps_every_cell_with_a_request() -> None:
    heat_map = HeatMap(time_bin_s=1, address_bin_bytes=1e9, counts=[[1, 0], [1, 0], [0, 64], [1, 0]])
    cells = table.heat_cells(heat_map)
    drawn = {(row["start_s"], row["end_s"], row["low_gb"]) for row in cells.iter_rows(named=True)}
    assert drawn == {(0, 2, 0), (3, 4, 0), (2, 3, 1)}


def test_what_matters_most_stands_on_top_and_bars_start_at_the_likely_value() -> None:
    winner = plan().find(plan().winner)
    bars = rows(style.spec(drawn()["tornado"].chart), "bar")
    names = list(dict.fromkeys(row["input"] for row in bars))
    swings = {move.input: move.swing for move in winner.sensitivity}
    assert names == sorted(names, key=lambda name: -swings[name])
    assert {row["middle"] for row in bars} == {winner.cost.total}
    lives = rows(style.spec(drawn()["tornado-life"].chart), "bar")
    assert {row["input"] for row in lives} == {"growth", "hours a day"}, (
        "rated writes end it, whatever the cycles"
    )


def test_a_long_series_is_drawn_by_bins_that_keep_its_mean() -> None:
    seconds = Seconds(
        [
            {"second": at, "reads": at % 7, "writes": 0, "read_bytes": 0, "written_bytes": 0}
            for at in range(10_000)
        ]
    )
    binned = table.seconds(seconds)
    assert binned.height <= table.BINS_MAX
    assert binned["reads"].mean() == pytest.approx(sum(row["reads"] for row in seconds) / 10_000, rel=1e-3)


def test_sizes_fall_in_the_power_of_two_that_holds_them() -> None:
    sizes = [BlockSize(op="read", size_bytes=size, count=1) for size in (512, 16_384, 16_385, 20_000)]
    drawn = table.block_sizes(plan().workload.profile.model_copy(update={"sizes": sizes}))
    assert dict(zip(drawn["size"], drawn["share"], strict=True)) == {
        "512 B": 0.25,
        "16 KiB": 0.25,
        "32 KiB": 0.5,
    }


def test_a_figure_as_png(tmp_path: Path) -> None:
    style.to_png(drawn()["headroom"].chart, tmp_path / "headroom.png", scale=1)
    assert (tmp_path / "headroom.png").read_bytes().startswith(b"\x89PNG")


def test_with_few_addresses_a_page_says_so_in_place_of_a_figure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Under `ulimit -v` the engine printed a stack of C and was gone."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (4_000_000_000, 4_000_000_000))
    chart = alt.Chart(pl.DataFrame({"x": [1]})).mark_point()
    assert "4.0 GB" in style.to_svg(chart)
    with pytest.raises(InputError, match=r"4\.0 GB"):
        style.to_png(chart, tmp_path / "chart.png")
