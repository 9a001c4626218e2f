"""What several processes of a test run need alike: the first makes it, the others wait for it and read it."""

import fcntl
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from drivecast.document.plan import Plan
from drivecast.document.report_payload import ReportPayload


class Shared:
    """The folder of one test run."""

    folder: Path
    asked = 0
    """How often this process has asked for something of the run: tests that do so are not fast, whoever makes it."""
    plans: ClassVar[dict[str, tuple[Plan, ReportPayload]]] = {}


def begin(places: pytest.TempPathFactory) -> None:
    """Lay what is made where all workers of this run find it, and other runs only where a folder is named."""
    own = places.getbasetemp()
    Shared.folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    Shared.folder = Path(os.environ.get("DRIVECAST_TESTS_MADE", Shared.folder))


def file(name: str, make: Callable[[], str]) -> Path:
    """The file with what `make` gives, made by one of the processes."""
    Shared.asked += 1
    made = Shared.folder / name
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            made.write_text(make(), encoding="utf-8")
    return made


def text(name: str, make: Callable[[], str]) -> str:
    """What `make` gives, made by one of the processes."""
    return file(name, make).read_text(encoding="utf-8")


def plan(name: str, make: Callable[[], Plan]) -> tuple[Plan, ReportPayload]:
    """A plan of a recording, and what its report carries."""

    def packed() -> str:
        made = make()
        carried = made.carried
        assert carried is not None
        assert carried.recording is not None
        kept = (
            made.model_dump(mode="json", by_alias=True),
            carried.document,
            b64encode(carried.recording).decode(),
        )
        return json.dumps(kept)

    Shared.asked += 1
    if name not in Shared.plans:
        document, carried, recording = json.loads(text(name, packed))
        Shared.plans[name] = Plan.check(document), ReportPayload(carried, b64decode(recording))
    return Shared.plans[name]
