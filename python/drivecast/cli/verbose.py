"""`-v`: what a verb does, and how long each step takes, on standard error.

The lines are those of the logger `drivecast` alone: libraries log addresses with passwords in them.
"""

import functools
import inspect
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from drivecast import plain_text
from drivecast.timing import LOG

OPTION = "verbose"
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Say what is done, and how long it takes, on standard error.")
]


class Lines(logging.Formatter):
    """Seconds since the program began, and what was done; without secrets and signs that a terminal obeys."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return plain_text.message(f"{record.relativeCreated / 1000:8.3f} s  {record.getMessage()}")


def offered(verb: Callable[..., None]) -> Callable[..., None]:
    """The verb, with the option."""

    @functools.wraps(verb)
    def run(*args: Any, **kwargs: Any) -> None:
        with shown(kwargs.pop(OPTION, False)):
            verb(*args, **kwargs)

    own = inspect.signature(verb)
    option = inspect.Parameter(OPTION, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Verbose)
    run.__signature__ = own.replace(parameters=[*own.parameters.values(), option])  # type: ignore[attr-defined]
    run.__annotations__ = {**verb.__annotations__, OPTION: Verbose}
    return run


def on() -> bool:
    """Whether steps are shown."""
    return LOG.isEnabledFor(logging.INFO)


@contextmanager
def shown(wanted: object) -> Iterator[None]:
    """Show steps for as long as the block lasts, if that is wanted."""
    if not wanted:
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    before = LOG.level
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(before)
