"""Traces: dropped in, named by path or URL, listed, deleted; and windows of them.

How a log is to be read stands in the address of an upload: a parameter for each option of `LogOptions`.

A URL from a browser makes this server call another, with its place in the network. So only protocols that reach
servers are taken, never files of this machine or chains of protocols (`simplecache::file://…`), and only hosts that
were named, where any were or where the server is open to others. What comes back is never shown: it becomes a trace,
or an error with its first bytes. Left out: where a named host redirects to.
"""

import inspect
import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, model_validator

from drivecast.document.option import Defined, defined
from drivecast.document.plan_options import LogOptions
from drivecast.document.profile import Profile
from drivecast.document.served import ENDED, Folders, HeatWindow, Latencies, Listing, Series, Trace, Traces
from drivecast.errors import HintedError, InputError
from drivecast.plain_text import redacted
from drivecast.serve import allowed_folders, trace_windows, uploaded_file
from drivecast.serve.http_error import Refused, missing, of_input
from drivecast.serve.item_store import Item
from drivecast.serve.services import Here, Services
from drivecast.serve.settings import Settings
from drivecast.serve.tasks import PROFILE, REQUESTS
from drivecast.stage.trace import log_name

router = APIRouter(tags=["traces"])
PATIENCE_S = 10.0
"""So long an upload waits to hear whether it is a trace."""
OVER = frozenset((*ENDED, "deleted"))
FILES = "log"
SCHEMES = ("http", "https", "s3", "prometheus+http", "prometheus+https")
URL_MAX = 2_000
_PROCESSOR = re.compile(r"\.blktrace\.\d+$")
"""What the file of one processor ends with."""


def reading_of(**given: Any) -> LogOptions:
    """The options of an address."""
    return LogOptions(**given)


def _parameter(option: Defined) -> inspect.Parameter:
    what = option.option
    query = Query(description=what.help, ge=what.low, le=what.high)
    kind = inspect.Parameter.KEYWORD_ONLY
    annotation: Any = Annotated[option.annotation, query]
    return inspect.Parameter(option.name, kind, default=option.default, annotation=annotation)


reading_of.__signature__ = inspect.Signature([_parameter(each) for each in defined(LogOptions)])  # type: ignore[attr-defined]

Name = Annotated[str, Query(min_length=1, max_length=500, description="The name of the file.")]
More = Annotated[bool, Query(description="Whether more files of this trace follow.")]
Read = Annotated[LogOptions, Depends(reading_of)]
Seconds = Annotated[float | None, Query(ge=0, le=1e10)]
Op = Annotated[Literal["read", "write"] | None, Query()]


class Named(BaseModel):
    """Where a trace is: a path in a named folder, or a URL."""

    model_config = ConfigDict(extra="forbid")

    folder: str | None = None
    path: str | None = None
    url: str | None = None
    name: str | None = None
    reading: LogOptions = LogOptions()

    @model_validator(mode="after")
    def _one_place(self) -> "Named":
        if (self.url is None) == (self.folder is None or self.path is None):
            raise ValueError("expected `folder` and `path`, or `url`")
        return self


def shown(item: Item) -> Trace:
    """An item as its document."""
    found, given = item.found, item.given
    return Trace.model_validate(
        {
            **item.progress,
            **{name: found.get(name) for name in ("kind", "format", "requests", "duration_s")},
            "id": item.id,
            "name": item.name,
            "origin": given["origin"],
            "place": given.get("place"),
            "files": found.get("files") or given.get("files", []),
            "bytes": found.get("bytes") or given.get("bytes", 0),
            "added": item.created,
            "reading": given.get("reading", {}),
        }
    )


@router.get("/traces")
def traces(here: Here) -> Traces:
    """All traces, the newest first."""
    return Traces(traces=[shown(item) for item in here.store.all("trace")])


def _stated(reading: LogOptions) -> dict[str, Any]:
    """How a trace is read, as far as that was said."""
    plain = asdict(LogOptions())
    return {name: value for name, value in asdict(reading).items() if value != plain[name]}


@router.post("/traces", status_code=201)
async def upload(request: Request, here: Here, name: Name, reading: Read, more: More = False) -> Trace:
    """Take a trace in from the body of the request; `more` leaves it open for further files, one a processor."""
    file = uploaded_file.name_of(name)
    given = {"origin": "upload", "reading": _stated(reading)}
    item = here.store.add("trace", _PROCESSOR.sub("", log_name([file])), given, "draft")
    try:
        await _stored(request, here, item, file)
    except BaseException:
        here.queue.forget(item)
        raise
    return await _begun(here, item.id) if not more else shown(here.item("trace", item.id))


@router.put("/traces/{id}/files/{name}")
async def upload_further(request: Request, here: Here, id: str, name: str, more: More = False) -> Trace:  # noqa: A002
    """Add a file to a trace that waits for more; without `more` it is the last."""
    item = here.item("trace", id)
    if item.state != "draft":
        raise Refused(409, "busy", "the trace takes no more files", "upload it again, with all of them")
    if len(item.given.get("files", [])) >= allowed_folders.FILES_MAX:
        raise Refused(422, "input", f"a trace has at most {allowed_folders.FILES_MAX:,} files")
    await _stored(request, here, item, uploaded_file.name_of(name))
    return await _begun(here, id) if not more else shown(here.item("trace", id))


async def _stored(request: Request, here: Services, item: Item, file: str) -> None:
    path = here.queue.folder(item) / FILES / item.name / file
    if path.exists():
        raise Refused(409, "busy", f"the trace has a file `{file}` already")
    size = await uploaded_file.stored(request.stream(), path, here.incoming)
    now_given = here.item("trace", item.id).given
    given = {
        **now_given,
        "files": [*now_given.get("files", []), file],
        "bytes": now_given.get("bytes", 0) + size,
        "source": {"stored": str(path.parent)},
    }
    if given["bytes"] > here.settings.upload_bytes_max:
        here.queue.forget(item)
        raise Refused(413, "too-large", "all files of the trace together are more than may be sent")
    here.store.change(item.id, given=given)


async def _begun(here: Services, id_: str) -> Trace:
    """Have a trace read, and wait a little: most are read at once, and what is none is refused right away."""
    here.store.change(id_, ("draft",), state="queued")
    here.queue.wake(here.item("trace", id_))
    await here.feed.until(id_, OVER, PATIENCE_S)
    item = here.item("trace", id_)
    if item.state == "failed" and item.found.get("code") == "input":
        here.queue.forget(item)
        raise Refused(422, "no-trace", item.message or "it is no trace", item.hint)
    return shown(item)


@router.post("/traces/registered", status_code=201)
async def register(here: Here, named: Named) -> Trace:
    """Take a trace in from a named folder, where it stays, or from a URL."""
    try:
        name, given = _in_folder(here, named) if named.url is None else _at_url(here, named.url)
    except InputError as error:
        raise of_input(error) from None
    given["reading"] = _stated(named.reading)
    item = here.store.add("trace", (named.name or name)[: uploaded_file.NAME_MAX] or "trace", given, "draft")
    if named.url is not None:
        into = here.queue.folder(item) / FILES / uploaded_file.name_of(name or "trace")
        here.store.change(
            item.id, given={**given, "source": {"url": named.url, "into": str(into), "stored": str(into)}}
        )
    return await _begun(here, item.id)


def _in_folder(here: Services, named: Named) -> tuple[str, dict[str, Any]]:
    folder, path = named.folder or "", named.path or ""
    root = _root(here, folder)
    with allowed_folders.opened(root, path) as files:
        size = sum(file.bytes for file in files)
        names = [file.name for file in files]
    source = {"root": str(root), "path": path}
    given = {"origin": "folder", "place": f"{folder}/{path}", "files": names, "bytes": size, "source": source}
    return log_name([path]), given


def _at_url(here: Services, url: str) -> tuple[str, dict[str, Any]]:
    check_url(url, here.settings)
    return log_name([url.partition("?")[0] or url]), {"origin": "url", "place": redacted(url)}


def _root(here: Services, folder: str) -> Path:
    root = here.settings.folders.get(folder)
    if root is None:
        raise HintedError(f"there is no folder `{folder}`", "the server names them: `--folder PATH`")
    return root


@router.get("/folders")
def folders(here: Here) -> Folders:
    """The folders that traces may be named in."""
    return Folders(folders=sorted(here.settings.folders))


@router.get("/folders/{folder}")
def folder_listing(here: Here, folder: str, path: str = "") -> Listing:
    """What is in one of them."""
    if folder not in here.settings.folders:
        raise missing("folder", folder)
    try:
        entries = allowed_folders.listed(here.settings.folders[folder], path)
    except InputError as error:
        raise of_input(error) from None
    return Listing(folder=folder, path=path, entries=entries)


@router.get("/traces/{id}")
def trace(here: Here, id: str) -> Trace:  # noqa: A002
    """A trace."""
    return shown(here.item("trace", id))


@router.post("/traces/{id}/again", status_code=202)
def read_again(here: Here, id: str) -> Trace:  # noqa: A002
    """Read one again whose reading failed or was interrupted."""
    item = here.item("trace", id)
    if not here.queue.again(item):
        raise Refused(409, "busy", f"the trace is {item.state}")
    return shown(here.item("trace", id))


@router.delete("/traces/{id}", status_code=204)
def delete_trace(here: Here, id: str) -> Response:  # noqa: A002
    """Delete a trace; plans made of it stay. A file in a named folder stays where it is."""
    item = here.item("trace", id)
    using = [
        plan.name
        for plan in here.store.all("plan")
        if plan.state in ("queued", "running") and id in plan.given["traces"]
    ]
    if using:
        raise Refused(409, "busy", f"a plan is being made of it: {using[0]}", "cancel the plan, or wait")
    here.queue.forget(item)
    return Response(status_code=204)


@router.get("/traces/{id}/profile", response_model=Profile)
def profile(here: Here, id: str) -> Response:  # noqa: A002
    """The profile."""
    return here.document(here.item("trace", id), PROFILE)


def _table(here: Services, id_: str) -> tuple[trace_windows.Table, str]:
    item = here.item("trace", id_)
    return trace_windows.table(here.file(item, REQUESTS)), item.found["kind"]


def _as_json(found: BaseModel) -> Response:
    """A document of a hundred thousand numbers, written once."""
    return Response(found.model_dump_json(), media_type="application/json")


@router.get("/traces/{id}/series", response_model=Series)
def series(
    here: Here,
    id: str,  # noqa: A002
    from_s: Seconds = None,
    to_s: Seconds = None,
    points: Annotated[int, Query(ge=1, le=trace_windows.BINS_MAX)] = 1000,
) -> Response:
    """Rates, sizes and latency over a window, in at most `points` bins."""
    table, source = _table(here, id)
    return _as_json(trace_windows.series(table, source, from_s, to_s, points))


@router.get("/traces/{id}/heat-map", response_model=HeatWindow)
def heat_map(  # noqa: PLR0913, PLR0917 (a parameter of the URL is an argument)
    here: Here,
    id: str,  # noqa: A002
    from_s: Seconds = None,
    to_s: Seconds = None,
    from_bytes: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
    to_bytes: Annotated[int | None, Query(ge=0, lt=2**63)] = None,
    time_bins: Annotated[int, Query(ge=1, le=2000)] = 200,
    address_bins: Annotated[int, Query(ge=1, le=2000)] = 100,
    op: Op = None,
) -> Response:
    """Requests by time and address."""
    table, source = _table(here, id)
    of_times, of_addresses = (from_s, to_s), (from_bytes, to_bytes)
    return _as_json(
        trace_windows.heat_map(table, source, of_times, of_addresses, (time_bins, address_bins), op)
    )


@router.get("/traces/{id}/latencies")
def latencies(
    here: Here,
    id: str,  # noqa: A002
    from_s: Seconds = None,
    to_s: Seconds = None,
    op: Op = None,
) -> Latencies:
    """The distribution of latency in a window."""
    table, source = _table(here, id)
    return trace_windows.latencies(table, source, from_s, to_s, op)


def check_url(url: str, settings: Settings) -> None:
    """Raise `InputError` for a URL that must not be fetched."""
    scheme = url.partition(":")[0].lower()
    if scheme not in SCHEMES or "::" in url or len(url) > URL_MAX or re.search(r"[\x00-\x20\\*]", url):
        raise HintedError(
            "this is no URL that the server fetches from",
            f"expected one of {', '.join(f'{each}://…' for each in SCHEMES)}, without `*`",
        )
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        host = ""
    allowed = settings.fetch if settings.fetch is not None else (None if settings.loopback else ())
    if not host or (allowed is not None and host not in {name.lower() for name in allowed}):
        raise HintedError(
            f"the server may not fetch from `{host}`", "start it with `--fetch-from HOST`, or upload the file"
        )
