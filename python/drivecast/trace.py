"""Logs and traces in: profiles and Parquet out. Thin over `_core`.

`event` chooses which events of a block trace make rows: `"D"`, sent to the drive (latency D→C), or `"Q"`, asked of the
block layer (latency Q→C). `None` is `"D"`, or whatever a Parquet file holds.
"""

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
    event: str | None = None,
    disk: str | None = None,
    interval_s: float | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Any supported log or trace to Parquet at `out`; the summary of what was read.

    Raises `InputError` for a file that is not understood, and leaves nothing behind then.
    """
    summary = _core.convert([str(path) for path in paths], str(out), event, disk, interval_s, progress)
    return dict(json.loads(summary))


def log_name(paths: Sequence[Path]) -> str:
    """What to call a log: the name of its first file without the endings of formats and compression."""
    name = Path(paths[0]).resolve().name
    for ending in (".gz", ".xz", ".zst", ".parquet", ".blktrace", ".vscsi", ".csv", ".json"):
        name = name.removesuffix(ending)
    return name


def profile(
    paths: Sequence[Path],
    *,
    event: str | None = None,
    disk: str | None = None,
    interval_s: float | None = None,
    peak_window_s: float = 60.0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The profile of a trace or counter log, with the reader's `summary` under `log`.

    Raises `InputError` for a file that is not understood.
    """
    text = _core.profile([str(path) for path in paths], event, disk, interval_s, peak_window_s, progress)
    return dict(json.loads(text))
