"""Whatever names and reasons hold, lines keep their width and carry no control characters."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from drivecast.document.miss import Miss, MissKind
from drivecast.present import grid, terminal
from real_plan import plan

NUMBERS = st.none() | st.floats(0, 1e15)


@given(
    name=st.text(),
    design=st.text(),
    miss=st.builds(
        Miss, kind=st.sampled_from(get_args(MissKind)), found=NUMBERS, limit=NUMBERS, load=NUMBERS
    ),
    display=st.text(),
)
def test_lines_keep_their_width(name: str, design: str, miss: Miss, display: str) -> None:
    real = plan()
    first = real.ranked()[0].model_copy(update={"line": design, "misses": [miss]})
    made = real.model_copy(
        update={
            "workload": real.workload.model_copy(update={"name": name}),
            "designs": [first],
            "requirements": [real.requirements[0].model_copy(update={"display": display})],
        }
    )
    lines = terminal.render(made).plain.split("\n")
    assert max(len(line) for line in lines) <= grid.WIDTH
    assert all(line.isprintable() for line in lines)
    assert all(grid.to_ascii(line).isascii() and len(grid.to_ascii(line)) == len(line) for line in lines)


@given(st.lists(st.floats(0, 1e6), max_size=300), st.integers(1, 100))
def test_a_sparkline_keeps_its_width_and_its_summit(values: list[float], width: int) -> None:
    line = terminal.sparkline(values, width)
    assert len(line) == min(width, len(values))
    assert not any(values) or "█" in line
