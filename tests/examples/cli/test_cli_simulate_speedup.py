"""`simulate --speedup`: traces and lines with a rate are played faster, closed loops have no speed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_traces import mixed, write

Program = Callable[..., Any]
DESIGN = "ssd(logical=128MiB, pages_per_block=64)"
JSON = ("--output-format", "json")


def test_a_line_with_a_rate_is_the_line_of_the_higher_rate(drivecast: Program) -> None:
    command = ("simulate", DESIGN, "--duration", "2", *JSON)
    twice = drivecast(*command, "-w", "random(4KiB, read=0.5, rate=1k)", "--speedup", "2").json
    higher = drivecast(*command, "-w", "random(4KiB, read=0.5, rate=2k)").json
    assert twice["requests"] == higher["requests"] > 3_000
    assert twice["read"] == higher["read"]


def test_a_closed_loop_is_refused(drivecast: Program) -> None:
    refused = drivecast("simulate", DESIGN, "-w", "random(4KiB, iodepth=4)", "--speedup", "2")
    assert refused.code == 2
    assert "`speedup`" in refused.err


def test_a_window_without_a_length_ends_with_the_trace(drivecast: Program, tmp_path: Path) -> None:
    """Seconds were once counted to the end of time, in 23 GB."""
    trace = write(tmp_path, mixed(2000))
    command = ("simulate", "samsung-pm9a3-960gb", "-w", trace, "--speedup", "8", *JSON)
    whole, window = drivecast(*command).json, drivecast(*command, "--start", "1e-6").json
    assert len(window["seconds"]) == len(whole["seconds"]) == 2
    longer = drivecast(*command, "--start", "1e-6", "--length", "1e9").json
    assert longer["duration_s"] == window["duration_s"]
