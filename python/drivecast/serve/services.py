"""What routes work with: the store, the queue, the feed and the data folder, in one value."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import Response

from drivecast.document.served import Kind
from drivecast.serve.event_feed import EventFeed
from drivecast.serve.http_error import missing, not_ready
from drivecast.serve.item_store import Item, ItemStore
from drivecast.serve.job_queue import JobQueue
from drivecast.serve.login import Login
from drivecast.serve.settings import Settings


@dataclass(frozen=True)
class Services:
    """The server, as its routes see it."""

    settings: Settings
    store: ItemStore
    feed: EventFeed
    queue: JobQueue
    login: Login

    @property
    def incoming(self) -> Path:
        """Where what is being sent is written."""
        return self.settings.data / "incoming"

    @property
    def history(self) -> str:
        """The history of drives in service."""
        return str(self.settings.data / "health.sqlite3")

    def item(self, kind: Kind, id_: str) -> Item:
        """An item.

        Raises `Refused` where there is none.
        """
        found = self.store.find(kind, id_)
        if found is None:
            raise missing(kind, id_)
        return found

    def file(self, item: Item, name: str) -> Path:
        """A file of an item that is done.

        Raises `Refused` where it has not been made.
        """
        path = self.queue.folder(item) / name
        if item.state != "done" or not path.is_file():
            raise not_ready(item.kind, item.state)
        return path

    def document(self, item: Item, name: str) -> Response:
        """A document as it was written: it was checked when it was made."""
        return Response(self.file(item, name).read_bytes(), media_type="application/json")


def services(request: Request) -> Services:
    """The server that a request came to."""
    found: Services = request.app.state.services
    return found


Here = Annotated[Services, Depends(services)]


def stored_json(path: Path) -> Any:
    """What is in a file of ours."""
    return json.loads(path.read_bytes())
