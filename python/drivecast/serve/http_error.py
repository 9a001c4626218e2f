"""What a request is refused with: a status, a code for programs, a sentence for people, and a hint."""

from collections.abc import Mapping

from fastapi import HTTPException

from drivecast.document.served import Failure
from drivecast.errors import HintedError, InputError, NoAnswer
from drivecast.plain_text import message


class Refused(HTTPException):
    """A request that is not done, and why."""

    def __init__(
        self,
        status: int,
        code: str,
        reason: str,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(status, reason, headers=dict(headers or {}))
        self.failure = Failure(code=code, reason=message(reason), hint=hint and message(hint))


def missing(what: str, id_: str) -> Refused:
    """There is none of that name."""
    return Refused(
        404, "missing", f"there is no {what} `{id_}`", "it may have been deleted: load the list again"
    )


def not_ready(what: str, state: str) -> Refused:
    """It has no answer yet, or never will."""
    return Refused(409, "not-ready", f"the {what} has no answer: it is {state}")


def of_input(error: InputError) -> Refused:
    """What a stage refuses."""
    if isinstance(error, HintedError):
        return Refused(422, "input", error.reason, error.hint or None)
    reason, _, hint = str(error).partition("\nhint: ")
    return Refused(422, "input", reason, hint or None)


def of_answer(error: NoAnswer) -> Refused:
    """An honest no."""
    reason, _, hint = str(error).partition("\nhint: ")
    return Refused(409, "answer", reason, error.hint or hint or None)
