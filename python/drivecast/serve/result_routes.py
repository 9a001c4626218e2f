"""Results of `drivecast bench`, and comparisons: with each other, and with designs on which they are simulated."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.concurrency import run_in_threadpool

from drivecast.document import result as document
from drivecast.document.comparison import Comparison
from drivecast.document.plan_options import PlanOptions
from drivecast.document.result import Result
from drivecast.document.served import ComparisonJob, ComparisonJobs, Measured, MeasuredResults
from drivecast.errors import HintedError, InputError
from drivecast.serve import limited_reader, uploaded_file
from drivecast.serve import plan_form as asked_options
from drivecast.serve.http_error import Refused, of_input
from drivecast.serve.item_store import Item
from drivecast.serve.services import Here, Services
from drivecast.serve.tasks import COMPARISON
from drivecast.serve.trace_routes import Name
from drivecast.stage.simulate import is_line

router = APIRouter(tags=["results"])
FILE = "result.json"


class Asked(BaseModel):
    """A comparison to be made."""

    model_config = ConfigDict(extra="forbid")

    measured: str
    result: str | None = None
    design: str | None = Field(None, max_length=2_000)
    tolerance: float = Field(0.2, ge=0.001, le=10)
    workload: str | None = Field(None, max_length=2_000)

    @model_validator(mode="after")
    def _one_side(self) -> "Asked":
        if (self.result is None) == (self.design is None):
            raise ValueError("expected `result` or `design`")
        return self


def shown(item: Item) -> Measured:
    """A result in short."""
    return Measured.model_validate({**item.found, "id": item.id, "name": item.name, "added": item.created})


@router.get("/results")
def results(here: Here) -> MeasuredResults:
    """All results, the newest first."""
    return MeasuredResults(results=[shown(item) for item in here.store.all("result")])


@router.post("/results", status_code=201)
async def store(request: Request, here: Here, name: Name) -> Measured:
    """Take in what `drivecast bench … -o FILE` wrote."""
    called = uploaded_file.name_of(name).removesuffix(".json")
    item = here.store.add("result", called, {}, "draft")
    path = here.queue.folder(item) / FILE
    try:
        await uploaded_file.stored(request.stream(), path, here.incoming)
        short = await run_in_threadpool(limited_reader.read, here.settings, "result", path)
    except BaseException:
        here.queue.forget(item)
        raise
    here.store.change(item.id, state="done", found=short)
    return shown(here.item("result", item.id))


@router.get("/results/{id}", response_model=Result)
def result(here: Here, id: str) -> Response:  # noqa: A002
    """A result."""
    return here.document(here.item("result", id), FILE)


@router.delete("/results/{id}", status_code=204)
def delete_result(here: Here, id: str) -> Response:  # noqa: A002
    """Delete a result; comparisons with it stay."""
    here.queue.forget(here.item("result", id))
    return Response(status_code=204)


def shown_job(item: Item) -> ComparisonJob:
    """A comparison in short."""
    own = {
        "id": item.id,
        "measured": item.name,
        "created": item.created,
        "outcome": item.found.get("outcome"),
    }
    asked = {name: item.given.get(name) for name in ("result", "design")}
    return ComparisonJob.model_validate({**item.progress, **own, **asked})


@router.get("/comparisons")
def comparisons(here: Here) -> ComparisonJobs:
    """All comparisons, the newest first."""
    return ComparisonJobs(comparisons=[shown_job(item) for item in here.store.all("comparison")])


@router.post("/comparisons", status_code=202)
def compare(here: Here, asked: Asked) -> ComparisonJob:
    """Have a result compared with another, or with a design."""
    measured = here.item("result", asked.measured)
    path = here.file(measured, FILE)
    try:
        prediction, other = _prediction(here, asked)
        if asked.design is not None:
            _only_lines(document.read(path), asked.workload)
    except InputError as error:
        raise of_input(error) from None
    given = {
        "result": asked.result,
        "design": asked.design,
        "measured": str(path),
        "prediction": prediction,
        "called": {str(path): measured.name, **other},
        "tolerance": asked.tolerance,
        "workload": asked.workload,
    }
    item = here.store.add("comparison", measured.id, given)
    here.queue.wake(item)
    return shown_job(item)


def _prediction(here: Services, asked: Asked) -> tuple[str, dict[str, str]]:
    """What a result is compared with, and what to call it where that is a file."""
    if asked.result is not None:
        item = here.item("result", asked.result)
        path = str(here.file(item, FILE))
        return path, {path: item.name}
    options = PlanOptions(designs=(asked.design or "",))
    asked_options.check(options, {}, here.settings.catalog)  # which a path does not pass
    return asked.design or "", {}


def _only_lines(found: Result, workload: str | None) -> None:
    """Raise `InputError` where a point names a file: one of this machine is not the one that was played."""
    for line in [workload] if workload else [point.workload for point in found.points]:
        if line is not None and not is_line(line):
            raise HintedError(
                f"`{line}` was played, which the server does not have",
                "give `workload` as a line: `random(4KiB, …)`",
            )


@router.get("/comparisons/{id}")
def comparison(here: Here, id: str) -> ComparisonJob:  # noqa: A002
    """A comparison, and how far it is."""
    return shown_job(here.item("comparison", id))


@router.get("/comparisons/{id}/document", response_model=Comparison)
def comparison_document(here: Here, id: str) -> Response:  # noqa: A002
    """The comparison itself."""
    return here.document(here.item("comparison", id), COMPARISON)


@router.post("/comparisons/{id}/cancel")
def cancel_comparison(here: Here, id: str) -> ComparisonJob:  # noqa: A002
    """Stop a comparison."""
    item = here.item("comparison", id)
    if not here.queue.cancel(item):
        raise Refused(409, "busy", f"the comparison is {item.state}")
    return shown_job(here.item("comparison", id))


@router.delete("/comparisons/{id}", status_code=204)
def delete_comparison(here: Here, id: str) -> Response:  # noqa: A002
    """Delete a comparison."""
    here.queue.forget(here.item("comparison", id))
    return Response(status_code=204)
