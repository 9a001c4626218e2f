"""A job in a process of its own: `python -m drivecast.serve.worker`, which the server starts.

The job comes as one line of JSON on standard input, which stays open: where it ends, the server has ended, and so does
the job. Answers go out as lines of JSON on standard output: `share` and `what` while it works, then `done` or `failed`.
Libraries that print would break that, so their output goes where errors go.

Limits. Memory: the job measures what it has in use, twice a second, and ends itself where that is too much, with a
sentence; a limit on addresses (RLIMIT_AS) would count what is only mapped, a trace among it. Time: the server's clock
kills it, and RLIMIT_CPU does so where the server cannot. Where the machine runs out of memory all the same, the kernel
is asked to end jobs before the server.
"""

import contextlib
import json
import os
import re
import sys
import threading
import time
from typing import Any

from drivecast.errors import InputError, NoAnswer, refused
from drivecast.plain_text import message

REPORTS_PER_S = 4.0
WATCH_S = 0.5
EXIT_ORPHANED, EXIT_MEMORY = 70, 71


class Answers:
    """The way out, which several threads use."""

    def __init__(self, handle: int) -> None:
        self._handle, self._lock, self._last_s = handle, threading.Lock(), 0.0
        self._order = threading.Lock()
        self._held: tuple[float, str] | None = None
        """What was said too soon after the last: before a stage that says nothing it is what a reader must see."""

    def send(self, **answer: Any) -> None:
        """A line; a server that is gone hears nothing."""
        line = json.dumps(answer, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with self._lock, contextlib.suppress(OSError):
            while line:
                line = line[os.write(self._handle, line) :]

    def progress(self, share: float, what: str) -> None:
        """How far the job is; held for a moment where something was just said."""
        self._held = (min(1.0, max(0.0, share)), what)
        if time.monotonic() - self._last_s >= 1 / REPORTS_PER_S:
            self.let_go()

    def let_go(self) -> None:
        """Send what is held."""
        with self._order:
            held, self._held = self._held, None
            if held is not None:
                self._last_s = time.monotonic()
                self.send(share=held[0], what=held[1])

    def begin(self) -> None:
        """Let go of what is held, from now on, before anybody wonders."""

        def repeat() -> None:
            while True:
                time.sleep(1 / REPORTS_PER_S)
                self.let_go()

        threading.Thread(target=repeat, daemon=True).start()

    def failed(self, reason: str, code: str = "failed") -> None:
        """Why it failed; what to do is apart from it."""
        text, _, hint = message(reason).partition("\nhint: ")
        self.send(failed=text, hint=hint or None, code=code)


def watch_server(answers: Answers, limit_bytes: int | None) -> None:
    """End this process once the server has ended, or more memory is in use than it may have."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        os._exit(EXIT_ORPHANED)

    def measure() -> None:
        while limit_bytes is not None:
            if in_use_bytes() > limit_bytes:
                answers.failed(
                    f"it needs more than {limit_bytes / 1e9:,.1f} GB of memory, the limit of a job\nhint: give a "
                    "part of the trace, or start the server with a larger `--job-memory`"
                )
                os._exit(EXIT_MEMORY)
            time.sleep(WATCH_S)

    for task in (wait, measure):
        threading.Thread(target=task, daemon=True).start()


def in_use_bytes() -> int:
    """Memory of this process; where the system does not say, the most that it ever had."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 (twice a second)
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        import resource  # noqa: PLC0415

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024


def limit(cpu_s: float, data_bytes: int | None = None) -> None:
    """Have the kernel end what uses that much processor time, write no cores, and end us before the server.

    `data_bytes`: what may be allocated, for jobs that map nothing large; the kernel sees it where a library that reads
    holds this process up.
    """
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 6))
        if data_bytes is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (data_bytes, data_bytes))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:  # noqa: PTH123
        file.write("500")


def without_places(text: str, data: str) -> str:
    """A message without where the server has put a file, which says nothing to whoever sent it."""
    stored = rf"{re.escape(data)}/\w+/[tpcr]-[0-9a-f]+/(log/[^/`]+/)?"
    return re.sub(rf"{stored}|/[^`\s]*/drivecast-(named|compared)-\w+/", "", text)


def main() -> int:
    """Read the job, do it, answer."""
    out = os.dup(1)
    os.dup2(2, 1)
    answers = Answers(out)
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(0, 1)
        if not part:
            return EXIT_ORPHANED
        line += part
    job = json.loads(line)
    limit(job["cpu_s"], job.get("data_bytes"))
    watch_server(answers, job["memory_bytes"])
    try:
        from drivecast.serve import tasks  # noqa: PLC0415 (a fault of it is one of the job)

        answers.send(share=0.0, what="starting")
        answers.begin()
        answers.send(done=tasks.TASKS[job["task"]](job, answers.progress))
    except (InputError, NoAnswer) as error:
        answers.failed(without_places(str(error), job["data"]), "input")
    except MemoryError:
        answers.failed("it ran out of memory")
    except OSError as error:
        answers.failed(refused(error))
    except BaseException as error:  # the core's panics are no `Exception`
        import traceback  # noqa: PLC0415

        traceback.print_exc()
        answers.failed(f"a fault of drivecast: {type(error).__name__}: {error}", "fault")
    return 0


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)  # threads that still compute would delay the end
