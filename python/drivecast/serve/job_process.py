"""One job's process, as the server sees it: started, heard, killed."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from drivecast.serve.worker import EXIT_ORPHANED

LINE_MAX = 1 << 20


class Child:
    """A worker that does one job."""

    def __init__(self, job: dict[str, Any], log: Path, time_s: float) -> None:
        """Start it; what it prints goes into `log`."""
        self.why: str | None = None
        """What it was killed for."""
        self._time_s = time_s
        with log.open("wb") as errors:
            # In a session of its own, so that Ctrl-C reaches the server alone, and its children end with it.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "drivecast.serve.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        if self._process.stdin is None:
            raise RuntimeError("a pipe was requested")
        with contextlib.suppress(OSError):  # one that ended at once says so by its status
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.flush()

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    def kill(self, why: str) -> None:
        """End it, and whatever it started."""
        self.why = self.why or why
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def heard(self, progress: Callable[[float, str], None]) -> dict[str, Any]:
        """Its last answer, once it has ended: `done` or `failed`; progress is passed on as it comes."""
        out = self._process.stdout
        if out is None:
            raise RuntimeError("a pipe was requested")
        clock = threading.Timer(self._time_s, self.kill, ["time"])
        clock.daemon = True
        clock.start()
        last: dict[str, Any] = {}
        try:
            while line := out.readline(LINE_MAX):
                try:
                    answer = json.loads(line)
                except ValueError:
                    continue
                if "share" in answer:
                    progress(float(answer["share"]), str(answer["what"]))
                else:
                    last = answer
            status = self._process.wait()
        finally:
            clock.cancel()
            with contextlib.suppress(OSError):
                self.kill("ended")  # what it may have left in its session
            for pipe in (self._process.stdin, out):
                with contextlib.suppress(OSError):
                    if pipe is not None:
                        pipe.close()
        return last or {"failed": self._ended(status), "hint": "run it again", "code": "killed"}

    def _ended(self, status: int) -> str:
        """What is said of a process that gave no answer."""
        if self.why == "time":
            return f"it took longer than {self._time_s:,.0f} s, the limit of a job (`--job-time`)"
        if status == -signal.SIGXCPU:
            return "it used more processor time than a job may (`--job-time`)"
        if status == -signal.SIGKILL:
            return "its process was killed, as a rule because the machine ran out of memory"
        if status < 0:
            return f"its process was ended by {signal.Signals(-status).name}"
        if status == EXIT_ORPHANED:
            return "its process lost the server"
        return f"its process ended with status {status} and without an answer"
