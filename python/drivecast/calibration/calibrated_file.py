"""A drive's file with what was calibrated in place of what it had."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from drivecast.catalog import family
from drivecast.catalog.calibrated import Batch, Calibrated
from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Figure
from drivecast.catalog.sheet import Nand, SsdSheet
from drivecast.document.calibration import Calibration
from drivecast.files import read_text

FIRST = ("value", "low", "high")
"""How a figure begins; its origin follows."""
NO_MIX = "not measured: no run has reads and writes"
SUSPEND_WAIT_US = 70.0
"""About that of drives with flash of three bits a cell. Assumed."""
DIE_BUFFER_MIB = 0.5
"""Buffer a die: a program and what waits behind it. Assumed."""
SOURCES = re.compile(r"^\[sources\]\n", re.MULTILINE)


def start(drive: Drive, sheet: SsdSheet, nand: Nand, by: str) -> Calibrated:
    """Return what is known before anything is measured: the file's assumptions, else sheet and generation."""
    speed, dies = sheet.performance, sheet.flash.channels.value * sheet.flash.dies_per_channel.value
    wait = nand.suspend_wait_us.value if nand.suspend_wait_us else SUSPEND_WAIT_US
    plain = Calibrated(
        by=by,
        error="not judged yet",
        fitted_per_s=[],
        lone_read_us=Figure[float](value=speed.read_latency_us.value, assumed="of the sheet"),
        read_type_spread_us=Figure[float](
            value=0.0, assumed="not measured: no lone read on flash of several bits"
        ),
        suspend_wait_us=Figure[float](
            value=wait, assumed=f"{NO_MIX}; about that of drives with flash of three bits a cell"
        ),
        pages_per_program=Figure[int](value=nand.pages_per_program.value, assumed="of the NAND generation"),
        program_us=Figure[float](value=nand.program_us.typical, assumed="of the NAND generation"),
        write_us=Figure[float](
            value=speed.write_latency_us.value,
            assumed="no run to fit to has few writes outstanding; of the sheet",
        ),
        buffer_mib=Figure[float](
            value=dies * DIE_BUFFER_MIB, assumed="a program and what waits behind it on every die"
        ),
        full=Figure(value="reads-first", assumed=NO_MIX),
    )
    before = drive.calibrated
    if before is None:
        return plain
    kept = {
        name: figure
        for name in ("suspend_wait_us", "pages_per_program", "program_us", "buffer_mib", "full")
        if (figure := getattr(before, name)).assumed is not None
    }
    return plain.model_copy(update={**kept, "batch": before.batch})


def with_table(drive: Drive, table: Calibrated, tables: Sequence[Path]) -> str:
    """Return the drive's file with the table, and with its source where the file does not name it yet.

    Raises `InputError` for a file without a place for it.
    """
    text = family.with_table(read_text(drive.file), drive.row, toml(table) + "\n", "calibrated")
    return with_source(text, table.by, tables)


def with_source(text: str, key: str, tables: Sequence[Path]) -> str:
    """Return a drive's file that names the tables as the document `key`; as it is where it has that key."""
    if key in tomllib.loads(text)["sources"]:
        return text
    names = ", ".join(table.name for table in tables)
    return SOURCES.sub(
        lambda head: f'{head[0]}{key} = "measurements of this drive: {names}"\n', text, count=1
    )


def made(drive: str, table: Calibrated, unknown: Sequence[str] = ()) -> Calibration:
    """Return the document of a calibration: what its data do not determine is assumed, or in `unknown`."""
    assumed = [
        f"{name}: {known.assumed}"
        for name in Calibrated.model_fields
        if isinstance(known := getattr(table, name), Figure) and known.assumed is not None
    ]
    return Calibration(drive=drive, error=table.error, table=toml(table), undetermined=[*assumed, *unknown])


def toml(table: Calibrated) -> str:
    """Return the table as a drive's file has it."""
    lines = ["[calibrated]", f'by = "{table.by}"', f'error = "{table.error}"']
    lines.append(f"fitted_per_s = {table.fitted_per_s}")
    if table.fitted_gib:
        lines.append(f"fitted_gib = {table.fitted_gib}")
    if table.fitted_runs:
        lines += ["fitted_runs = [", *(f'    "{run}",' for run in table.fitted_runs), "]"]
    lines += [
        f"{name} = {figure(getattr(table, name))}"
        for name in Calibrated.model_fields
        if isinstance(getattr(table, name), Figure)
    ]
    if table.batch is not None:
        lines += ["", "[calibrated.batch]"]
        lines += [
            f"{name} = {figure(value)}"
            for name in Batch.model_fields
            if (value := getattr(table.batch, name)) is not None
        ]
    return "\n".join(lines) + "\n"


def figure(known: Figure[object]) -> str:
    """Return a figure with its origin."""
    given = known.model_dump(exclude_none=True)
    items = sorted(given.items(), key=lambda item: FIRST.index(item[0]) if item[0] in FIRST else len(FIRST))
    return "{ " + ", ".join(f"{key} = {_value(value)}" for key, value in items) + " }"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return (
        f'"{value}"'
        if isinstance(value, str)
        else f"{value:.10g}"
        if isinstance(value, float)
        else str(value)
    )
