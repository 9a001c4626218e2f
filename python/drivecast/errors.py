"""Every error a user can meet, in one tree.

`InputError` is the user's to mend (exit code 2), `NoAnswer` is an honest "no" (exit code 1), and `InvariantError` is
ours: a simulation that violates conservation stops with one and never with a number.
"""

import errno
from typing import TYPE_CHECKING

from drivecast._core import InputError, InvariantError

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import ValidationError


class HintedError(InputError):
    """What is wrong and, apart from it, what to do: the text has both, `reason` and `hint` one each."""

    hint: str

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(f"{reason}\nhint: {hint}" if hint else reason)
        self.reason, self.hint = reason, hint


class NoRoomError(HintedError):
    """What is to be made or played does not fit where it is to be."""

    def __init__(self, reason: str, hint: str, *, needed_bytes: int, free_bytes: int) -> None:
        super().__init__(reason, hint)
        self.needed_bytes, self.free_bytes = needed_bytes, free_bytes


class MissingError(InputError):
    """A file that is not there."""

    def __init__(self, path: "Path") -> None:
        super().__init__(f"cannot read `{path}`: No such file or directory")
        self.path = str(path)


def unreadable(path: "Path", reason: str) -> InputError:
    """The error of a file that cannot be read."""
    error = InputError(f"{path}: cannot be read: {reason}")
    error.path = str(path)
    return error


def refused(error: OSError) -> str:
    """What the system refused, as people say it."""
    known = {errno.ENOSPC: "the disk is full, no space is left", errno.EDQUOT: "the disk quota is used up"}
    return known.get(error.errno or 0) or error.strerror or str(error)


class NoAnswer(Exception):  # noqa: N818 (it is an answer, not a fault)
    """The question was understood and the answer is no: nothing fits, a check failed."""

    def __init__(self, reason: str, hint: str | None = None) -> None:
        super().__init__(f"{reason}\nhint: {hint}" if hint else reason)
        self.hint = hint


def first_fault(error: "ValidationError") -> str:
    """Where a document is not what it is to be, and why, at the first such place."""
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'the document'}: {first['msg']}"


__all__ = [
    "HintedError",
    "InputError",
    "InvariantError",
    "MissingError",
    "NoAnswer",
    "NoRoomError",
    "first_fault",
    "unreadable",
]
