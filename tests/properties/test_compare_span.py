"""A file on a drive may be any small part of it: a line holds that part, and can be read."""

from hypothesis import given
from hypothesis import strategies as st

from drivecast import _core
from drivecast.compare.predict import with_span


@given(st.integers(12, 46), st.floats(1, 2))
def test_a_part_of_a_drive(halvings: int, factor: float) -> None:
    line = with_span("random(4KiB, read=0.5, rate=500iops)", factor * 2.0**-halvings)
    assert "e" not in line.rpartition("span=")[2]
    _core.Workload.line(line)
