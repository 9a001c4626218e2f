"""A real cluster of Dask on this machine: a scheduler and workers, each a process started as people start them."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import Empty, Queue

from needs import needs
from waiting import PATIENCE_S

QUIET = {"DASK_DISTRIBUTED__ADMIN__TICK__LIMIT": "60s", "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "60s"}
"""A machine that runs many tests at once is slow to answer."""


@dataclass
class Cluster:
    """A scheduler with its workers."""

    address: str
    workers: list[subprocess.Popen[str]] = field(default_factory=list)

    def add(self, count: int, environment: Mapping[str, str] | None = None) -> None:
        """Start more workers, each with one thread."""
        command = [
            "worker",
            self.address,
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--memory-limit",
            "0",
        ]
        begun = [Begun(command, environment) for _ in range(count)]
        self.workers += [worker.process for worker in begun]
        for worker in begun:
            worker.ready(r"Registered to:")


class Begun:
    """A program of Dask that was started."""

    def __init__(self, arguments: list[str], environment: Mapping[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{arguments[0]}", *arguments[1:]],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **QUIET, **(environment or {})},
        )
        self._lines: Queue[str] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as said:  # closed by who reads it: by another it would be under a read
            for line in said:
                self._lines.put(line)

    def ready(self, pattern: str) -> str:
        """The line that matches, once it is printed."""
        seen, until = [], time.monotonic() + PATIENCE_S
        while time.monotonic() < until and (self.process.poll() is None or not self._lines.empty()):
            try:
                seen.append(self._lines.get(timeout=0.5))
            except Empty:
                continue
            if re.search(pattern, seen[-1]):
                return seen[-1]
        self.process.kill()
        raise AssertionError("".join(seen))


def ended(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.wait()


@contextmanager
def cluster(workers: int = 2) -> Iterator[Cluster]:
    """A cluster on a port of its own, which is gone afterwards."""
    needs("loopback")
    command = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    scheduler = Begun(command)
    made = Cluster("")
    try:
        made.address = scheduler.ready(r"Scheduler at:\s+tcp://").split()[-1]
        made.add(workers)
        yield made
    finally:
        for process in (*made.workers, scheduler.process):
            ended(process)
