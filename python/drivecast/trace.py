"""Logs and traces in: profiles and Parquet out. Thin over `_core`."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from drivecast import _core

Progress = Callable[[float, str], None]


def convert(
    paths: Sequence[Path],
    out: Path,
    *,
    event: str = "D",
    latency: str = "auto",
    disk: str | None = None,
    interval_s: float | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Any supported log or trace to Parquet at `out`; the summary of what was read.

    Raises `InputError` for a file that is not understood, and leaves nothing behind then.
    """
    summary = _core.convert([str(path) for path in paths], str(out), event, latency, disk, interval_s, progress)
    return dict(json.loads(summary))


def profile(
    paths: Sequence[Path],
    *,
    event: str = "Q",
    latency: str = "auto",
    disk: str | None = None,
    interval_s: float | None = None,
    peak_window_s: float = 60.0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The profile of a trace or counter log, with the reader's `summary` under `log`.

    Raises `InputError` for a file that is not understood.
    """
    text = _core.profile(
        [str(path) for path in paths], event, latency, disk, interval_s, peak_window_s, progress
    )
    return dict(json.loads(text))
