"""Writes `docs/images/ssd-spare.svg` and `docs/images/ssd-streams.svg`: write amplification simulated and by theory.

Points are runs of `drivecast wear`, curves the formulas of `docs/explanation/ssd.md`, solved here.
"""

import json
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import altair as alt

from drivecast.present import style

IMAGES = Path(__file__).parents[2] / "docs" / "images"
PROGRAM = Path(sys.executable).parent / "drivecast"
PAGES_PER_BLOCK = 64
DIE = f"logical=128MiB, channels=1, dies_per_channel=1, pages_per_block={PAGES_PER_BLOCK}"
SIMULATED = [0.07, 0.1, 0.15, 0.2, 0.28, 0.4, 0.5]
DRAWN = [0.06 + 0.005 * step for step in range(90)]
HOT = [(0.1, 0.9), (0.9, 0.1)]


def falls_through_zero(low: float, high: float, function: Callable[[float], float]) -> float:
    """Bisect."""
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return low


def fifo(alpha: float) -> float:
    """FIFO: 1 - 1/A = exp(-alpha/A)."""
    return falls_through_zero(1 + 1e-12, 1e4, lambda a: math.exp(-alpha / a) - (1 - 1 / a))


def greedy(alpha: float) -> float:
    """Greedy, mean field."""

    def valid(rate: float) -> float:
        share = total = 0.0
        for pages in range(PAGES_PER_BLOCK, 0, -1):
            mass = min(1 / (rate * pages), 1 - share)
            share, total = share + mass, total + mass * pages
        return total

    return alpha / falls_through_zero(1e-3, 1e3, lambda rate: valid(rate) - PAGES_PER_BLOCK / alpha)


def random(alpha: float) -> float:
    """d-choices with d = 1."""
    return 1 / (1 - 1 / alpha)


def mixed(alpha: float) -> float:
    """Hot and cold data in one FIFO log."""
    return falls_through_zero(
        1 + 1e-12, 1e4, lambda a: sum(r / (1 - math.exp(-alpha * r / (f * a))) for f, r in HOT) - a
    )


def separated(alpha: float) -> float:
    """Hot and cold data apart, the spare split at its best."""

    def cost(share: float) -> float:
        shares = (share, 1 - share)
        return sum(r * fifo(1 + (alpha - 1) * s / f) for (f, r), s in zip(HOT, shares, strict=True))

    return min(cost(0.01 * percent) for percent in range(5, 96))


def found(options: str, spare: float, workload: str) -> dict[str, Any]:
    """A point: what `drivecast wear` finds."""
    command = [str(PROGRAM), "wear", f"ssd({DIE}, spare_factor={spare}, {options})", "-w", workload]
    done = subprocess.run([*command, "--output-format", "json"], capture_output=True, text=True, check=True)
    return {"spare": spare, "amplification": json.loads(done.stdout)["write_amplification"]}


def rows(
    series: list[tuple[str, str | None, Callable[[float], float] | None]], workload: str
) -> Iterator[dict[str, Any]]:
    """Points and curves of all series."""
    for name, options, theory in series:
        if options is not None:
            for spare in SIMULATED:
                yield {**found(options, spare, workload), "series": name, "kind": "simulated"}
        if theory is not None:
            for spare in DRAWN:
                yield {
                    "spare": spare,
                    "amplification": theory(1 / (1 - spare)),
                    "series": name,
                    "kind": "theory",
                }


def chart(data: list[dict[str, Any]], names: list[str]) -> alt.LayerChart:
    """Amplification over spare factor."""
    x = alt.X(
        "spare:Q",
        title="spare factor",
        scale=alt.Scale(domain=[0.05, 0.51], nice=False),
        axis=alt.Axis(format="~g"),
    )
    values = [1, 1.5, 2, 3, 5, 7, 10, 15]
    y = alt.Y(
        "amplification:Q",
        title="write amplification",
        scale=alt.Scale(type="log", domain=[1, 16], nice=False),
        axis=alt.Axis(values=values, format="~g"),
    )
    color = alt.Color(
        "series:N", title=None, sort=names, scale=alt.Scale(domain=names, range=style.LINES[: len(names)])
    )
    shared = alt.Chart(alt.InlineData(values=data)).encode(x=x, y=y, color=color)
    curves = shared.transform_filter("datum.kind == 'theory'").mark_line(strokeWidth=1.5)
    points = shared.transform_filter("datum.kind == 'simulated'").mark_point(size=44, filled=True, opacity=1)
    return style.layered([curves, points], height=360)


def main() -> None:
    """Write both figures, and their PNGs into a folder given as an argument."""
    uniform = [
        ("random victim (d = 1)", "gc=d-choices, gc_choices=1", random),
        ("FIFO", "gc=fifo", fifo),
        ("greedy", "gc=greedy", greedy),
    ]
    streams = [
        ("one log, FIFO", "gc=fifo", mixed),
        ("streams by frequency, greedy over both", "gc=greedy, streams=2", None),
        ("streams by frequency, cost-benefit", "gc=cost-benefit, streams=3", None),
        ("apart, best split (FIFO)", None, separated),
    ]
    figures = {
        "ssd-spare": (uniform, "random(4KiB, read=0)"),
        "ssd-streams": (streams, "hotcold(4KiB, hot=0.1, share=0.9, read=0)"),
    }
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, (series, workload) in figures.items():
        drawn = chart(list(rows(series, workload)), [title for title, *_ in series])
        style.save_svg(drawn, IMAGES / f"{name}.svg")
        for folder in sys.argv[1:]:
            style.to_png(drawn, Path(folder) / f"{name}.png")


if __name__ == "__main__":
    main()
