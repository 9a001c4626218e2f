"""What happened, to those who listen: server-sent events with numbers that go on after a restart.

An event is stored before it is sent, so a browser that was away names the last one that it saw (`Last-Event-ID`) and
gets what came after; where that is no longer stored, an event `reset` says that the lists are to be loaded anew.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator

from drivecast.serve.item_store import Item, ItemStore

PING_S = 15.0
LISTENERS_MAX = 100
HERE = "event: here\ndata: {}\n\n"
"""Said at first, and when nothing happens: who hears none of it is behind a proxy that holds the stream back."""


class EventFeed:
    """The events of a store, and who waits for them."""

    def __init__(self, store: ItemStore) -> None:
        self._store = store
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: set[asyncio.Event] = set()
        self._ended = False

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake listeners of this loop from now on."""
        self._loop = loop

    def end(self) -> None:
        """Let go of all who listen: they would hold up the end of the server."""
        self._ended = True
        self._wake()

    @property
    def full(self) -> bool:
        """Whether as many listen as may."""
        return len(self._listeners) >= LISTENERS_MAX

    def say(self, item: Item, name: str) -> None:
        """Note what happened to an item, and wake who listens; from any thread."""
        progress = item.progress if name != "deleted" else {"state": "deleted"}
        self._store.report(item.id, name, {"kind": item.kind, **progress})
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for listener in self._listeners:
            listener.set()

    async def until(self, subject: str, names: frozenset[str], seconds: float) -> None:
        """Wait for one of these events of an item, or for so long; those before the call count, too."""
        last = 0
        with contextlib.suppress(TimeoutError), self._listening() as listener:
            async with asyncio.timeout(seconds):
                while not self._ended:
                    listener.clear()
                    found, _ = await asyncio.to_thread(self._store.events, last, subject)
                    if any(event.name in names for event in found):
                        return
                    last = found[-1].id if found else last
                    await listener.wait()

    async def stream(self, last: int | None, subject: str | None) -> AsyncIterator[str]:
        """Events as `text/event-stream`, from after `last`, or from now on."""
        with self._listening() as listener:
            if last is None:
                last = await asyncio.to_thread(self._store.last_event)
                yield f"id: {last}\nretry: 2000\n\n"
            elif last > await asyncio.to_thread(self._store.last_event):
                last = 0  # of another data folder
                yield "event: reset\ndata: {}\n\n"
            yield HERE
            while not self._ended:
                listener.clear()
                found, missed = await asyncio.to_thread(self._store.events, last, subject)
                if missed and last > 0:
                    yield "event: reset\ndata: {}\n\n"
                    last = found[0].id - 1 if found else await asyncio.to_thread(self._store.last_event)
                for event in found:
                    last = event.id
                    yield f"id: {event.id}\nevent: {event.name}\ndata: {_line(event.data)}\n\n"
                if found:
                    continue
                try:
                    async with asyncio.timeout(PING_S):
                        await listener.wait()
                except TimeoutError:
                    yield HERE

    @contextlib.contextmanager
    def _listening(self) -> Iterator[asyncio.Event]:
        listener = asyncio.Event()
        self._listeners.add(listener)
        try:
            yield listener
        finally:
            self._listeners.discard(listener)


def _line(data: str) -> str:
    """JSON on one line, whatever is in it."""
    return json.dumps(json.loads(data), ensure_ascii=True)
