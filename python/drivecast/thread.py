"""Work on a thread of its own, so that the thread that waits for it hears signals and can tell progress."""

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

TICK_S = 0.2


def beside(task: Callable[[], T], tick: Callable[[], object] = lambda: None) -> T:
    """The result of `task`, or what it raises; `tick` is called now and then until it is there.

    A signal that raises leaves it at once. The thread then ends with the program, so `task` must leave nothing
    half-written.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(task())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(TICK_S)
        tick()
    if errors:
        raise errors[0]
    return results[0]
