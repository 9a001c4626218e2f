"""Every error a user can meet, in one tree.

`InputError` is the user's to mend (exit code 2), `NoAnswer` is an honest "no" (exit code 1), and `InvariantError` is
ours: a simulation that violates conservation stops with one and never with a number.
"""

from drivecast._core import InputError, InvariantError


class NoAnswer(Exception):  # noqa: N818 (it is an answer, not a fault)
    """The question was understood and the answer is no: nothing fits, a check failed."""


__all__ = ["InputError", "InvariantError", "NoAnswer"]
