"""`drivecast health meter`: what one workload does to one drive."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.health.read import Sudo
from drivecast.cli.verb import (
    EXIT_NO,
    EXIT_WRONG,
    Format,
    OutputFormat,
    Quiet,
    flat,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)
from drivecast.errors import InputError

if TYPE_CHECKING:
    from drivecast.health.live_meter import LiveMeter
    from drivecast.health.meter import Bounded, Measurement, Reading


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
        str | None, typer.Option(help="Reset the timer unasked: the device's name once more.")
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset/--no-reset", help="Reset the workload timer of a drive that has one.")
    ] = True,
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
    """Measure what the workload of now does to a drive: wear, write amplification, and how long the drive would last.

    A drive with a workload timer (Intel's E2, E3, E4) is asked to start it anew, after a question: that ends what the
    timer told of the time before. Others are measured by differences. Exit codes: 0 measured, 1 too short to tell,
    2 wrong use, unreadable or interrupted.

    Example: `drivecast health meter /dev/sda --sudo`, `drivecast health meter --before a.json --after b.json`
    """
    from drivecast.health import meter as metering
    from drivecast.health import rules
    from drivecast.health.live_meter import LiveMeter, WallClock
    from drivecast.health.read.smartctl import Device, Smartctl

    interrupted = False
    if before is None and after is not None:
        raise InputError("`--after` needs `--before`")
    if device is None and after is None:
        raise InputError("expected a device, or two files\nhint: `drivecast health meter /dev/sda`")
    if device is not None and after is not None:
        raise InputError(f"`--after` is the second reading, and so is `{device}`; give one of them")
    if before is not None:
        first = _file(before)
        if after is not None:
            last = _file(after)
        else:
            last = LiveMeter(Device(str(device), kind), Smartctl(sudo), rules.load(), WallClock()).read()[1]
        found = metering.measure(first, last)
    else:
        watch = LiveMeter(Device(str(device), kind), Smartctl(sudo), rules.load(), WallClock())
        writable(keep)
        found, interrupted = _live(watch, minutes, reset, yes, keep, quiet)
    _print(found, output_format)
    for told in found.notes if output_format is not OutputFormat.TEXT else []:
        note(told, quiet=quiet)
    if interrupted:
        typer.echo(
            f"error: interrupted after {found.minutes:.0f} min; its timer, if it has one, runs on", err=True
        )
        raise typer.Exit(EXIT_WRONG)
    if not found.enough:
        raise typer.Exit(EXIT_NO)


def _file(path: Path) -> "Reading":
    """The first document of a file about a drive."""
    from datetime import UTC, datetime

    from drivecast.health import meter as metering
    from drivecast.health import rules
    from drivecast.health.read.normalise import Origin
    from drivecast.health.read.stream import Damage, documents, text_of
    from drivecast.health.smart_data import SmartData

    try:
        text, _ = text_of(path.read_bytes())
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
    reset = reset and timer is not None
    if reset and timer is not None:
        if minutes < timer.least_minutes:
            raise InputError(
                f"--minutes {minutes:g}: the timer of `{watch.device.place}` tells nothing before "
                f"{timer.least_minutes} minutes\nhint: `--no-reset` measures by differences"
            )
        _agree(watch.device.place, first, yes)
    if keep is not None:
        write_whole(keep, json.dumps(document.content) + "\n")
    with progress(f"measuring {watch.device.place}", quiet=quiet) as update:
        return watch.run(first, minutes, reset=reset, progress=update)


def _agree(place: str, first: "Reading", yes: str | None) -> None:
    """Ask before the timer is reset; raises `InputError` where nobody agrees."""
    identity = first.record.identity
    asked = (
        f"`{place}` is {identity.model}, serial {identity.serial}. Its workload timer starts anew: what it told of "
        "the time before is gone, and with it its fine gauge of the whole life's wear."
    )
    if yes is not None:
        if yes != place:
            raise InputError(
                f"--yes {yes}: expected `{place}` once more, so that no other drive is reset by mistake"
            )
        return
    if not sys.stdin.isatty():
        raise InputError(f"{asked}\nhint: `--yes {place}` agrees, `--no-reset` measures by differences")
    typer.echo(asked, err=True)
    said = typer.prompt(f"Type {place} to go on", err=True, default="", show_default=False)
    if said.strip() != place:
        raise InputError("not agreed; nothing was reset\nhint: `--no-reset` measures by differences")


def _bounds(bounded: "Bounded | None") -> dict[str, float | None] | None:
    return None if bounded is None else {"value": bounded.value, "low": bounded.low, "high": bounded.high}


def as_json(found: "Measurement") -> dict[str, Any]:
    """The measurement with both ends of every figure."""
    identity = found.record.identity
    return {
        "schema_version": 1,
        "device": found.record.device,
        "model": identity.model,
        "serial": identity.serial,
        "minutes": found.minutes,
        "method": found.method,
        "enough": found.enough,
        "wear_ratio": _bounds(found.wear),
        "wear_attribute": found.wear_attribute,
        "wear_minutes": found.wear_minutes,
        "read_ratio": found.read_ratio,
        "host_written_bytes": _bounds(found.host_written),
        "nand_written_bytes": _bounds(found.nand_written),
        "write_amplification": _bounds(found.write_amplification),
        "write_amplification_by": found.write_amplification_by or None,
        "life_years_media": _bounds(found.life_years),
        "left_years_media": _bounds(found.left_years),
        "life_years_warranty": _bounds(found.warranty_years),
        "left_years_warranty": _bounds(found.warranty_left_years),
        "rated_bytes": found.rated.rated_bytes if found.rated else None,
        "rated_source": found.rated.source if found.rated else None,
        "notes": found.notes,
    }


def _years(bounded: "Bounded | None") -> str:
    """Years for people, in days where they are few."""
    if bounded is None:
        return "not known"
    known = bounded.value if bounded.value is not None else bounded.low
    scale, unit = (365.25, "days") if known is not None and known < 0.25 else (1, "years")
    if bounded.value is None:
        return "too short to tell" + (f"; more than {bounded.low * scale:.2g} {unit}" if bounded.low else "")
    high = f"{bounded.high * scale:.3g}" if bounded.high is not None else "more"
    return f"{bounded.value * scale:.3g} {unit} ({(bounded.low or 0) * scale:.3g} to {high})"


def _bytes(bounded: "Bounded | None") -> str:
    return "not counted" if bounded is None or bounded.value is None else f"{bounded.value / 1e9:,.2f} GB"


def _print(found: "Measurement", output_format: OutputFormat) -> None:
    document = as_json(found)
    match output_format:
        case OutputFormat.JSON:
            print_json(document)
        case OutputFormat.CSV:
            print_csv([flat(document)])
        case OutputFormat.TEXT:
            for name, value in _lines(found):
                typer.echo(f"{name:<20} {value}")


def _lines(found: "Measurement") -> "list[tuple[str, str]]":
    identity = found.record.identity
    lines = [
        ("drive", f"{found.record.device or ''} {identity.model}, serial {identity.serial}".strip()),
        (
            "measured",
            f"{found.minutes:.0f} min, by {'its own timer' if found.method == 'timer' else 'differences'}",
        ),
    ]
    if found.wear is not None and found.wear.value is not None:
        step = f"step {100 * ((found.wear.high or 0) - found.wear.value):.2g} %"
        lines.append(("wear", f"{100 * found.wear.value:.4f} % ({step}, {found.wear_attribute})"))
    if found.read_ratio is not None:
        lines.append(("reads", f"{found.read_ratio:.0%} of operations"))
    lines += [("host writes", _bytes(found.host_written)), ("NAND writes", _bytes(found.nand_written))]
    amplified = found.write_amplification
    if amplified is not None:
        top = "more" if amplified.high is None else f"{amplified.high:.2f}"
        shown = (
            "too short to tell"
            if amplified.value is None
            else f"{amplified.value:.2f} ({amplified.low:.2f} to {top})"
        )
        lines.append(("write amplification", f"{shown}, {found.write_amplification_by}"))
    lines += [
        ("life of the media", f"{_years(found.life_years)} from new, this workload alone"),
        ("left of the media", _years(found.left_years)),
    ]
    if found.rated is not None:
        rated = f"{(found.rated.rated_bytes or 0) / 1e12:,.0f} TB rated, {found.rated.provenance}: {found.rated.source}"
        written = found.record.value("host_written_bytes") or 0
        over = written >= (found.rated.rated_bytes or float("inf"))
        left = (
            f"none: {written / 1e12:,.0f} TB are written"
            if over
            else f"{_years(found.warranty_left_years)} by writes"
        )
        lines.append(("left of the warranty", f"{left} ({rated})"))
    return [*lines, *(("note", one) for one in found.notes)]
