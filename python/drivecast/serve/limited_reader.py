"""Documents that come from outside, read in a process of their own, within a limit of memory.

A document of a few megabytes can take a thousand times its size once it is read, and hold up everything else meanwhile.
Two are read at a time: others wait for their turn.
"""

import threading
from pathlib import Path
from typing import Any

from drivecast.lock import temporary_folder
from drivecast.serve.http_error import Refused
from drivecast.serve.job_process import Child
from drivecast.serve.settings import Settings

MEMORY_BYTES_MAX = 1_500_000_000
TIME_S_MAX = 600.0
_turn = threading.BoundedSemaphore(2)


def read(settings: Settings, task: str, path: Path, **more: Any) -> dict[str, Any]:
    """What a task answers of a file. Raises `Refused` with its reason."""
    job = {
        "task": task, "path": str(path), "data": str(settings.data), "cpu_s": TIME_S_MAX,
        "memory_bytes": MEMORY_BYTES_MAX, "data_bytes": MEMORY_BYTES_MAX, **more,
    }  # fmt: skip
    with _turn, temporary_folder("drivecast-read-", settings.data) as folder:
        answer = Child(job, folder / "worker.log", TIME_S_MAX).heard(lambda _share, _what: None)
    if "done" in answer:
        found: dict[str, Any] = answer["done"]
        return found
    if answer.get("code") == "killed":  # without memory its libraries end without an answer
        why = (
            f"it needs more than {MEMORY_BYTES_MAX / 1e9:.1f} GB of memory, or {TIME_S_MAX:.0f} s, to be read"
        )
        raise Refused(422, "no-document", why, "send it in parts")
    raise Refused(422, "no-document", str(answer["failed"]).replace(str(path), path.name), answer.get("hint"))
