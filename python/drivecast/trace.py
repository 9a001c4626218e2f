"""Logs and traces in: profiles and Parquet out. Thin over `_core`.

`event` chooses which events of a block trace make rows: `"D"`, sent to the drive (latency D→C), or `"Q"`, asked of the
block layer (latency Q→C). `None` is `"D"`, or whatever a Parquet file holds.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from drivecast import _core, prometheus

Progress = Callable[[float, str], None]


def convert(
    paths: Sequence[Path],
    out: Path,
    *,
    event: str | None = None,
    disk: str | None = None,
    interval_s: float | None = None,
    skip_first: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Any supported log or trace to Parquet at `out`; the summary of what was read.

    Raises `InputError` for a file that is not understood, and leaves nothing behind then.
    """
    with _local(paths, progress) as (files, notes):
        summary = dict(
            json.loads(_core.convert(files, str(out), event, disk, interval_s, progress, skip_first))
        )
    summary["notes"] = [*summary["notes"], *notes]
    return summary


@contextmanager
def _local(paths: Sequence[Path], progress: Progress | None) -> Iterator[tuple[list[str], list[str]]]:
    """The files of a log, those of a server fetched; and what there is to say of that."""
    if not any(prometheus.is_url(path) for path in paths):
        yield [str(path) for path in paths], []
        return
    with tempfile.TemporaryDirectory(prefix="drivecast-") as folder:
        files, notes = [], []
        for path in paths:
            if prometheus.is_url(path):
                file, told = prometheus.fetch(path, Path(folder), progress)
                notes += told
                files.append(str(file))
            else:
                files.append(str(path))
        yield files, notes


def log_name(paths: Sequence[Path]) -> str:
    """What to call a log: the name of its first file without the endings of formats and compression."""
    if prometheus.is_url(paths[0]):
        return prometheus.parse(paths[0], time.time()).host
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
    skip_first: bool = False,
    peak_window_s: float = 60.0,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The profile of a trace or counter log, with the reader's `summary` under `log`.

    Raises `InputError` for a file that is not understood.
    """
    with _local(paths, progress) as (files, notes):
        result = dict(
            json.loads(_core.profile(files, event, disk, interval_s, peak_window_s, progress, skip_first))
        )
    result["log"]["notes"] = [*result["log"]["notes"], *notes]
    window = result["peak_window"]
    if window is not None:
        mean, peak = result["iops_mean"], window["iops_mean"]
        window["iops_over_mean"] = peak / mean if mean and peak is not None else None
    return result
