"""The errors of predictions so far: a file of lines, one a comparison of one run, each a JSON object.

Lines are only ever appended, by one writer at a time (a lock on the file), in one write that is flushed to the disk. A
writer that is killed leaves at most a last line without its end, which readers leave out and the next writer cuts off.
A line of the same run on the same design again replaces the one before it: comparing twice counts once. Files
of several machines are joined by `cat`. A file that holds anything else is refused and left as it is.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from drivecast import __version__, lock
from drivecast.catalog import Catalog
from drivecast.document.comparison import Comparison, Point
from drivecast.document.error_log import Ratio, Record
from drivecast.errors import HintedError, InputError, MissingError, first_fault
from drivecast.files import read_bytes, state_folder
from drivecast.stage.simulate import drive_specs

VARIABLE = "DRIVECAST_ERRORS"
NONE = "none"
DEFAULT = "default"


SCHEMA_VERSION = 1


@dataclass(frozen=True)
class History:
    """What a file holds."""

    path: Path
    records: Sequence[Record]
    """Each run and design once: the last line of it."""
    notes: Sequence[str] = field(default_factory=tuple)


def place(text: str | None) -> Path | None:
    """The file that an option means: `none` is no file; `default`, or nothing, is the user's own.

    That is `DRIVECAST_ERRORS` (which may be `none`, too), or one in the state folder.
    """
    given = os.environ.get(VARIABLE) if text in (None, DEFAULT) else text
    if given == NONE:
        return None
    if given:
        return Path(given).expanduser()
    return state_folder() / "errors.jsonl"


def read(path: Path, *, missing: bool = False) -> History:
    """The history in a file; an empty one where there is none and that is no fault (`missing`).

    Raises `InputError` that names the file and the line.
    """
    try:
        data = read_bytes(path)
    except MissingError:
        if missing:
            return History(path, [])
        raise HintedError(
            f"no history of errors at `{path}`",
            f"`drivecast compare RESULT DESIGN --history {path}` begins one",
        ) from None
    whole, _, rest = data.rpartition(b"\n")
    found: dict[str, Record] = {}
    for number, line in enumerate(whole.split(b"\n") if whole else [], 1):
        record = _record(path, number, line)
        found.pop(record.key, None)
        found[record.key] = record
    notes = (f"the last line of `{path}` was cut off and is left out",) if rest else ()
    if rest and not rest.startswith(b'{"schema_version"'[: len(rest)]):
        raise _foreign(path, 1 + whole.count(b"\n") + bool(whole), "it is no record")
    return History(path, list(found.values()), notes)


def _record(path: Path, number: int, line: bytes) -> Record:
    try:
        record = Record.model_validate_json(line)
    except ValidationError as error:
        raise _foreign(path, number, first_fault(error)) from None
    if record.schema_version != SCHEMA_VERSION:
        what = f"schema {record.schema_version}, and this drivecast knows {SCHEMA_VERSION}"
        raise _refused(path, number, what, "a newer drivecast wrote it: update this one")
    return record


def _foreign(path: Path, number: int, what: str) -> InputError:
    hint = "the file is damaged or something else; name another `--history`, or take the line out"
    return _refused(path, number, f"no record of an error: {what}", hint)


def _refused(path: Path, number: int, what: str, hint: str) -> InputError:
    error = HintedError(f"`{path}`, line {number}: {what}", f"{hint}; nothing was changed")
    error.path, error.line = str(path), number
    return error


def add(path: Path, records: Sequence[Record]) -> int:
    """Append what is not there yet; how many were.

    Raises `InputError` where the file cannot be written, or holds something else; nothing is changed then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            lock.wait(file.fileno())
            known = {record.key: record for record in read(path).records}
            new = [record for record in records if known.get(record.key) != record]
            if new:
                _append(file, "".join(_line(record) for record in new).encode())
            return len(new)
    except OSError as error:
        raise HintedError(
            f"cannot write the history `{path}`: {error.strerror}",
            "`--history PATH` keeps it elsewhere, `--history none` nowhere",
        ) from None


def _line(record: Record) -> str:
    return json.dumps(record.model_dump(), ensure_ascii=False, allow_nan=False) + "\n"


def _append(file: IO[bytes], data: bytes) -> None:
    """Write at the end, after the last whole line; all of it, or none where the disk is full."""
    file.seek(0)
    end = file.read().rfind(b"\n") + 1
    file.truncate(end)
    try:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    except OSError:
        os.ftruncate(file.fileno(), end)
        raise


def records(of: Comparison, catalog: Catalog) -> list[Record]:
    """One record a point; none where both sides were measured, or for a run that saturated on one side."""
    if not of.predicted:
        return []
    found = []
    for point in of.points:
        judged = [figure for figure in point.figures if figure.outcome != "untold" and figure.figure != "max"]
        if point.saturated or point.kind is None or not judged:
            continue
        drives, spec = _drives(point.against, catalog)
        found.append(
            Record(
                schema_version=SCHEMA_VERSION,
                key=_key(of, point),
                measured=point.run.started or "",
                version=__version__,
                design=point.against,
                drives=drives,
                drives_hash=spec,
                kind=point.kind,
                workload=point.run.title,
                target=point.target,
                tolerance=of.tolerance,
                outcome=point.outcome,
                ratios=[
                    Ratio(
                        op=figure.op,
                        figure=figure.figure,
                        ratio=figure.ratio,
                        low=figure.ratio_low,
                        high=figure.ratio_high,
                    )
                    for figure in judged
                ],
            )
        )
    return found


def _drives(design: str, catalog: Catalog) -> tuple[list[str], str]:
    """The drives of a design, and a hash of what they are simulated as; a design without names is its own drive."""
    try:
        specs = drive_specs(design, catalog)
    except InputError:  # an outcome made elsewhere, with a catalog that is not here
        specs = {}
    text = json.dumps([design, specs], sort_keys=True)
    return sorted(specs) or [design], hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _key(of: Comparison, point: Point) -> str:
    """Of the measurement itself, so that the same comparison made again is recognised."""
    run = point.run
    included = {"iops", "read", "write"}
    figures = [outcome.model_dump(mode="json", include=included) for outcome in run.outcomes]
    parts: list[object] = [
        of.side.hash,
        run.started,
        run.target,
        run.title,
        figures,
        point.against,
    ]
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).hexdigest()
