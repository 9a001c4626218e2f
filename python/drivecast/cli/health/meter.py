"""`drivecast health meter`: how much one workload wears one drive."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.health.read import Sudo
from drivecast.cli.verb import (
    EXIT_NO,
    EXIT_WRONG,
    Format,
    OutputFormat,
    Quiet,
    emit,
    note,
    progress,
    writable,
)
from drivecast.errors import HintedError, InputError

if TYPE_CHECKING:
    from drivecast.document.meter import Measurement
    from drivecast.health.live_meter import LiveMeter
    from drivecast.health.meter import Reading


def meter(
    device: Annotated[
        str | None, typer.Argument(help="A drive of this machine, such as `/dev/sda`; none with two files.")
    ] = None,
    minutes: Annotated[float, typer.Option(min=1, help="How long to measure.")] = 60,
    kind: Annotated[
        str | None, typer.Option("--type", help="What smartctl is given as `-d`, such as `megaraid,3`.")
    ] = None,
    sudo: Sudo = False,
    yes: Annotated[
        str | None, typer.Option(help="Reset the timer without a question: repeat the name of the device.")
    ] = None,
    reset: Annotated[bool, typer.Option(help="Reset the workload timer of a drive that has one.")] = True,
    before: Annotated[Path | None, typer.Option(help="First reading: a file of `smartctl -x -j`.")] = None,
    after: Annotated[
        Path | None, typer.Option(help="Second reading; without it the drive is read now.")
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            help="Write the first reading to a file, so that `--before` can end the measurement later."
        ),
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Measure how much the present workload wears a drive: wear, write amplification, and the life they imply.

    A workload timer (Intel's E2, E3, E4) is reset, after confirmation, since that discards what it has counted so far.
    Drives without one are measured by differences. Exit codes: 0 measured, 1 measurement too short, 2 wrong use,
    unreadable or interrupted.

    Example: `drivecast health meter /dev/sda --sudo`, `drivecast health meter --before a.json --after b.json`
    """
    from drivecast.health import meter as metering
    from drivecast.health import rules
    from drivecast.health.live_meter import LiveMeter
    from drivecast.health.read.smartctl import Device, Smartctl
    from drivecast.present import workload_meter

    interrupted = False
    if before is None and after is not None:
        raise InputError("`--after` needs `--before`")
    if device is None and after is None:
        raise HintedError("expected a device, or two files", "`drivecast health meter /dev/sda`")
    if device is not None and after is not None:
        raise InputError(f"`--after` is the second reading, and so is `{device}`; give one of them")
    watch = LiveMeter(Device(str(device), kind), Smartctl(sudo), rules.load())
    if before is not None:
        first = _file(before)
        found = metering.measure(first, watch.read()[1] if after is None else _file(after))
    else:
        writable(keep)
        found, interrupted = _live(watch, minutes, reset, yes, keep, quiet)
    emit(found, output_format, text=lambda: workload_meter.lines(found))
    for text in found.notes if output_format is not OutputFormat.TEXT else []:
        note(text, quiet=quiet)
    if interrupted:
        after_min = f"interrupted after {found.minutes:.0f} min"
        typer.echo(f"error: {after_min}; its timer, if it has one, keeps running", err=True)
        raise typer.Exit(EXIT_WRONG)
    if not found.enough:
        raise typer.Exit(EXIT_NO)


def _file(path: Path) -> "Reading":
    """The first document of a file about a drive."""
    from datetime import UTC, datetime

    from drivecast.files import read_bytes
    from drivecast.health import meter as metering
    from drivecast.health import rules
    from drivecast.health.read.normalise import Origin
    from drivecast.health.read.stream import Damage, documents, text_of
    from drivecast.health.smart_data import SmartData

    try:
        text, _ = text_of(read_bytes(path))
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        raise InputError(f"cannot read `{path}`: {error.strerror}") from None
    for found in documents(text):
        if isinstance(found, Damage):
            raise InputError(f"{path}: byte {found.byte}: {found.what}")
        if isinstance(found[1], dict):
            return metering.reading(SmartData(found[1]), Origin(str(path), time=changed), rules.load())
    raise InputError(f"{path}: expected a document of `smartctl -x -j`, found none")


def _live(
    watch: "LiveMeter", minutes: float, reset: bool, yes: str | None, keep: Path | None, quiet: bool
) -> "tuple[Measurement, bool]":
    from drivecast.files import write_whole

    document, first = watch.read()
    timer = first.timer
    if reset and timer is not None:
        if minutes < timer.least_minutes:
            raise HintedError(
                f"--minutes {minutes:g}: the timer of `{watch.device.place}` reports nothing before "
                f"{timer.least_minutes} minutes",
                "`--no-reset` measures by differences",
            )
        _agree(watch.device.place, first, yes)
    if keep is not None:
        write_whole(keep, json.dumps(document.content) + "\n")
    with progress(f"measuring {watch.device.place}", quiet=quiet) as update:
        return watch.run(first, minutes, reset=reset, progress=update)


def _agree(place: str, first: "Reading", yes: str | None) -> None:
    """Ask before the timer is reset; raises `InputError` where nobody agrees."""
    question = (
        f"`{place}` is {first.record.model}, serial {first.record.serial}. Resetting its workload timer discards what "
        "it has counted so far, and with that the fine gauge of its lifetime wear."
    )
    if yes is not None:
        if yes != place:
            mistake = f"--yes {yes}: expected `{place}` once more"
            raise InputError(f"{mistake}, so that no other drive is reset by mistake")
        return
    if not sys.stdin.isatty():
        raise HintedError(question, f"`--yes {place}` confirms, `--no-reset` measures by differences")
    typer.echo(question, err=True)
    typed = typer.prompt(f"Type {place} to continue", err=True, default="", show_default=False)
    if typed.strip() != place:
        raise HintedError("not confirmed; nothing was reset", "`--no-reset` measures by differences")
