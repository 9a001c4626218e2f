"""fio's JSON (`--output-format=json` or `json+`), with any text before and after it.

Jobs of one group ran at once and are one point; groups (`stonewall`, `new_group`) follow each other, a point each.
Where the report has no bins (`json+` has), quantiles of several jobs cannot be merged: the longest of them is shown,
which is never too short, and a note says so.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from drivecast.bench.fio.aggregate import by_completion, outcome
from drivecast.bench.fio.output import JobReport, Report
from drivecast.document.outcome import OPS, QUANTILES, Latency, Outcome, Stream
from drivecast.document.result import Point
from drivecast.errors import InputError


def points(text: str) -> Iterator[Point]:
    """A point a group of jobs."""
    found = _document(text)
    report = Report.model_validate(found)
    defaults = found.get("global options") or {}
    started = datetime.fromtimestamp(float(found.get("timestamp") or 0), UTC).isoformat(timespec="seconds")
    groups: dict[int, list[tuple[JobReport, Mapping[str, str]]]] = {}
    for job, raw in zip(report.jobs, found["jobs"], strict=True):
        if job.error:
            raise InputError(f"fio's job `{job.jobname}` failed with error {job.error}")
        groups.setdefault(int(raw.get("groupid") or 0), []).append(
            (job, {**defaults, **(raw.get("job options") or {})})
        )
    yield from (_point(report, group, started, many=len(groups) > 1) for group in groups.values())


def _document(text: str) -> dict[str, Any]:
    """The document, in words of its own and of whatever printed it."""
    at = text.rfind("{", 0, text.index('"fio version"'))
    try:
        found, _end = json.JSONDecoder().raw_decode(text[max(at, 0) :])
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if str(found["fio version"]).startswith("fio-2"):
        raise ValueError("fio 2 counts in other units; run it again with fio 3")
    return dict(found)


def _point(
    report: Report,
    group: Sequence[tuple[JobReport, Mapping[str, str]]],
    started: str,
    *,
    many: bool,
) -> Point:
    jobs, options = [job for job, _ in group], [options for _, options in group]
    found = outcome(report.model_copy(update={"jobs": jobs}), None, name="", seed=0)
    binned = any(job_side.histogram().bins for job in jobs for op in OPS if (job_side := getattr(job, op)))
    notes = [f"fio is {report.version}"]
    if not binned:
        found = _with_percentiles(found, jobs)
        notes.append("quantiles are of completion without submission")
        if len(jobs) > 1:
            notes.append(
                "quantiles are the longest of any job: those of several jobs merge only with `--output-format=json+`"
            )
    elif by_completion(jobs):
        notes.append("quantiles are of completion without submission: this fio reports no others")
    name = jobs[0].jobname if many else None
    return Point(
        target="", settings={"job": name} if name else {}, workload=_line(options), started=started, outcome=found,
        notes=notes,
    )  # fmt: skip


def _with_percentiles(found: Outcome, jobs: Sequence[JobReport]) -> Outcome:
    """The outcome with the percentiles that fio prints: of several jobs the longest."""
    sides: dict[str, Stream] = {}
    for op in OPS:
        stream = found.stream(op)
        printed = [getattr(job, op).clat_ns.percentile for job in jobs]
        known = {
            name: max(values)
            for name, share in QUANTILES.items()
            if (values := [of[key] for of in printed if (key := f"{100 * share:.6f}") in of])
        }
        mean = stream.latency_ns.figures() if stream.latency_ns else {}
        figures = {name: value for name, value in mean.items() if value}
        sides[op] = stream.model_copy(
            update={"latency_ns": Latency.model_validate({**known, **figures}) if known or figures else None}
        )
    return found.model_copy(update=sides)


def _line(options: Sequence[Mapping[str, str]]) -> str | None:
    """What was asked for, as a line that can be simulated; none where a line cannot say it."""
    shapes = {tuple(_shape(job)) for job in options}
    if len(shapes) != 1 or not (parts := list(shapes.pop())):
        return None
    head, rest = parts[0], parts[1:]
    return f"{head[0]}({', '.join([head[1], *(f'{key}={value}' for key, value in rest)])})"


def _shape(job: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    rw, size = job.get("rw") or job.get("readwrite") or "read", job.get("bs") or job.get("blocksize") or "4k"
    reads = {"read": "1", "randread": "1", "write": "0", "randwrite": "0"}.get(rw)
    if rw in {"randrw", "rw", "readwrite"}:
        reads = f"{float(job.get('rwmixread', 50)) / 100:g}"
    number = size.lower().removesuffix("b").removesuffix("i")
    unit = {"k": "KiB", "m": "MiB"}.get(number[-1:], "B" if number.isdigit() else None)
    if (
        reads is None
        or unit is None
        or not number.rstrip("km").isdigit()
        or {"bssplit", "bsrange", "random_distribution"} & set(job)
    ):
        return
    yield ("random" if rw.startswith("rand") else "sequential", f"{number.rstrip('km')}{unit}")
    yield ("read", reads)
    yield ("iodepth", job.get("iodepth", "1"))
    if job.get("rate_iops"):
        yield ("rate", f"{job['rate_iops']}iops")
    elif job.get("numjobs", "1") != "1":
        yield ("jobs", job["numjobs"])
