"""Recordings as a report carries them: the same requests in few bytes, refused where they are damaged."""

import gzip
from pathlib import Path

import polars as pl
import pytest

from drivecast import _core
from drivecast.errors import InputError

RECORDING = Path(__file__).parents[3] / "examples/mariadb-oltp/mariadb-oltp.blktrace.0.xz"


@pytest.fixture(scope="module")
def recorded() -> _core.Workload:
    return _core.Workload.trace([RECORDING])


def requests(load: _core.Workload) -> pl.DataFrame:
    return pl.DataFrame(load.rows()).drop("latency_ns")


def test_the_same_requests_come_back(recorded: _core.Workload) -> None:
    again = _core.Workload.expand(recorded.compact())
    assert requests(again).equals(requests(recorded))
    assert again.duration_s == recorded.duration_s


def test_a_request_takes_few_bytes(recorded: _core.Workload) -> None:
    count, packed = len(requests(recorded)), recorded.compact()
    assert count > 1000
    assert len(packed) < 12 * count
    assert len(gzip.compress(packed)) < 8 * count


def test_damage_is_refused_with_its_place(recorded: _core.Workload) -> None:
    with pytest.raises(InputError) as refused:
        _core.Workload.expand(b"DCR2 and more")
    assert refused.value.byte == 0
    with pytest.raises(InputError) as refused:
        _core.Workload.expand(recorded.compact()[:-1])
    assert refused.value.byte


def test_a_line_has_none() -> None:
    with pytest.raises(InputError):
        _core.Workload.line("random(4KiB)").compact()
