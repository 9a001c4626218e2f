"""Jobs, run one after another: plans in as many lanes as `--jobs`, traces and comparisons in one of their own.

Model. A job is an item of the store; its state is what there is to know. A lane is a thread that claims the next one,
starts a worker and passes on what it says. Cancelling sets the state first and kills second, so whatever the worker
still said counts for nothing. A server that ends leaves jobs `running` in the store, and the next one marks them
`interrupted`; jobs that only waited still wait.
"""

import contextlib
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drivecast.document.served import Kind, State
from drivecast.serve.event_feed import EventFeed
from drivecast.serve.item_store import Item, ItemStore, now
from drivecast.serve.job_process import Child
from drivecast.serve.settings import Settings

LANES: tuple[tuple[Kind, ...], ...] = (("trace", "comparison"), ("plan",))
KINDS: tuple[Kind, ...] = ("trace", "result")
"""What is sent, and may be cut off."""
INTERRUPTED = "the server ended while it ran"


class JobQueue:
    """The lanes, and the workers that run in them."""

    def __init__(self, settings: Settings, store: ItemStore, feed: EventFeed) -> None:
        self._settings, self._store, self._feed = settings, store, feed
        self._children: dict[str, Child] = {}
        self._heard: dict[str, float] = {}
        """When a job that runs has last said something."""
        self._changed = threading.Condition()
        self._ending = False
        self._lanes: list[threading.Thread] = []

    def folder(self, item: Item) -> Path:
        """Where the files of an item are."""
        return self._settings.data / f"{item.kind}s" / item.id

    def start(self) -> None:
        """Mark what an earlier server left, and begin."""
        for item in self._store.running():
            self._end(item, "interrupted", message=INTERRUPTED, hint="run it again")
        for kind in KINDS:
            for item in self._store.all(kind):
                if item.state == "draft":  # whoever was sending it has had no answer
                    self.forget(item)
        for kinds in (LANES[0], *[LANES[1]] * self._settings.jobs):
            lane = threading.Thread(
                target=self._lane, args=(kinds,), daemon=True, name=f"lane of {kinds[0]}s"
            )
            lane.start()
            self._lanes.append(lane)

    def stop(self) -> None:
        """Kill what runs, which is marked as interrupted."""
        with self._changed:
            self._ending = True
            self._changed.notify_all()
            children = dict(self._children)
        for id_, child in children.items():
            item = self._store.find(None, id_)
            if item is not None:
                self._end(item, "interrupted", message=INTERRUPTED, hint="run it again")
            child.kill("stopped")
        for lane in self._lanes:
            lane.join(timeout=5)

    def wake(self, item: Item) -> None:
        """Say that a job waits."""
        self._feed.say(item, "queued")
        with self._changed:
            self._changed.notify_all()

    def again(self, item: Item) -> bool:
        """Have a job that has ended without an answer wait again; whether it had."""
        values: dict[str, Any] = {"state": "queued", "share": 0.0, "what": "", "message": None, "hint": None}
        ended: tuple[State, ...] = ("failed", "cancelled", "interrupted")
        if not self._store.change(item.id, ended, began=None, ended=None, **values):
            return False
        found = self._store.find(item.kind, item.id)
        if found is not None:
            self.wake(found)
        return True

    def cancel(self, item: Item) -> bool:
        """Stop a job that waits or runs; whether it did."""
        if not self._store.change(item.id, ("queued", "running"), state="cancelled", ended=now()):
            return False
        self._say(item.id, "cancelled")
        with self._changed:
            child = self._children.get(item.id)
        if child is not None:
            child.kill("cancelled")
        return True

    def forget(self, item: Item) -> None:
        """Stop a job, and remove it with its files."""
        self.cancel(item)
        until = time.monotonic() + 5
        with self._changed:
            while item.id in self._children and time.monotonic() < until:
                self._changed.wait(0.1)
        self._store.remove(item.id)
        shutil.rmtree(self.folder(item), ignore_errors=True)
        self._feed.say(item, "deleted")

    def _lane(self, kinds: tuple[Kind, ...]) -> None:
        while True:
            with self._changed:
                if self._ending:
                    return
                item = self._store.claim(kinds)
                if item is None:
                    self._changed.wait(5)
                    continue
            try:
                self._run(item)
            except Exception as error:  # one that cannot be started is no reason to start no other
                self._end(item, "failed", message=f"it could not be started: {error}", hint=None)

    def _run(self, item: Item) -> None:
        self._heard[item.id] = time.monotonic()
        self._feed.say(item, "running")
        folder = self.folder(item)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            child = Child(self._job(item, folder), folder / "worker.log", self._settings.job_time_s)
        except KeyError as error:
            self._end(item, "failed", message=f"the trace {error.args[0]} was deleted", hint=None)
            return
        with self._changed:
            self._children[item.id] = child
            ending = self._ending
        current = self._store.find(item.kind, item.id)
        if ending or current is None or current.state != "running":  # cancelled before there was a process
            child.kill("cancelled")
        try:
            answer = child.heard(self._passed_on(item))
        finally:
            with self._changed:
                self._children.pop(item.id, None)
                self._heard.pop(item.id, None)
                self._changed.notify_all()
        if "done" in answer:
            done = {**item.found, **answer["done"]}
            self._end(item, "done", share=1.0, what="", found=done)
        else:
            found = {**item.found, "code": answer.get("code", "failed")}
            self._end(item, "failed", message=answer["failed"], hint=answer.get("hint"), found=found)

    def _end(self, item: Item, state: State, **values: Any) -> None:
        """Set how a job ended, unless it was cancelled or interrupted before."""
        if self._store.change(item.id, ("running",), state=state, ended=now(), **values):
            self._say(item.id, state)

    def _say(self, id_: str, name: str) -> None:
        item = self._store.find(None, id_)
        if item is not None:
            self._feed.say(item, name)

    def _passed_on(self, item: Item) -> Callable[[float, str], None]:
        """What is called with progress: it goes into the store and to whoever listens."""

        def progress(share: float, what: str) -> None:
            self._heard[item.id] = time.monotonic()
            with contextlib.suppress(Exception):  # progress is no reason to fail
                if self._store.change(item.id, ("running",), share=min(share, 0.999), what=what[:200]):
                    self._say(item.id, "progress")

        return progress

    def quiet_s(self, item: Item) -> float | None:
        """So long a job that runs has said nothing; none for others."""
        heard = self._heard.get(item.id)
        return None if heard is None or item.state != "running" else time.monotonic() - heard

    def _job(self, item: Item, folder: Path) -> dict[str, Any]:
        """What the worker needs to know.

        Raises `KeyError` for a trace that is gone.
        """
        job: dict[str, Any] = {
            "task": item.kind,
            "data": str(self._settings.data),
            "folder": str(folder),
            "cpu_s": self._settings.job_time_s * (self._settings.threads + 1),
            "memory_bytes": self._settings.memory_bytes,
            "threads": self._settings.threads,
            "folders": {name: str(path) for name, path in self._settings.folders.items()},
            "catalog": [str(path) for path in self._settings.catalog],
            **item.given,
        }
        if item.kind == "plan":
            traces = [self._store.find("trace", id_) for id_ in item.given["traces"]]
            if None in traces:
                raise KeyError(item.given["traces"][traces.index(None)])
            job["sources"] = [trace.given["source"] for trace in traces if trace is not None]
            job["readings"] = [trace.given.get("reading", {}) for trace in traces if trace is not None]
            job["names"] = [trace.name for trace in traces if trace is not None] or [item.given["model"]]
        return job
