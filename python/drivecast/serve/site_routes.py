"""The server itself, sessions, events, the catalog, and the pages."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from pydantic import BaseModel

from drivecast import __version__
from drivecast.catalog import inventory, load
from drivecast.document.catalog import Inventory
from drivecast.document.served import About
from drivecast.serve.http_error import Refused
from drivecast.serve.services import Here

router = APIRouter(tags=["server"])

NO_PAGES = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Drivecast</title>
<h1>Drivecast</h1><p>This installation has no pages: it was made without <code>make web</code>.
The API is there all the same: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></html>"""


class Credentials(BaseModel):
    """What a browser shows once."""

    token: str


@router.post("/session", status_code=204)
def log_in(request: Request, here: Here, credentials: Credentials) -> Response:
    """Exchange the token for a cookie that lasts twelve hours."""
    if here.login.waiting():
        raise Refused(429, "token", "too many wrong tokens", "wait a minute", {"retry-after": "60"})
    if not here.login.is_token(credentials.token):
        here.login.wrong()
        raise Refused(401, "token", "that is not the token of this server")
    response = Response(status_code=204)
    if here.login.needed:
        secure = request.headers.get("origin", "").startswith("https:")
        response.headers["set-cookie"] = here.login.session(secure=secure)
    return response


@router.delete("/session", status_code=204)
def log_out(here: Here) -> Response:
    """End the session of this browser."""
    return Response(status_code=204, headers={"set-cookie": here.login.ended()})


@router.get("/about")
def about(here: Here) -> About:
    """The server, and what it allows."""
    settings = here.settings
    hosts = settings.fetch if settings.fetch is not None else (None if settings.loopback else ())
    return About(
        version=__version__,
        token=here.login.needed,
        folders=sorted(settings.folders),
        fetch="any" if hosts is None else "named" if hosts else "none",
        fetch_hosts=list(hosts or ()),
        upload_bytes_max=settings.upload_bytes_max,
        jobs_max=settings.jobs,
        job_time_max_s=settings.job_time_s,
        job_memory_max_bytes=settings.memory_bytes,
    )


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "Events, until the connection ends."}
    },
)
async def events(
    here: Here,
    subject: Annotated[str | None, Query(max_length=100, description="Of this item alone.")] = None,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """What happens from now on, or after the event that was last seen: progress, ends, edits."""
    if here.feed.full:
        raise Refused(503, "busy", "too many browsers listen", headers={"retry-after": "5"})
    last = (last_event_id or "").strip()
    after = int(last) if last.isascii() and last.isdigit() and len(last) < 19 else None
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(
        here.feed.stream(after, subject), media_type="text/event-stream", headers=headers
    )


@router.get("/drives")
def drives(here: Here) -> Inventory:
    """The drives and volumes of the catalog, of which designs are made."""
    return inventory(load(list(here.settings.catalog)))


def no_pages() -> HTMLResponse:
    """What is at `/` where the pages were not built."""
    return HTMLResponse(NO_PAGES)
