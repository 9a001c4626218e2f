"""Running the workload meter on a drive in this machine: reset, wait, read again.

Interrupted, it reads the drive once more and reports what is known so far; the drive's timer runs on, since that is the
drive's. The clock is given, so that an hour is tested in no time.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from drivecast.document.meter import Measurement
from drivecast.document.record import Unread
from drivecast.health import meter
from drivecast.health.meter import Reading
from drivecast.health.read.normalise import Origin
from drivecast.health.read.smartctl import Device, Smartctl
from drivecast.health.rules import Rules
from drivecast.health.smart_data import SmartData

_TICK_S = 1.0
_GRACE_S = 30.0
_GRACES = 6
"""How often a drive is read again whose timer has not come round yet."""


class Clock(Protocol):
    """What passes: `time`, or a clock that runs faster."""

    def monotonic(self) -> float:
        """Seconds that only grow."""
        ...

    def sleep(self, seconds: float, /) -> None:
        """Let time pass."""
        ...


@dataclass(frozen=True)
class LiveMeter:
    """A drive to be measured, and with what."""

    device: Device
    smartctl: Smartctl
    rules: Rules
    clock: Clock = time

    def read(self) -> tuple[SmartData, Reading]:
        """Read the drive; raises `InputError` where it cannot be read."""
        answer = self.smartctl.read(self.device)
        if isinstance(answer, Unread):
            raise answer.error
        origin = Origin(self.device.place, time=datetime.now(UTC))
        return answer, meter.reading(answer, origin, self.rules)

    def run(
        self, before: Reading, minutes: float, *, reset: bool, progress: Callable[[float, str], None]
    ) -> tuple[Measurement, bool]:
        """Measure for so many minutes; the measurement, and whether it was cut short.

        Raises `InputError` where the drive refuses the reset or is gone.
        """
        timer = before.timer if reset else None
        if timer is not None:
            self.smartctl.reset_timer(self.device, timer.reset)
        whole = self._wait(minutes * 60, progress)
        after = self.read()[1]
        for _ in range(_GRACES if timer is not None and whole else 0):
            if after.since_reset is not None and after.since_reset.minutes <= minutes + _GRACES:
                break
            self.clock.sleep(_GRACE_S)
            after = self.read()[1]
        return meter.measure(before, after), not whole

    def _wait(self, seconds: float, progress: Callable[[float, str], None]) -> bool:
        """Let the time pass; False where somebody interrupts."""
        end_s = self.clock.monotonic() + seconds
        try:
            while (left_s := end_s - self.clock.monotonic()) > 0:
                progress(1 - left_s / seconds, f"{left_s / 60:.0f} min left")
                self.clock.sleep(min(_TICK_S, left_s))
        except KeyboardInterrupt:
            return False
        return True
