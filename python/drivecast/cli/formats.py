"""`drivecast formats`: the formats of logs that can be read."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.verb import Format, OutputFormat, Quiet, emit
from drivecast.errors import InputError

if TYPE_CHECKING:
    from rich.text import Text

COLUMNS = ("kind", "name", "title", "detected_by", "binary", "mapping")


def formats(
    name: Annotated[
        str | None, typer.Argument(metavar="FORMAT", help="Show one in full, with a sample: `perfmon`.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """List the formats of traces and counter logs that can be read, or show one with a sample.

    The names are those that `--format` takes; binary formats are detected by their first bytes.

    Example: `drivecast formats`

    Example: `drivecast formats perfmon`
    """
    from drivecast.stage import trace

    known = trace.formats()
    shown = [row for row in known if name in (None, row["name"])]
    if not shown:
        names = ", ".join(dict.fromkeys(row["name"] for row in known))
        raise InputError(f"no format `{name}`; known: {names}")
    emit(
        {"schema_version": 2, "formats": shown},
        output_format,
        text=lambda: [line for row in shown for line in full(row)] if name else listing(shown),
        rows=[{key: row[key] for key in COLUMNS} for row in shown],
    )


def listing(known: list[dict[str, Any]]) -> "list[str | Text]":
    """The formats by name, traces first."""
    from drivecast.present import grid

    found: list[str | Text] = []
    for kind, title in (("trace", "traces"), ("counters", "counter logs")):
        rows = [(row["name"], row["title"]) for row in known if row["kind"] == kind]
        found += [f"{title}:", *grid.pairs(rows)]
    return found


def full(row: dict[str, Any]) -> "list[str | Text]":
    """A format in full."""
    from drivecast.present import grid

    keys = ("detected_by", "record", "row", "stream", "latency", "interval", "measures", "assumed", "mapping")
    values = {key: row.get(key) for key in keys}
    texts = {key: ", ".join(value) if isinstance(value, list) else value for key, value in values.items()}
    pairs = grid.pairs((key.replace("_", " "), text) for key, text in texts.items() if text)
    sample = [f"    {line}" for line in row["sample"].splitlines()]
    return [row["title"], *pairs, "  sample", *sample]
