"""Whatever names and reasons hold, lines keep their width and carry no control characters."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from drivecast.document.plan import Plan
from drivecast.present import grid, terminal

PLAN = Plan.check(
    json.loads((Path(__file__).parents[1] / "data" / "plan-sample.json").read_text(encoding="utf-8"))
)


@given(name=st.text(), design=st.text(), why=st.text(), display=st.text())
def test_lines_keep_their_width(name: str, design: str, why: str, display: str) -> None:
    first = PLAN.ranked()[0].model_copy(update={"design": design, "why": why})
    plan = PLAN.model_copy(
        update={
            "workload": PLAN.workload.model_copy(update={"name": name}),
            "designs": [first],
            "requirements": [PLAN.requirements[0].model_copy(update={"display": display})],
        }
    )
    lines = terminal.render(plan).plain.split("\n")
    assert max(len(line) for line in lines) <= terminal.WIDTH
    assert all(line.isprintable() for line in lines)
    assert all(grid.to_ascii(line).isascii() and len(grid.to_ascii(line)) == len(line) for line in lines)


@given(st.lists(st.floats(0, 1e6), max_size=300), st.integers(1, 100))
def test_a_sparkline_keeps_its_width_and_its_summit(values: list[float], width: int) -> None:
    line = terminal.sparkline(values, width)
    assert len(line) == min(width, len(values))
    assert not any(values) or "█" in line
