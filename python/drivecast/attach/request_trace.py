"""What an application asked of an attached design, as a Parquet trace that `profile`, `simulate` and `plan` read.

It is written in pieces while the application runs, so that hours of it fit into memory; the pieces are joined under
a temporary name at the end, which then gets the name of the trace. A run that is killed leaves no trace of that name.
"""

import os
from pathlib import Path
from typing import Any

import polars as pl

ROWS_MAX = 1 << 18
"""Requests that wait in memory for the next piece: about 10 MB."""
_KINDS: dict[str, Any] = {
    "time_ns": pl.UInt64,
    "op": pl.Enum(["read", "write", "flush", "discard"]),
    "offset_bytes": pl.UInt64,
    "size_bytes": pl.UInt32,
    "stream": pl.UInt32,
    "latency_ns": pl.UInt64,
    "fua": pl.Boolean,
}
"""As `crates/block/src/schema.rs` has a trace."""


class RequestTrace:
    """A trace that grows, in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[pl.DataFrame] = []
        self._rows = 0
        self._pieces: list[Path] = []
        self.requests = 0

    def add(self, records: Any) -> None:
        """Take what was asked since the last call: an Arrow table, or none."""
        if records is None:
            return
        frame = pl.DataFrame(records)
        if not frame.height:
            return
        self._waiting.append(frame.select(pl.col(name).cast(kind) for name, kind in _KINDS.items()))
        self._rows += frame.height
        self.requests += frame.height
        if self._rows >= ROWS_MAX:
            self._write()

    def join(self, path: Path) -> None:
        """Write all of it to `path`, in order of time, and have it on the disk."""
        self._write()
        whole = pl.scan_parquet(self._pieces) if self._pieces else pl.DataFrame(schema=_KINDS).lazy()
        whole.sort("time_ns", maintain_order=True).sink_parquet(path)
        with path.open("rb") as file:
            os.fsync(file.fileno())

    def _write(self) -> None:
        if not self._waiting:
            return
        path = self._folder / f"{len(self._pieces):08}.parquet"
        pl.concat(self._waiting).write_parquet(path)
        self._pieces.append(path)
        self._waiting, self._rows = [], 0
