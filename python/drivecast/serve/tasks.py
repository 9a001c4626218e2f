"""What jobs do, in the process of `worker`: take in a trace, make a plan, compare a result.

A job has its folder, into which its answer is written under the names that the server serves: a trace as Parquet and
its profile, a plan as its document and its report. What it answers is what the server lists.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter

from drivecast.document.plan_options import LogOptions, PlanOptions
from drivecast.document.served import Answer
from drivecast.errors import InputError
from drivecast.files import write_whole
from drivecast.lock import temporary_folder
from drivecast.plain_text import document as redacted

T = TypeVar("T")
Progress = Callable[[float, str], None]
Job = Mapping[str, Any]

REQUESTS, PROFILE = "requests.parquet", "profile.json"
DOCUMENT, REPORT, CARRIED, RECORDING = "plan.json", "report.html", "what-if.json", "recording.bin"
COMPARISON = "comparison.json"
CONVERTED = 0.5
"""Share of the work of taking a trace in that is done once it is a table."""


def take_in(job: Job, progress: Progress) -> dict[str, Any]:
    """A trace as a table and its profile."""
    from drivecast.stage import trace  # noqa: PLC0415

    folder, reading = Path(job["folder"]), trace.Reading.of(_options(LogOptions, job.get("reading", {})))
    if job["source"].get("url"):
        job = {**job, "source": _fetched(job["source"]["url"], Path(job["source"]["into"]), progress)}

    def first(share: float, what: str) -> None:
        progress(CONVERTED * share, what)

    def second(share: float, what: str) -> None:
        progress(CONVERTED + (1 - CONVERTED) * share, what)

    with log(job["source"]) as path:
        # Under its own name first: what is there is whole.
        summary = trace.convert([path], folder / REQUESTS, reading, progress=first)
        profile = trace.profile([path], reading, progress=second)
    _write(folder / PROFILE, profile)
    return {
        "kind": profile.source,
        "format": summary.format,
        "requests": profile.requests,
        "duration_s": profile.duration_s,
        "files": [file.name for file in summary.files],
        "bytes": sum(file.bytes for file in summary.files),
    }


def _fetched(url: str, into: Path, progress: Progress) -> dict[str, Any]:
    """The files behind a URL, within the limits of `source.intake`."""
    from drivecast.source import locate, prometheus  # noqa: PLC0415

    progress(0.0, "fetching")
    into.mkdir(parents=True, exist_ok=True)
    if prometheus.is_url(url):
        prometheus.fetch(url, into, progress)
    else:
        locate.fetch(url, into)
    return {"stored": str(into)}


@contextmanager
def log(source: Mapping[str, Any]) -> Iterator[Path]:
    """The path of a trace: what was stored, or what is in a named folder."""
    from drivecast.serve import allowed_folders  # noqa: PLC0415

    if "root" in source:
        with allowed_folders.readable(Path(source["root"]), source["path"]) as path:
            yield path
        return
    folder = Path(source["stored"])
    files = sorted(folder.iterdir())
    if not files:
        raise InputError("the trace has no file")
    yield files[0] if len(files) == 1 else folder


def plan(job: Job, progress: Progress) -> dict[str, Any]:
    """A plan, as its document and its report."""
    from drivecast.thread import spare_memory  # noqa: PLC0415

    spare_memory()
    from drivecast.plan import modelled, requirement, search  # noqa: PLC0415
    from drivecast.plan.candidate import Options  # noqa: PLC0415
    from drivecast.present import error_history, page  # noqa: PLC0415
    from drivecast.serve import plan_form  # noqa: PLC0415
    from drivecast.stage import model_file  # noqa: PLC0415

    folder = Path(job["folder"])
    options = _options(PlanOptions, job["options"])
    given = requirement.given(options, plan_form.name)
    with ExitStack() as stack:
        logs = [stack.enter_context(log(source)) for source in job["sources"]]
        if not logs and (model := model_file.find(job["model"])) is not None:
            logs = [model]
        files = {name: Path(path) for name, path in job["folders"].items()}
        whole = stack.enter_context(plan_form.files(plan_form.over(options, _reading(job)), files))
        how = Options.of(whole, catalog=_paths(job["catalog"]), threads=job["threads"])
        seed, window_s = options.seed, options.peak_window
        of = stack.enter_context(modelled.played(logs, seed, window_s, accepted=options.accept_model))
        hours = of.hours if given.hours_per_day is None else given.hours_per_day
        found = search.plan(
            of.logs,
            replace(given, hours_per_day=hours),
            of.over(how),
            progress,
        )
    found = error_history.worded(found)
    found = found.model_copy(update={"command": plan_form.command(job["names"], options)})
    _write(folder / DOCUMENT, found)
    page.write(found, folder / REPORT)
    if found.carried is not None:
        write_whole(folder / CARRIED, found.carried.document)
        if found.carried.recording is not None:
            write_whole(folder / RECORDING, found.carried.recording)
    winner = found.find(found.winner)
    return Answer(
        winner=found.winner,
        title=winner.title if winner else None,
        total_usd=winner.cost.total if winner and winner.cost else None,
        fits=found.counts.fits,
        considered=found.counts.considered,
    ).model_dump()


def _options(kind: type[T], given: Mapping[str, Any]) -> T:
    """Options as they were stored."""
    return TypeAdapter(kind).validate_python(dict(given))


def _reading(job: Job) -> LogOptions:
    """How the traces of a plan are read: as the first of them."""
    return _options(LogOptions, next(iter(job["readings"]), {}))


def _paths(texts: Sequence[str]) -> tuple[Path, ...]:
    return tuple(Path(text) for text in texts)


def compare(job: Job, progress: Progress) -> dict[str, Any]:
    """A result next to another, or next to a design on which each of its points is simulated."""
    from drivecast.catalog import load  # noqa: PLC0415
    from drivecast.compare import compared_with, comparison, predict  # noqa: PLC0415
    from drivecast.present.comparison_text import worded  # noqa: PLC0415

    # A measured workload may name a file of its own machine; here it is looked for where nothing is.
    with temporary_folder("drivecast-compared-") as empty:
        import os  # noqa: PLC0415

        os.chdir(empty)
        given = predict.Conditions(load(_paths(job["catalog"])), workload=job.get("workload"))
        rule = comparison.Rule(job["tolerance"], comparison.Q_OF["p99"], 0)
        found = worded(
            compared_with.compared(Path(job["measured"]), job["prediction"], given, rule, progress)
        )
    _write(Path(job["folder"]) / COMPARISON, found, job["called"])
    return {"outcome": found.outcome}


def result(job: Job, _progress: Progress) -> dict[str, Any]:
    """What a result of a benchmark is, in short."""
    from drivecast.document import result as document  # noqa: PLC0415

    found = document.read(Path(job["path"]))
    targets = [target.name for target in found.targets]
    return {"kind": found.kind, "targets": targets, "points": len(found.points), "complete": found.complete}


def samples(job: Job, _progress: Progress) -> dict[str, Any]:
    """Readings of drives, taken into the history."""
    from drivecast.health.history import History  # noqa: PLC0415
    from drivecast.health.history.importing import take  # noqa: PLC0415
    from drivecast.health.read import HostNames  # noqa: PLC0415

    with History.open(job["history"]) as opened:
        added = take(opened, [job["path"]], job["group"], hosts=HostNames.of(job["host"], None, None))
    return added.model_dump(mode="json")


def _write(path: Path, document: BaseModel, called: Mapping[str, str] | None = None) -> None:
    """A document without secrets, whole or not at all; files are called by the names that people gave them."""
    content = redacted(document.model_dump(mode="json", by_alias=True))
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    for place, name in (called or {}).items():
        text = text.replace(
            json.dumps(place, ensure_ascii=False)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]
        )
    write_whole(path, text)


TASKS: dict[str, Callable[[Job, Progress], dict[str, Any]]] = {
    "trace": take_in,
    "plan": plan,
    "comparison": compare,
    "result": result,
    "samples": samples,
}
"""By the kind of item that waits for it, or of document that is read in a process of its own."""
