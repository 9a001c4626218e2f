"""Waiting for a condition: never for a time, and never past the patience of a busy machine."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE_S = 90.0
TICK_S = 0.02


def until(condition: Callable[[], object], what: str, within_s: float = PATIENCE_S) -> None:
    """Return as soon as the condition holds; fail the test where it does not."""
    end_s = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end_s, f"waited {within_s:g} s in vain: {what}"
        time.sleep(TICK_S)


@contextmanager
def ending(process: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    """A process that ends with the block: a failed assertion would wait for it without end."""
    with process:
        try:
            yield process
        finally:
            process.kill()
