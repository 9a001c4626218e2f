"""Writes the figures of `docs/explanation/steady-state.md`: `docs/images/steady-state-rounds.svg` and `-cliff.svg`.

A small simulated drive, given by its parameters, is measured as SNIA's tests measure a real one. Each workload is one
simulated run that is cut into rounds, so that the drive's state is carried from round to round.
"""

from itertools import accumulate
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl

from drivecast import _core
from drivecast.bench.pts.specification import KIB, SATURATION_PASSES, Cell
from drivecast.bench.pts.steady import cliff, sought
from drivecast.catalog import load
from drivecast.document.findings import Cliff, SteadyPart, Tracked
from drivecast.present import style
from drivecast.present.figure.convergence import convergence, saturation
from drivecast.stage.simulate import Options, State, simulate

IMAGES = Path(__file__).parents[2] / "docs" / "images"
SPAN = 1 << 30
DRIVE = "ssd(logical=1GiB, spare_factor=0.1)"
TRACKED = (Cell(0, 4 * KIB), Cell(0.65, 64 * KIB), Cell(1, 1024 * KIB))
ROUND_S = 20
ROUNDS = 25
STEP_S = 10


def history(cell: Cell, state: State, length_s: int) -> list[dict[str, Any]]:
    """The seconds of a run of one workload from a state."""
    options = Options(duration_s=length_s, state=state)
    return list(simulate(DRIVE, _core.Workload.line(cell.line(32)), load([]), options).seconds)


def steps(seconds: list[dict[str, Any]], length_s: int) -> list[dict[str, float]]:
    """Equal stretches of a run: requests a second, bytes written, mean and longest latency of writes."""
    groups = [seconds[at : at + length_s] for at in range(0, len(seconds) - length_s + 1, length_s)]
    return [
        {
            "iops": sum(second["reads"] + second["writes"] for second in group) / length_s,
            "bytes": sum(second["written_bytes"] for second in group),
            "latency_ns_mean": sum(second["write_latency_ns_mean"] for second in group) / length_s,
            "latency_ns_max": max(second["write_latency_ns_max"] for second in group),
        }
        for group in groups
    ]


def rounds_chart() -> alt.VConcatChart:
    """The tracked variables of the IOPS test after the span was written in order."""
    values = {
        cell.name: [row["iops"] for row in steps(history(cell, "laid-out", ROUNDS * ROUND_S), ROUND_S)]
        for cell in TRACKED
    }
    found = sought(values)
    variables = [
        Tracked(
            name=cell.name,
            read_fraction=cell.read_fraction,
            block_bytes=cell.block_bytes,
            quantity="iops",
            unit="1/s",
            spacing=1,
            values=values[cell.name][: found.rounds],
            **vars(found.windows[cell.name]),
            steady=found.windows[cell.name].steady,
        )
        for cell in TRACKED
    ]
    first = next(iter(found.windows.values()))
    part = SteadyPart.model_construct(variables=variables, window=(first.first, first.last))
    return convergence(part)


def cliff_chart() -> alt.VConcatChart:
    """Write saturation of the drive when it is new."""
    rows = steps(history(Cell(0, 4 * KIB), "fresh", 1400), STEP_S)
    written = list(accumulate(row["bytes"] for row in rows))
    rows = [row | {"written_bytes": whole} for row, whole in zip(rows, written, strict=True)]
    rows = [row for row in rows if row["written_bytes"] <= SATURATION_PASSES * SPAN]
    found = cliff([row["iops"] for row in rows])
    fall = None
    if found is not None:
        before = rows[found.step - 2]["written_bytes"]
        fall = Cliff(
            step=found.step,
            start_s=(found.step - 1) * STEP_S,
            written_bytes=int(before),
            spans=before / SPAN,
            iops_before=found.before,
            iops_settled=found.settled,
        )
    return saturation(pl.DataFrame(rows), SPAN, fall)


def main() -> None:
    """Write the files."""
    for name, chart in (("rounds", rounds_chart()), ("cliff", cliff_chart())):
        style.save_svg(chart, IMAGES / f"steady-state-{name}.svg")


if __name__ == "__main__":
    main()
