"""Workload models to and from the job files of other tools.

`export` writes a model for a tool and lists what that tool cannot hold; `read` turns a tool's file into a model,
strictly: what has no place in a model is an error that names file and line.
"""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from drivecast.document.model import Model
from drivecast.errors import HintedError
from drivecast.exchange import (
    diskspd,
    diskspd_xml,
    fio_export,
    fio_jobs,
    iometer,
    iometer_icf,
    phases,
    sysbench_script,
    vdbench,
)
from drivecast.exchange.layout import Found
from drivecast.exchange.losses import Losses
from drivecast.exchange.phases import Phases
from drivecast.files import read_text
from drivecast.stage.windows_file import Archive


@dataclass(frozen=True)
class Tool:
    """A format: how it is written, and how it is read where it can be."""

    title: str
    suffix: str
    write: Callable[[Losses, Phases, str], str]
    read: Callable[[str, str, int | None], Found] | None = None

    def export(self, model: Model, target: str) -> tuple[str, list[str]]:
        """The model as the tool's file for the file or device `target`, and what was lost."""
        losses = Losses()
        return self.write(losses, phases.alone(model), target), losses.lines

    def export_windows(self, found: Archive, target: str, seconds: int | None) -> tuple[str, list[str]]:
        """The clusters of an archive of windows in turn, and what was lost."""
        losses = Losses()
        return self.write(losses, phases.of_windows(losses, found, seconds), target), losses.lines


TOOLS = {
    "fio": Tool("fio job file", ".fio", fio_export.export, fio_jobs.read),
    "iometer": Tool("Iometer configuration", ".icf", iometer.export, iometer_icf.read),
    "diskspd": Tool("DiskSpd XML profile", ".xml", diskspd.profile, diskspd_xml.read),
    "diskspd-cmd": Tool("DiskSpd command lines", ".cmd", diskspd.commands),
    "vdbench": Tool("vdbench parameters", ".vdb", vdbench.export),
    "sysbench": Tool("sysbench fileio commands", ".sh", sysbench_script.export),
}
READERS = {name: tool.read for name, tool in TOOLS.items() if tool.read}


def detect(path: Path, text: str = "") -> str:
    """The format of a file, by its name, else by what it begins with."""
    found = [name for name in READERS if TOOLS[name].suffix == path.suffix.lower()]
    begins = {
        "fio": r"(\s*[#;].*\n|\s*\n)*\s*(\[[^]]+\]|include )",
        "diskspd": r"\s*<",
        "iometer": r"\s*Version ",
    }
    found += [name for name, pattern in begins.items() if re.match(pattern, text)]
    if not found:
        known = ", ".join(f"{name} ({TOOLS[name].suffix})" for name in READERS)
        raise HintedError(f"{path}: the name does not show the format", f"give `--from`, one of {known}")
    return found[0]


def read(
    path: Path, tool: str | None, span_bytes: int | None, phase: int | None = None
) -> tuple[Model, list[str]]:
    """The model in a tool's file, and notes on what was read otherwise than written.

    `span_bytes` is the size of a target that the file does not state; `phase` one of several, of fio.
    """
    text = read_text(path)
    tool = tool or detect(path, text)
    if phase is not None and tool != "fio":
        raise HintedError("`--phase` is of fio's job files", f"leave it out: this is of {tool}")
    reader = (
        functools.partial(fio_jobs.read, folder=path.parent, phase=phase) if tool == "fio" else READERS[tool]
    )
    found = reader(text, path.name, span_bytes)
    return found.model(path.stem, path.name), found.notes
