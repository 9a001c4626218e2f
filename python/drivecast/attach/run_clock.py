"""The clock of a run: what the timetable says is done, once a second there is a snapshot, and the trace is taken along.

One thread does all three beside the application. The device runs on a thread of its own and waits for none of it: a
late snapshot is of a longer stretch, and a late failure says when it came.
"""

import threading
import time
from collections.abc import Callable

from drivecast import _core
from drivecast.attach.request_trace import RequestTrace
from drivecast.attach.timetable import Planned, Timetable
from drivecast.document.attached import Event, Snapshot
from drivecast.errors import InputError

TICK_S = 0.05
SECOND_S = 1.0
"""Between snapshots. The trace is taken no oftener: each time takes a processor from the application."""

OnSnapshot = Callable[[Snapshot], object]
OnEvent = Callable[[Event], object]


class RunClock:
    """A device and its clock, from `begin` to `end`."""

    def __init__(
        self,
        device: "_core.Attached",
        timetable: Timetable,
        trace: RequestTrace | None,
        *,
        on_snapshot: OnSnapshot,
        on_event: OnEvent,
        rated_bytes: float | None,
    ) -> None:
        self._device, self._trace = device, trace
        self._coming = list(timetable.events)
        self._on_snapshot, self._on_event = on_snapshot, on_event
        self._rated_bytes = rated_bytes
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="attached", daemon=True)
        self._begun_s = time.monotonic()
        self._error: BaseException | None = None
        self.events: list[Event] = []
        self.last: Snapshot | None = None

    def begin(self) -> None:
        """Start the clock."""
        self._begun_s = time.monotonic()
        self._thread.start()

    def end(self) -> None:
        """Stop it, after a last look: a fault may be younger than a second. Raises what went wrong meanwhile."""
        self._stop.set()
        if self._thread.ident is None:  # it was never begun
            return
        self._thread.join()
        if self._error is not None:
            raise self._error
        self._look(time.monotonic() - self._begun_s)

    def do(self, planned: Planned) -> Event:
        """Do something to the device now."""
        event = self._done(planned)
        self.events.append(event)
        self._on_event(event)
        return event

    def _run(self) -> None:
        try:
            seen_s = 0.0
            while not self._stop.wait(TICK_S):
                now_s = time.monotonic() - self._begun_s
                while self._coming and self._coming[0].at_s <= now_s:
                    self.do(self._coming.pop(0))
                if now_s - seen_s >= SECOND_S:
                    seen_s = now_s
                    self._look(now_s)
                    self._take_trace()
        except BaseException as error:
            self._error = error

    def _look(self, now_s: float) -> None:
        seen = self._device.snapshot()
        whole = seen.get("rebuild_bytes")
        share = seen["rebuilt_bytes"] / whole if whole else None
        found = Snapshot.model_validate({"at_s": now_s, "rebuilt_share": share, **seen})
        if self._rated_bytes:
            used = found.written_bytes / self._rated_bytes
            found = found.model_copy(update={"rated_writes_used": used})
        self.last = found
        self._on_snapshot(found)

    def _take_trace(self) -> None:
        if self._trace is not None:
            self._trace.add(self._device.records())

    def _done(self, planned: Planned) -> Event:
        event = Event(
            at_s=time.monotonic() - self._begun_s,
            what=planned.what,
            member=planned.member,
            bytes_per_s=planned.bytes_per_s,
            factor=planned.factor,
        )
        try:
            return event.model_copy(update={"bytes_lost": self._do(planned)})
        except (InputError, ValueError) as error:
            return event.model_copy(update={"refused": str(error)})

    def _do(self, planned: Planned) -> int | None:
        device = self._device
        match planned.what:
            case "cut":
                return device.cut()
            case "fail" if planned.member is not None:
                device.fail(planned.member)
            case "slow" if planned.member is not None and planned.factor is not None:
                device.slow(planned.member, planned.factor)
            case "rebuild" if planned.bytes_per_s is not None:
                device.rebuild(planned.bytes_per_s)
        return None
