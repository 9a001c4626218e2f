"""The options that say how a log is read: the same for every verb that takes one."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli import complete
from drivecast.cli.group import options_of, takes
from drivecast.document.plan_options import LogOptions

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading

Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...",
        help="Trace or counter log: a file, the prefix of a per-CPU set, a directory, `-`, or a URL"
        " (s3://…, prometheus+http://…).",
    ),
]


Loads = Annotated[
    list[Path],
    typer.Argument(
        metavar="LOG...",
        help="Trace or counter log: a file, the prefix of a per-CPU set, a directory, `-`, or a URL"
        " (s3://…, prometheus+http://…); or a workload model: a file, or a name of `model list`.",
        autocompletion=complete.models,
    ),
]


_options = options_of(LogOptions)


def reading(**given: Any) -> "Reading":
    """How a log is to be read."""
    from drivecast.stage.trace import Reading

    return Reading.of(_options(**given))


reading.__signature__ = inspect.signature(_options)  # type: ignore[attr-defined]

takes_log = takes(reading=reading)
"""The verb, with these options on the command line in place of its parameter `reading`."""
