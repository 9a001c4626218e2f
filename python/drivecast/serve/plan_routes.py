"""Plans: asked for, followed, read, compared; and notes on them, which two may write."""

import functools
import threading
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from drivecast.document.plan import Plan
from drivecast.document.plan_options import PlanOptions
from drivecast.document.served import (
    ComparedDesign,
    ComparedRequirement,
    Models,
    NamedModel,
    PlanComparison,
    PlanJob,
    PlanJobs,
    Side,
)
from drivecast.errors import InputError
from drivecast.serve import plan_form
from drivecast.serve.http_error import Refused, missing, of_input
from drivecast.serve.item_store import Item
from drivecast.serve.services import Here, Services, stored_json
from drivecast.serve.tasks import CARRIED, DOCUMENT, RECORDING, REPORT
from drivecast.serve.worker import without_places
from drivecast.stage import model_file

router = APIRouter(tags=["plans"])
_COMPARING = threading.Lock()
"""A plan takes a hundred megabytes while it is read: one comparison at a time."""
FIRST = 10
"""Designs of either plan that a comparison shows."""
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads allow-popups allow-modals; default-src 'none'; "
    "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; img-src data: blob:; "
    "font-src data:; worker-src blob:; connect-src data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""A report brings its scripts along. It has no origin of its own, so it reaches nothing of ours, and nothing else."""

Text = Annotated[str, Field(max_length=200)]
Notes = Annotated[str, Field(max_length=20_000)]


class Wanted(BaseModel):
    """A plan to be made."""

    model_config = ConfigDict(extra="forbid")

    traces: list[str] = Field(default_factory=list, max_length=32)
    model: str | None = None
    """A workload model in place of traces: one that comes with the program."""
    name: Text | None = None
    notes: Notes = ""
    options: PlanOptions = PlanOptions()

    @model_validator(mode="after")
    def _one_load(self) -> "Wanted":
        if bool(self.traces) == (self.model is not None):
            raise ValueError("expected `traces`, or a `model`")
        return self


class Edit(BaseModel):
    """What is changed about a plan."""

    model_config = ConfigDict(extra="forbid")

    name: Text | None = None
    notes: Notes | None = None


def shown(item: Item, here: Services) -> PlanJob:
    """An item as its document."""
    own = {
        name: getattr(item, name) for name in ("id", "name", "notes", "revision", "created", "began", "ended")
    }
    answer = item.found if "considered" in item.found else None
    quiet_s = here.queue.quiet_s(item)
    return PlanJob.model_validate(
        {**item.progress, "quiet_s": quiet_s, **own, **item.given, "answer": answer}
    )


def _tagged(here: Services, response: Response, item: Item) -> PlanJob:
    response.headers["etag"] = f'"{item.revision}"'
    return shown(item, here)


@router.get("/plans")
def plans(here: Here) -> PlanJobs:
    """All plans, the newest first."""
    return PlanJobs(plans=[shown(item, here) for item in here.store.all("plan")])


@router.post("/plans", status_code=202)
def create(here: Here, response: Response, wanted: Wanted) -> PlanJob:
    """Have a plan made of traces, as `drivecast plan` makes it."""
    try:
        plan_form.check(wanted.options, here.settings.folders, here.settings.catalog)
    except InputError as error:
        text = without_places(str(error), str(here.settings.data))
        raise of_input(InputError(text)) from None
    found = [here.item("trace", id_) for id_ in wanted.traces]
    for trace in found:
        if trace.state != "done":
            raise Refused(409, "not-ready", f"the trace `{trace.name}` is {trace.state}")
    if wanted.model is not None and wanted.model not in model_file.named():
        raise missing("model", wanted.model)
    options = TypeAdapter(PlanOptions).dump_python(wanted.options, mode="json")
    given = {"traces": wanted.traces, "model": wanted.model, "options": options}
    name = (wanted.name or "").strip() or (found[0].name if found else str(wanted.model))
    item = here.store.add("plan", name, given, notes=wanted.notes)
    here.queue.wake(item)
    return _tagged(here, response, item)


@router.get("/models")
def models() -> Models:
    """The workload models that a plan can be made of."""
    found = [model_file.load(name) for name in model_file.named()]
    return Models(
        models=[NamedModel(name=model.name, description=model.description or "") for model in found]
    )


@router.get("/plans/compared")
def compared(here: Here, first: str, second: str) -> PlanComparison:
    """Two plans side by side: what was required, and the first designs of either, or what comes nearest."""
    items = [here.item("plan", id_) for id_ in (first, second)]
    paths = [here.file(item, DOCUMENT) for item in items]
    with _COMPARING:
        ours, theirs = (_plan(path, path.stat().st_mtime_ns) for path in paths)
    return PlanComparison(
        first=shown(items[0], here),
        second=shown(items[1], here),
        requirements=_requirements(ours, theirs),
        designs=_designs(ours, theirs),
    )


@functools.lru_cache(maxsize=4)
def _plan(path: Path, _changed_ns: int) -> Plan:
    """A plan; those of the last comparisons stay in memory."""
    return Plan.model_validate(stored_json(path))


def _requirements(ours: Plan, theirs: Plan) -> list[ComparedRequirement]:
    first, second = ({row.name: row.display for row in plan.requirements} for plan in (ours, theirs))
    return [
        ComparedRequirement(
            name=name,
            first=first.get(name),
            second=second.get(name),
            same=first.get(name) == second.get(name),
        )
        for name in {**first, **second}
    ]


def _designs(ours: Plan, theirs: Plan) -> list[ComparedDesign]:
    first, second = ({design.line: design for design in plan.designs} for plan in (ours, theirs))
    ranked = [design for plan in (ours, theirs) for design in (plan.ranked() or plan.near())[:FIRST]]
    return [
        ComparedDesign(
            line=line,
            title=title,
            first=Side.of(first[line]) if line in first else None,
            second=Side.of(second[line]) if line in second else None,
        )
        for line, title in {design.line: design.title for design in ranked}.items()
    ]


@router.get("/plans/{id}")
def plan(here: Here, response: Response, id: str) -> PlanJob:  # noqa: A002
    """A plan; `ETag` is its revision."""
    return _tagged(here, response, here.item("plan", id))


@router.patch("/plans/{id}")
def edit(
    here: Here,
    response: Response,
    id: str,  # noqa: A002
    changes: Edit,
    if_match: Annotated[str | None, Header()] = None,
) -> PlanJob:
    """Change the name or the notes of the revision that was read."""
    item = here.item("plan", id)
    if if_match is None:
        raise Refused(428, "need-if-match", "an edit names the revision that it is of", "send `If-Match`")
    values = {name: value for name, value in changes.model_dump().items() if value is not None}
    if not values.get("name", "x").strip():
        raise Refused(422, "input", "a plan needs a name")
    revision = if_match.strip().removeprefix("W/").strip('"')
    right = revision.isascii() and revision.isdigit() and len(revision) < 16
    if not right or not here.store.edit(id, int(revision), **values):
        raise Refused(
            412,
            "changed",
            "somebody else has changed the plan meanwhile",
            "load it again; what you wrote was not stored",
            {"etag": f'"{here.item("plan", id).revision}"'},
        )
    item = here.item("plan", id)
    here.feed.say(item, "changed")
    return _tagged(here, response, item)


@router.get("/plans/{id}/document", response_model=Plan)
def document(here: Here, id: str) -> Response:  # noqa: A002
    """The plan itself, as `drivecast plan --output-format json` prints it."""
    return here.document(here.item("plan", id), DOCUMENT)


@router.get("/plans/{id}/report", response_class=Response, responses={200: {"content": {"text/html": {}}}})
def report(here: Here, id: str, download: bool = False) -> Response:  # noqa: A002
    """The report, a page that needs nothing else; it can do nothing to this server."""
    path = here.file(here.item("plan", id), REPORT)
    more = {"content-disposition": 'attachment; filename="report.html"'} if download else {}
    headers = {"content-security-policy": REPORT_POLICY, "x-frame-options": "SAMEORIGIN", **more}
    return Response(path.read_bytes(), media_type="text/html", headers=headers)


def _carried(here: Here, id_: str, name: str, kind: str) -> Response:
    item = here.item("plan", id_)
    here.file(item, DOCUMENT)
    path = here.queue.folder(item) / name
    if not path.is_file():
        raise Refused(409, "answer", "this plan can only be read, not varied", "make it again")
    return Response(path.read_bytes(), media_type=kind)


@router.get("/plans/{id}/what-if", response_model=dict[str, Any])
def what_if(here: Here, id: str) -> Response:  # noqa: A002
    """What a page needs to vary the plan."""
    return _carried(here, id, CARRIED, "application/json")


@router.get("/plans/{id}/recording", response_class=Response)
def recording(here: Here, id: str) -> Response:  # noqa: A002
    """The peak, and the writes for wear, in compact form."""
    return _carried(here, id, RECORDING, "application/octet-stream")


@router.post("/plans/{id}/cancel")
def cancel(here: Here, response: Response, id: str) -> PlanJob:  # noqa: A002
    """Stop a plan that waits or is being made."""
    item = here.item("plan", id)
    if not here.queue.cancel(item):
        raise Refused(409, "busy", f"the plan is {item.state}")
    return _tagged(here, response, here.item("plan", id))


@router.post("/plans/{id}/again", status_code=202)
def again(here: Here, response: Response, id: str) -> PlanJob:  # noqa: A002
    """Make a plan again that failed, was cancelled or interrupted."""
    item = here.item("plan", id)
    if not here.queue.again(item):
        raise Refused(409, "busy", f"the plan is {item.state}")
    return _tagged(here, response, here.item("plan", id))


@router.delete("/plans/{id}", status_code=204)
def delete(here: Here, id: str) -> Response:  # noqa: A002
    """Delete a plan; one that is being made is stopped first."""
    here.queue.forget(here.item("plan", id))
    return Response(status_code=204)
