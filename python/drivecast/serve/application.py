"""The server put together: routes, errors, pages, behind the middleware."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from drivecast import __version__
from drivecast.document.served import Failure
from drivecast.errors import InputError, NoAnswer
from drivecast.serve import health_routes, plan_routes, result_routes, site_routes, trace_routes
from drivecast.serve.event_feed import EventFeed
from drivecast.serve.http_error import Refused, of_answer, of_input
from drivecast.serve.item_store import ItemStore
from drivecast.serve.job_queue import JobQueue
from drivecast.serve.login import Login
from drivecast.serve.middleware import ALIVE, API, Middleware
from drivecast.serve.services import Services
from drivecast.serve.settings import Settings
from drivecast.serve.uploaded_file import swept

REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": Failure, "description": "It was not done; `reason` says why."}
}


def application(settings: Settings) -> Middleware:
    """The server of a data folder."""
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = ItemStore(settings.data / "serve.sqlite3")
    feed = EventFeed(store)
    services = Services(settings, store, feed, JobQueue(settings, store, feed), Login(settings.token))
    swept(services.incoming)
    app = described(services)
    _answers_errors(app)
    _pages(app, settings)
    return Middleware(app, settings, services.login, services.feed)


def described(services: Services | None = None) -> FastAPI:
    """The API; without services it can only be described."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        if services is None:
            raise RuntimeError("a description serves nobody")
        services.feed.begin(asyncio.get_running_loop())
        services.queue.start()
        yield
        await asyncio.to_thread(services.queue.stop)
        services.store.close()

    app = FastAPI(
        title="Drivecast",
        version=__version__,
        lifespan=lifespan,
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=REFUSALS,
    )
    app.state.services = services
    for room in (site_routes, trace_routes, plan_routes, health_routes, result_routes):
        app.include_router(room.router, prefix=API)
    return app


def _answers_errors(app: FastAPI) -> None:
    """Have every error answered with a code and a sentence."""

    async def refused(_request: Request, error: Exception) -> Response:
        match error:
            case Refused():
                found = error
            case InputError():
                found = of_input(error)
            case NoAnswer():
                found = of_answer(error)
            case RequestValidationError():
                first = error.errors()[0]
                place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
                found = Refused(422, "input", f"{place}: {str(first['msg']).removeprefix('Value error, ')}")
            case HTTPException():
                code = "missing" if error.status_code == 404 else "input"
                found = Refused(error.status_code, code, str(error.detail))
            case _:
                found = Refused(500, "fault", f"a fault of drivecast: {type(error).__name__}: {error}")
        return JSONResponse(found.failure.model_dump(), found.status_code, headers=found.headers)

    for kind in (HTTPException, InputError, NoAnswer, RequestValidationError, Exception):
        app.add_exception_handler(kind, refused)


def _pages(app: FastAPI, settings: Settings) -> None:
    """Serve the pages below `/`, or say that there are none."""
    index = settings.pages / "index.html"

    @app.get("/", include_in_schema=False)
    def home() -> Response:
        return FileResponse(index) if index.is_file() else site_routes.no_pages()

    @app.get(ALIVE, include_in_schema=False)
    def alive() -> Response:
        return Response("ok\n", media_type="text/plain")

    if index.is_file():
        app.mount("/", StaticFiles(directory=settings.pages))
