"""Work on other threads: one task beside a thread that still hears signals, or many over all cores."""

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, SimpleQueue
from types import FrameType
from typing import NoReturn, TypeVar

T = TypeVar("T")
A = TypeVar("A")

TICK_S = 0.2
M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -2, -3, -8
"""Of glibc's `mallopt`."""
GIVEN_BACK_BYTES, HEAP_STEP_BYTES, HEAP_END_BYTES = 2 << 20, 64 << 20, 256 << 20
"""Blocks that go back to the system each by itself, steps of the heap, and what it may have free at its end."""


@dataclass
class Deadline:
    """When work has to end: a while after it began, or where somebody ends it earlier."""

    limit_s: float = float("inf")
    began_s: float = field(default_factory=time.monotonic)
    is_working: bool = False
    """Whether there is something that an interrupt may end early, instead of the program."""
    is_interrupted: bool = False
    was_passed: bool = False
    """Whether work was left out for want of time."""

    def passed(self, share: float = 1.0) -> bool:
        """Whether this share of the time has passed; who asks leaves out the rest of the work if so."""
        found = self.is_interrupted or time.monotonic() - self.began_s >= share * self.limit_s
        self.was_passed |= found
        return found

    def interrupt(self, *_signal: object) -> None:
        """Handle the signal: the first ends the work early, and another the program."""
        if self.is_interrupted or not self.is_working:
            raise KeyboardInterrupt
        self.is_interrupted = True


def spare_memory() -> None:
    """Have a program that is about to simulate on many threads give back what each run has freed, but not too much.

    glibc gives threads heaps of their own, each of which grows to the most that a run on it has taken: here they share
    one, if this is called before what starts threads is imported. And it keeps freed blocks of up to 32 MiB, the maps
    of drives long gone: here larger ones than `GIVEN_BACK_BYTES` go back to the system. That costs page faults where
    large arrays come and go, so numerical work is left alone. The heap's end it gives back with each run, and a fifth
    of the time went into having it zeroed again: here the heap grows and shrinks in large steps. Elsewhere than with
    glibc nothing is changed.
    """
    import ctypes  # noqa: PLC0415 (every start of the program would pay for these two, and few simulate)
    import platform  # noqa: PLC0415

    if platform.libc_ver()[0] == "glibc":
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, 1)
        library.mallopt(M_MMAP_THRESHOLD, GIVEN_BACK_BYTES)
        library.mallopt(M_TOP_PAD, HEAP_STEP_BYTES)
        library.mallopt(M_TRIM_THRESHOLD, HEAP_END_BYTES)


def end_with(status: object) -> NoReturn:
    """End the program, at once where threads that were left still simulate.

    The interpreter would end them when they come back from the simulator, which Rust does not survive: the program
    would abort after its answer was written.
    """
    left = any(each.daemon for each in threading.enumerate() if each is not threading.current_thread())
    if left and isinstance(status, int | None):
        with suppress(OSError):  # as of a pipe that nobody reads any more
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status or 0)
    raise SystemExit(status)


@contextmanager
def heard(handle: Callable[[int, FrameType | None], object], *numbers: signal.Signals) -> Iterator[None]:
    """Have `handle` take these signals for as long as the block lasts; of the main thread alone."""
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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


def over_cores(
    work: Callable[[A], T],
    items: Sequence[A],
    done: Callable[[float, A], object] = lambda _share, _item: None,
    threads: int | None = None,
    passed: Callable[[], bool] = lambda: False,
) -> list[T]:
    """The results of `work` on each item, in the order of the items, whatever ends first; see `as_ended`.

    Once the time has `passed`, those of the items that had ended.

    `done` takes the share that is done and the item that just ended.
    """
    found: dict[int, T] = {}
    for index, result in as_ended(work, items, threads, passed):
        found[index] = result
        done(len(found) / len(items), items[index])
    return [found[index] for index in sorted(found)]


def as_ended(
    work: Callable[[A], T],
    items: Sequence[A],
    threads: int | None = None,
    passed: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, T]]:
    """The results of `work` on each item as they come, each with the place of its item, until the time has `passed`.

    The simulator releases the interpreter lock, so threads are enough. The first error is raised once what had begun
    has ended, and nothing more begins. An interrupt is raised at once, and once the time has passed there are no more
    results: what had begun ends with the program, or in a while if that continues.
    """
    waiting = deque(enumerate(items))
    ended: SimpleQueue[tuple[int, list[T], BaseException | None]] = SimpleQueue()

    def hand() -> None:
        while True:
            try:
                place, item = waiting.popleft()
            except IndexError:
                return
            try:
                ended.put((place, [work(item)], None))
            except BaseException as error:
                ended.put((place, [], error))

    hands = [
        threading.Thread(target=hand, daemon=True)
        for _ in range(min(len(items), threads or os.cpu_count() or 1))
    ]
    for each in hands:
        each.start()
    try:
        for place, results, error in islice(iter(lambda: _heard_get(ended, passed), None), len(items)):
            if error is not None:
                raise error
            yield place, results[0]
    except Exception:
        waiting.clear()
        for each in hands:
            each.join()
        raise
    finally:
        waiting.clear()


def _heard_get(ended: "SimpleQueue[T]", passed: Callable[[], bool]) -> T | None:
    """The next of a queue, none once the time has passed.

    It looks up now and then: once polars is imported, a signal no longer ends a wait.
    """
    while not passed():
        try:
            return ended.get(timeout=TICK_S)
        except Empty:
            continue
    return None
