"""Results that other programs wrote, as a result of `bench`: of fio, DiskSpd, pgbench, sysbench and elbencho.

Each program is known by what its output begins with or holds, never by the name of the file. What it does not state
(the machine, when it ran, latencies that it does not report) is absent, and the notes say what was taken how.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from drivecast.bench.reported import diskspd_report, fio_report, transaction_report
from drivecast.document import result as document
from drivecast.document.result import Point, Result, TargetRow
from drivecast.errors import HintedError
from drivecast.files import read_text


@dataclass(frozen=True)
class Program:
    """A program: how its output is known, and how it is read."""

    title: str
    known_by: str
    """A regular expression of a line that it prints."""
    points: Callable[[str], Iterator[Point]]


PROGRAMS = (
    Program("fio", '"fio version"', fio_report.points),
    Program("DiskSpd", "^Results for timespan|<Results>", diskspd_report.points),
    Program("elbencho", r"^OPERATION\s+RESULT TYPE", transaction_report.elbencho),
    Program("pgbench", "^transaction type:", transaction_report.pgbench),
    Program("sysbench", "^SQL statistics:", transaction_report.sysbench),
    Program("sysbench fileio", "^File operations:", transaction_report.fileio),
)


def program_of(text: str) -> Program | None:
    """The program that wrote a text; none where it is ours or nobody's."""
    ours = '"plan_hash"' in text[:65_536]
    found = (program for program in PROGRAMS if re.search(program.known_by, text, re.MULTILINE))
    return None if ours else next(found, None)


def read(path: Path) -> Result:
    """The result in a file, ours or of another program. Raises `InputError` that names the file and the place."""
    text = read_text(path)
    program = program_of(text)
    if program is None:
        return document.read(path)
    try:
        points = list(program.points(text))
    except (ValidationError, ValueError, KeyError, IndexError, ArithmeticError) as error:
        reason = (
            "a figure is missing" if isinstance(error, KeyError | IndexError) else str(error).splitlines()[0]
        )
        raise HintedError(
            f"`{path}`: the output of {program.title} cannot be read: {reason}", "was the run ended early?"
        ) from None
    if not points:
        raise HintedError(
            f"`{path}`: expected figures in the output of {program.title}, found none",
            "was the run ended early?",
        )
    note = f"measured by {program.title}; what of the target and the machine it does not state is not known"
    points = [
        point.model_copy(update={"target": path.stem, "notes": [note, *point.notes]}) for point in points
    ]
    return Result(
        kind="run", title=f"result of {program.title}", version="", seed=0, plan_hash="", command=[],
        started=points[0].started, complete=True, environment={}, targets=[TargetRow(name=path.stem)], points=points,
    )  # fmt: skip
