"""What an application asked, written in pieces: one trace, in order of time, that is read as any other."""

from pathlib import Path

import polars as pl
import pytest

from drivecast.attach import request_trace
from drivecast.attach.request_trace import RequestTrace
from drivecast.stage import trace


def asked(times: range, op: str = "read") -> pl.DataFrame:
    rows = len(times)
    return pl.DataFrame(
        {
            "time_ns": [time * 1_000_000 for time in times],
            "op": [op] * rows,
            "offset_bytes": [4096 * time for time in times],
            "size_bytes": [4096] * rows,
            "latency_ns": [80_000] * rows,
            "stream": [0] * rows,
            "fua": [False] * rows,
        }
    )


def test_pieces_become_one_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_trace, "ROWS_MAX", 150)
    (folder := tmp_path / "pieces").mkdir()
    found = RequestTrace(folder)
    for begin in range(0, 1000, 100):
        found.add(asked(range(begin, begin + 100), "write" if begin % 200 else "read"))
        found.add(None)
        found.add(asked(range(0)))
    assert len([*folder.iterdir()]) == 5, "it waits in memory"
    found.join(tmp_path / "whole.parquet")
    assert found.requests == 1000
    read = trace.profile([tmp_path / "whole.parquet"])
    assert read.requests == 1000
    assert read.read_fraction == pytest.approx(0.5)
    times = pl.read_parquet(tmp_path / "whole.parquet")["time_ns"]
    assert times.is_sorted()
    assert times.len() == 1000


def test_completions_out_of_order_are_sorted_by_when_they_were_asked(tmp_path: Path) -> None:
    found = RequestTrace(tmp_path)
    found.add(asked(range(50, 100)))
    found.add(asked(range(50)))
    found.join(tmp_path / "whole.parquet")
    assert pl.read_parquet(tmp_path / "whole.parquet")["offset_bytes"].is_sorted()


def test_nothing_asked_is_an_empty_trace(tmp_path: Path) -> None:
    RequestTrace(tmp_path).join(tmp_path / "whole.parquet")
    assert pl.read_parquet(tmp_path / "whole.parquet").height == 0
