"""The processes without which a disk would outlive a server that is killed: with one of them gone, it is given up.

Only root and the kernel's OOM killer kill supervisors. Without one, a disk still works, but if its server is killed as
well, its mount stays and every access to it hangs or fails.
"""

import subprocess
from collections.abc import Iterable

from drivecast.errors import HintedError


def given_up() -> HintedError:
    """The error of a disk that has lost its supervisor."""
    return HintedError(
        "the disk was given up: the process that takes it down when drivecast is killed was itself killed",
        "attach it again; `dmesg` says whether the system was out of memory",
    )


def must_live(guards: Iterable["subprocess.Popen[bytes]"]) -> None:
    """Raise `HintedError` where one of them has ended."""
    if any(guard.poll() is not None for guard in guards):
        raise given_up()
