"""A server of `drivecast serve` on loopback, in a process of its own: started for a test module, ended with it."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from drivecast.serve.item_store import ItemStore
from needs import needs
from small_traces import mixed, write
from waiting import PATIENCE_S, until

API = "/api/v1"
WRITES = {"X-Drivecast": "1"}
ENDED = ("done", "failed", "cancelled", "interrupted")
SHORT = {"budget": "1300", "drive_losses": 0, "capacity": "300GB", "growth": "0%", "peak_window": 1.0}
"""Options of a plan that tries four designs."""
PROGRAM = """
import json, sys
from pathlib import Path
from drivecast.serve import listen
from drivecast.serve.settings import Settings
given = json.loads(sys.argv[1])
given["data"] = Path(given["data"])
if "pages" in given:
    given["pages"] = Path(given["pages"])
given["folders"] = {name: Path(path) for name, path in given["folders"].items()}
listen.run(Settings(**given), lambda host, port: print(port, flush=True))
"""


@dataclass
class Served:
    """A running server, and requests to it."""

    process: subprocess.Popen[str]
    port: int
    data: Path
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=WRITES, timeout=60)

    def ask(self, method: str, path: str, expect: int = 200, **more: Any) -> Any:
        """The JSON of an answer with this status."""
        answer = self.client.request(method, API + path, **more)
        assert answer.status_code == expect, f"{answer.status_code}: {answer.text}"
        return answer.json() if answer.content else None

    def refused(self, status: int, method: str, path: str, **more: Any) -> dict[str, Any]:
        """Why a request is refused with this status."""
        found: dict[str, Any] = self.ask(method, path, status, **more)
        assert {"code", "reason", "hint"} == {*found}
        assert str(self.data) not in json.dumps(found), "people are not interested in where the server has it"
        return found

    def state(self, path: str) -> str:
        return str(self.ask("GET", path)["state"])

    def ended(self, path: str) -> dict[str, Any]:
        """A job once it has ended."""
        until(lambda: self.state(path) in ENDED, f"{path} ended")
        found: dict[str, Any] = self.ask("GET", path)
        return found

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        found = []
        for place in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = place.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == self.process.pid and fields[0] != "Z":
                found.append(int(place.parent.name))
        return found

    def working(self, plan: str) -> int:
        """The process of a plan, once it works."""
        until(lambda: self.ask("GET", f"/plans/{plan}")["what"] not in ("", "starting"), "the plan works")
        (pid,) = self.workers()
        return pid

    def upload(self, name: str, content: bytes, **query: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.ask(
            "POST", "/traces", 201, params={"name": name, **query}, content=content
        )
        return found

    def raw(self, *parts: bytes, pause_s: float = 0.0, patience_s: float = 20.0) -> bytes:
        """What is answered to bytes as they are, until the server ends the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience_s) as connection:
            for part in parts:
                try:
                    connection.sendall(part)
                except OSError:
                    break
                time.sleep(pause_s)
            answer = b""
            while True:
                try:
                    part = connection.recv(65536)
                except ConnectionError:
                    return answer
                if not part:
                    return answer
                answer += part

    def end(self) -> None:
        self.client.close()
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()


def start(data: Path, **settings: Any) -> Served:
    """A server of a data folder."""
    needs("loopback")
    given = {"data": str(data), "port": 0, "folders": {}, **settings}
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(given)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        pytest.fail(f"the server ended with {process.wait()}")
    return Served(process, int(line), data)


@contextmanager
def serving(data: Path, **settings: Any) -> Iterator[Served]:
    """A server for as long as the block lasts."""
    server = start(data, **settings)
    try:
        yield server
    finally:
        server.end()


def planted(data: Path, **files: str) -> str:
    """A plan that seems to have been made, with these files by the stem of their names; its id."""
    data.mkdir(exist_ok=True)
    store = ItemStore(data / "serve.sqlite3")
    plan = store.add("plan", "planted", {"traces": [], "options": {}}, "done").id
    store.close()
    folder = data / "plans" / plan
    folder.mkdir(parents=True)
    for name, text in {"plan": "{}", **files}.items():
        (folder / f"{name}.{'html' if name == 'report' else 'json'}").write_text(text)
    return plan


def tiny(folder: Path, count: int = 100) -> bytes:
    """A trace of half a second."""
    return write(folder, mixed(count), "tiny.blktrace").read_bytes()
