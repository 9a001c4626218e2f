"""fio's replay of windows: their own requests, at their own times (`read_iolog`).

Each window that is kept is a job after what leads into it, one after another (`stonewall`). With requests outstanding
fio 3.33 takes completions of a log only when its queue is full, so that latencies are those of waiting for it (600 ms
for 4 KiB where one at a time took 9 us). So the requests of a window are dealt in turn to as many jobs at depth 1 as
have been enough for its fullest `TOGETHER_NS`, at most `JOBS_MAX`; a request waits where the one before in its job is
not done. What leads into a window is not counted (`ramp_time`). `weights.csv` says how often each window counts: to be
applied to the histograms of `--output-format=json+`, never to quantiles.

Left out: forced unit access, and what comes while a ramp ends: 17 of 300 requests of a second (57 ms) in a trial.

Source: fio's HOWTO ("Trace file format v3": microseconds) and trials with fio 3.33.
"""

import csv
import io
from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from drivecast.errors import InputError
from drivecast.stage import windows_play
from drivecast.stage.windows_file import Archive

JOB_FILE, WEIGHTS = "replay.fio", "weights.csv"
JOBS_MAX = 32
TOGETHER_NS = 1_000_000
NS_PER_US = 1000
ACTIONS = {"read": "read", "write": "write", "discard": "trim", "flush": "sync"}


def files(found: Archive, target: str) -> tuple[dict[str, str], list[str]]:
    """The files by their names, and what is lost.

    Raises `InputError` for a target that a log cannot name, and where no window has a request.
    """
    if not target or any(letter.isspace() or letter == ":" for letter in target):
        raise InputError(f"expected a path without blanks or colons as `--target`, found `{target}`")
    written: dict[str, str] = {}
    jobs: list[str] = []
    rows: list[tuple[object, ...]] = []
    weight = windows_play.weights(found.header)
    for number, name, lead_ns, requests in _windows(found):
        if weight[number] == 0 or not len(requests):
            continue
        logs = _logs(number, requests, target)
        written.update(logs)
        jobs += ["", *_job(number, list(logs), lead_ns, first=not jobs)]
        rows.append((number, name, weight[number], lead_ns / 1e9, len(logs)))
    if not rows:
        raise InputError("no window of the archive has a weight and a request: there is nothing to replay")
    losses = _losses(found)
    head = [
        f"# {' '.join(found.header.name.split())}: windows that represent a trace, replayed in turn",
        "# run here: fio --output-format=json+ replay.fio (writes destroy what the target holds)",
        "# how often each window counts: weights.csv",
        *(f"# lost: {line}" for line in losses),
        "[global]",
        "ioengine=psync",
        "direct=1",
        "iodepth=1",
        "group_reporting=1",
        f"filesize={found.header.span_bytes}",
    ]
    written[JOB_FILE] = "\n".join([*head, *jobs]) + "\n"
    written[WEIGHTS] = _table(rows)
    return written, losses


def _windows(found: Archive) -> Iterator[tuple[int, str, int, pl.DataFrame]]:
    """Each window that is kept: its number, its cluster, what leads into it in ns, and the requests of both."""
    header = found.header
    names = {number: cluster.name for cluster in header.clusters for number in cluster.windows}
    width, begin = round(header.window_s * 1e9), 0
    for number, (since, until) in zip(windows_play.kept(header), windows_play.spans_ns(header), strict=True):
        end = begin + until - since
        inside = found.rows.filter((pl.col("time_ns") > begin) & (pl.col("time_ns") <= end))
        rows = inside.with_columns(pl.col("time_ns") - begin - 1)
        yield number, names[number], until - since - width, rows.filter(pl.col("op").is_in(list(ACTIONS)))
        begin = end


def _logs(number: int, requests: pl.DataFrame, target: str) -> dict[str, str]:
    """The logs of a window, by their names."""
    time = requests["time_ns"].to_numpy().astype(np.int64)
    _, together = np.unique(time // TOGETHER_NS, return_counts=True)
    jobs = min(JOBS_MAX, len(requests), int(together.max()))
    end_us = int(time[-1]) // NS_PER_US
    columns = ("time_ns", "op", "offset_bytes", "size_bytes")
    lines = [
        f"{at // NS_PER_US} {target} {ACTIONS[op]} {offset} {size}"
        for at, op, offset, size in requests.select(columns).iter_rows()
    ]
    return {
        f"window-{number}-{job}.log": "\n".join(
            [
                "fio version 3 iolog",
                f"0 {target} add",
                f"0 {target} open",
                *lines[job::jobs],
                f"{end_us} {target} close",
            ]
        )
        + "\n"
        for job in range(jobs)
    }


def _job(number: int, logs: Sequence[str], lead_ns: int, *, first: bool) -> list[str]:
    lead = [f"ramp_time={lead_ns // NS_PER_US}us"] if lead_ns >= NS_PER_US else []
    waits = [] if first else ["stonewall", "new_group"]
    return [f"[window-{number}]", *waits, f"numjobs={len(logs)}", *lead, f"read_iolog={':'.join(logs)}"]


def _losses(found: Archive) -> list[str]:
    lines = ["what comes while fio ends a ramp, up to some tens of ms late, is not counted"]
    if found.rows["fua"].any():
        lines.append("forced unit access: logs have none")
    lines.append(f"more than {JOBS_MAX} requests outstanding: those beyond wait")
    return lines


def _table(rows: Sequence[tuple[object, ...]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("window", "cluster", "weight", "lead_s", "jobs"))
    table.writerows(rows)
    return text.getvalue()
