"""Whatever names and reasons hold, lines keep their width and carry no control characters."""

from hypothesis import given
from hypothesis import strategies as st

from drivecast.present import grid, terminal
from real_plan import plan


@given(name=st.text(), design=st.text(), why=st.text(), display=st.text())
def test_lines_keep_their_width(name: str, design: str, why: str, display: str) -> None:
    real = plan()
    first = real.ranked()[0].model_copy(update={"design": design, "why": why})
    made = real.model_copy(
        update={
            "workload": real.workload.model_copy(update={"name": name}),
            "designs": [first],
            "requirements": [real.requirements[0].model_copy(update={"display": display})],
        }
    )
    lines = terminal.render(made).plain.split("\n")
    assert max(len(line) for line in lines) <= terminal.WIDTH
    assert all(line.isprintable() for line in lines)
    assert all(grid.to_ascii(line).isascii() and len(grid.to_ascii(line)) == len(line) for line in lines)


@given(st.lists(st.floats(0, 1e6), max_size=300), st.integers(1, 100))
def test_a_sparkline_keeps_its_width_and_its_summit(values: list[float], width: int) -> None:
    line = terminal.sparkline(values, width)
    assert len(line) == min(width, len(values))
    assert not any(values) or "█" in line
