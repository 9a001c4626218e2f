"""Options and choices that the verbs of `bench` share."""

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


class Sweeps(StrEnum):
    """What is varied."""

    DEPTH = "depth"
    THREADS = "threads"
    MATRIX = "matrix"
    SYNC = "sync"
    WARMUP = "warmup"
    JITTER = "jitter"


class Pattern(StrEnum):
    """Where requests go."""

    RANDOM = "random"
    SEQUENTIAL = "sequential"


class Tests(StrEnum):
    """SNIA's tests."""

    IOPS = "iops"
    THROUGHPUT = "throughput"
    LATENCY = "latency"
    SATURATION = "saturation"


class Engines(StrEnum):
    """How fio submits requests to the kernel."""

    IO_URING = "io_uring"
    LIBAIO = "libaio"
    PSYNC = "psync"


On = Annotated[
    list[str],
    typer.Option(
        "--on",
        help="Target: a directory (a file is made in it and removed), a file, or a block device. Repeatable.",
    ),
]
Destroy = Annotated[
    list[str] | None,
    typer.Option(
        "--destroy", help="A target's full name again, to overwrite everything it holds. Repeatable."
    ),
]
Threads = Annotated[
    int, typer.Option("--threads", min=1, max=1024, help="Threads that each run the workload.")
]
Engine = Annotated[
    Engines | None,
    typer.Option(help="How fio submits requests to the kernel (default: io_uring).", show_default=False),
]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Start over, whatever `--out` holds, instead of resuming it.")
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Store the result here after every point; the same command resumes it."),
]
Report = Annotated[Path | None, typer.Option("--report", help="Write the result as an HTML page here, too.")]


def chosen(kind: type[T], options: Mapping[str, Any]) -> T:
    """The options of a verb, by name, that `kind` has fields for; a choice as its plain word."""
    given = {field.name: options[field.name] for field in fields(kind)}
    return kind(**{name: value.value if isinstance(value, Enum) else value for name, value in given.items()})
