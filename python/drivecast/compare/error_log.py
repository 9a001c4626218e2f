"""The errors of predictions so far: a file of lines, one a comparison of one run, each a JSON object.

Lines are only ever appended, by one writer at a time (a lock on the file), in one write that is flushed to the disk. A
writer that is killed leaves at most a last line without its end, which readers leave out and the next writer cuts off.
A line that says the same run on the same design again replaces the one before it: comparing twice counts once. Files
of several machines are joined by `cat`. A file that holds anything else is refused and left as it is.
"""

import fcntl
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from drivecast.errors import InputError, first_fault

VARIABLE = "DRIVECAST_ERRORS"
NONE = "none"
DEFAULT = "default"


class Ratio(BaseModel):
    """Predicted over measured, with the interval that is noise."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    op: str
    figure: str
    ratio: float
    low: float | None = None
    high: float | None = None


class Record(BaseModel):
    """The errors of one prediction of one run."""

    model_config = ConfigDict(frozen=True)

    schema_version: int
    key: str
    """Of the run that was measured, and the design it was predicted on."""
    measured: str
    """When it was measured: ISO 8601, UTC; empty where the document does not say."""
    version: str
    """Of drivecast, when it was predicted."""
    design: str
    drives: list[str]
    drives_hash: str
    """Of what the drives were simulated as."""
    kind: str
    workload: str
    target: str
    tolerance: float
    outcome: str
    ratios: list[Ratio]


SCHEMA_VERSION = 1


@dataclass(frozen=True)
class History:
    """What a file holds."""

    path: Path
    records: Sequence[Record]
    """Each run and design once: what was said last."""
    notes: Sequence[str] = field(default_factory=tuple)


def place(text: str | None) -> Path | None:
    """The file that an option means: `none` is no file; `default`, or nothing, is the user's own.

    That is `DRIVECAST_ERRORS` (which may say `none`, too), or one in the state folder.
    """
    told = os.environ.get(VARIABLE) if text in (None, DEFAULT) else text
    if told == NONE:
        return None
    if told:
        return Path(told).expanduser()
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "drivecast" / "errors.jsonl"


def read(path: Path, *, missing: bool = False) -> History:
    """The history in a file; an empty one where there is none and that is no fault (`missing`).

    Raises `InputError` that names the file and the line.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        if missing:
            return History(path, [])
        raise InputError(
            f"no history of errors at `{path}`\nhint: `drivecast compare RESULT DESIGN --history {path}` begins one"
        ) from None
    except OSError as error:
        raise InputError(f"cannot read the history `{path}`: {error.strerror}") from None
    whole, _, rest = data.rpartition(b"\n")
    found: dict[str, Record] = {}
    for number, line in enumerate(whole.split(b"\n") if whole else [], 1):
        record = _record(path, number, line)
        found.pop(record.key, None)
        found[record.key] = record
    notes = (f"the last line of `{path}` was cut off and is left out",) if rest else ()
    if rest and not rest.startswith(b'{"schema_version"'[: len(rest)]):
        raise InputError(_foreign(path, 1 + whole.count(b"\n") + bool(whole), "it is no record"))
    return History(path, list(found.values()), notes)


def _record(path: Path, number: int, line: bytes) -> Record:
    try:
        record = Record.model_validate_json(line)
    except ValidationError as error:
        raise InputError(_foreign(path, number, first_fault(error))) from None
    if record.schema_version != SCHEMA_VERSION:
        raise InputError(
            f"`{path}`, line {number}: schema {record.schema_version}, and this drivecast knows {SCHEMA_VERSION}\n"
            "hint: a newer drivecast wrote it: update this one; nothing was changed"
        )
    return record


def _foreign(path: Path, number: int, what: str) -> str:
    return (
        f"`{path}`, line {number}: no record of an error: {what}\n"
        "hint: the file is damaged or something else; name another `--history`, or take the line out; "
        "nothing was changed"
    )


def add(path: Path, records: Sequence[Record]) -> int:
    """Append what is not there yet; how many were.

    Raises `InputError` where the file cannot be written, or holds something else; nothing is changed then.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            known = {one.key: one for one in read(path).records}
            new = [one for one in records if known.get(one.key) != one]
            if new:
                _append(file, "".join(_line(one) for one in new).encode())
            return len(new)
    except OSError as error:
        raise InputError(
            f"cannot write the history `{path}`: {error.strerror}\nhint: `--history PATH` keeps it elsewhere, "
            "`--history none` nowhere"
        ) from None


def _line(record: Record) -> str:
    return json.dumps(record.model_dump(), ensure_ascii=False, allow_nan=False) + "\n"


def _append(file: IO[bytes], data: bytes) -> None:
    """Write at the end, behind the last whole line; all of it, or none where the disk is full."""
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


def as_row(record: Record) -> dict[str, Any]:
    """One record as a row: what it is of, and the ratios that are asked for most."""
    by_name = {(one.op, one.figure): one.ratio for one in record.ratios}
    return {
        "drive": " + ".join(record.drives) or record.design,
        "kind": record.kind,
        "design": record.design,
        "workload": record.workload,
        "target": record.target,
        "measured": record.measured,
        "version": record.version,
        "outcome": record.outcome,
        **{name: by_name.get(at) for name, at in COLUMNS.items()},
    }


COLUMNS = {
    "iops": ("all", "iops"),
    "read_p50": ("read", "q0.5"),
    "read_p99": ("read", "q0.99"),
    "write_p50": ("write", "q0.5"),
    "write_p99": ("write", "q0.99"),
}
