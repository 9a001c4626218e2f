"""`drivecast formats`: the formats of logs that can be read."""

from typing import Annotated

import typer

from drivecast.cli.verb import Format, OutputFormat, print_csv, print_json
from drivecast.errors import InputError


def formats(
    name: Annotated[
        str | None, typer.Argument(metavar="FORMAT", help="Show one in full, with a sample: `perfmon`.")
    ] = None,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """List the formats of traces and counter logs that can be read, or show one with a sample.

    The names are those that `--format` takes; binary formats are told by their first bytes.

    Example: `drivecast formats`

    Example: `drivecast formats perfmon`
    """
    from drivecast.stage import trace

    known = trace.formats()
    shown = [one for one in known if name in (None, one["name"])]
    if not shown:
        names = ", ".join(dict.fromkeys(one["name"] for one in known))
        raise InputError(f"no format `{name}`; known: {names}")
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "formats": shown})
        case OutputFormat.CSV:
            columns = ("kind", "name", "title", "detected_by", "binary", "mapping")
            print_csv([{key: one[key] for key in columns} for one in shown])
        case OutputFormat.TEXT if name is None:
            for kind, title in (("trace", "traces"), ("counters", "counter logs")):
                typer.echo(f"{title}:")
                for one in shown:
                    if one["kind"] == kind:
                        typer.echo(f"  {one['name']:<13} {one['title']}")
        case OutputFormat.TEXT:
            typer.echo("\n".join(text for one in shown for text in lines(one)))


def lines(one: dict[str, object]) -> list[str]:
    """A format in full."""
    keys = ("detected_by", "record", "row", "stream", "latency", "interval", "tells", "assumed", "mapping")
    found = [str(one["title"])]
    for key in keys:
        value = one.get(key)
        if value:
            text = ", ".join(map(str, value)) if isinstance(value, list) else value
            found.append(f"  {key.replace('_', ' '):<12} {text}")
    return [*found, "  sample", *(f"    {line}" for line in str(one["sample"]).splitlines())]
