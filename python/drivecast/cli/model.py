"""`drivecast model`: fit, validate, generate and show workload models."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from drivecast.cli.exchange import export_model, import_model
from drivecast.cli.log import Paths, takes_log
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    guarded,
    interruptible,
    note,
    print_csv,
    print_json,
    progress,
    writable,
)
from drivecast.errors import InputError, NoAnswer

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading

app = typer.Typer(no_args_is_help=True, help="Workload models: fit, validate, generate, show.")
app.command("export")(export_model)
app.command("import")(import_model)

ModelName = Annotated[
    str, typer.Argument(metavar="MODEL", help="A model's TOML file, or the name of one: see `model list`.")
]


def load(name: str) -> dict[str, Any]:
    """The model that a name or path stands for.

    Raises `InputError` when there is none.
    """
    from drivecast import model

    path = model.find(name)
    if path is None:
        raise InputError(
            f"no model `{name}`; known: {', '.join(model.named())}\nhint: a file ends in `.toml`"
        )
    return model.read(path)


@app.command("list")
@guarded
def list_models(output_format: Format = OutputFormat.TEXT) -> None:
    """List the models that come with the program.

    Example: `drivecast model list`
    """
    from drivecast import model

    rows = [
        {"name": name, "streams": len(one["streams"]), "description": one.get("description", "")}
        for name in model.named()
        for one in [model.read(model.find(name) or Path(name))]
    ]
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "models": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            for row in rows:
                typer.echo(f"{row['name']:<22} {row['description']}")


@app.command()
@guarded
def show(name: ModelName, output_format: Format = OutputFormat.TEXT) -> None:
    """Show a model as it is read, with what is assumed.

    Example: `drivecast model show jesd219-enterprise`
    """
    from drivecast import model

    found = load(name)
    match output_format:
        case OutputFormat.JSON:
            print_json(found)
        case OutputFormat.CSV:
            print_csv([{"name": one["name"], "read": one["read"]} for one in found["streams"]])
        case OutputFormat.TEXT:
            typer.echo(model.write(found), nl=False)


@app.command()
@guarded
@takes_log
def fit(
    logs: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The model to write, `NAME.toml`.")],
    span: Annotated[
        str | None, typer.Option(help="Counters only: how much data there is, such as 320GB.")
    ] = None,
    *,
    reading: "Reading",
    quiet: Quiet = False,
) -> None:
    """Fit a model to a trace, or to counters; what counters do not tell is assumed, and listed.

    Example: `drivecast model fit trace.blktrace -o m.toml`
    """
    from drivecast import model, quantity
    from drivecast.files import write_whole
    from drivecast.model import counters
    from drivecast.source.locate import located
    from drivecast.stage import trace

    writable(out)
    name = trace.log_name(logs)
    with progress("fitting", quiet=quiet) as update, located(logs, update, again=True) as log:
        told = log.told(reading.strict)
        profile = trace.profile(log.files, reading, update)
        if profile["source"] == "trace":
            if span is not None:
                raise InputError("--span goes with counters: a trace tells its addresses")
            load_of = trace.workload(log.files, reading)
            found = json.loads(interruptible(lambda: load_of.fit(name)))
        else:
            found = counters.fit(profile, name, quantity.option("--span", quantity.size_bytes, span))
    for text in (*profile["log"]["notes"], *told):
        note(text, quiet=quiet)
    for key, how in found.get("provenance", {}).items():
        if "assumed" in how:
            note(f"assumed: {key}: {how['assumed']}", quiet=quiet)
    text = model.write(found)
    write_whole(out, text)
    typer.echo(f"{out}: {len(found['streams'])} streams, {len(text.splitlines())} lines")


@app.command()
@guarded
def generate(
    name: ModelName,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Parquet file to write.")],
    seconds: Annotated[
        float | None, typer.Option(min=1e-6, help="How long (default: the model's own, or 60 s).")
    ] = None,
    seed: Seed = 0,
) -> None:
    """Make a trace from a model; the same seed gives the same requests.

    In a closed loop each request is taken to last 0.1 ms, since there is no device.

    Example: `drivecast model generate m.toml -o trace.parquet --seconds 60`
    """
    from drivecast import model

    writable(out)
    found = load(name)
    count, length_s = interruptible(lambda: model.generate(found, out, seed=seed, seconds=seconds))
    typer.echo(f"{out}: {count:,} requests in {length_s:g} s")


@app.command()
@guarded
@takes_log
def validate(
    path: Annotated[Path, typer.Argument(metavar="MODEL", help="A model's TOML file.")],
    logs: Paths,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="Write a figure of each part into this folder, as SVG.")
    ] = None,
    *,
    reading: "Reading",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Hold a model against the trace it is of: distributions, load over time, and what comes of both on three devices.

    Against a counter log, which tells less: totals, sizes, share of reads, load over time and queue depth.

    The verdict is kept beside the model, where `plan` looks for it. Exit code 1 when the model fails.

    Example: `drivecast model validate m.toml trace.blktrace --figures figures/`
    """
    from drivecast import model
    from drivecast.catalog import load as load_catalog
    from drivecast.model import figure, validate_counters, validation_file
    from drivecast.model.validate import validate as hold
    from drivecast.source.locate import located
    from drivecast.stage import trace

    of = model.read(path)
    if figures is not None and not figures.is_dir():
        raise InputError(f"no such directory: `{figures}`")
    writable(validation_file.place(path))
    drives = load_catalog(catalog or [])
    with progress("validating", quiet=quiet) as update, located(logs, update, again=True) as log:
        for text in log.told(reading.strict):
            note(text, quiet=quiet)
        samples = trace.samples(log.files, reading)
        if samples is not None:
            found = interruptible(lambda: validate_counters.validate(of, samples, seed=seed, update=update))
        else:
            measured = trace.workload(log.files, reading)
            found = interruptible(lambda: hold(of, measured, drives, seed=seed, update=update))
    validation_file.keep(path, of, found)
    if figures is not None:
        figure.write(found, figures)
    document = found.document()
    match output_format:
        case OutputFormat.JSON:
            print_json(document)
        case OutputFormat.CSV:
            print_csv(document["parts"])
        case OutputFormat.TEXT:
            for part in document["parts"]:
                mark = "-" if not part["judged"] else "ok" if part["passes"] else "FAR"
                sides = (
                    f"{part['trace']:>12.4g} {part['model']:>12.4g}"
                    if part["trace"] is not None
                    else " " * 25
                )
                text = (
                    f"{mark:<4} {part['name']:<34} {part['distance']:>8.3f} of {part['limit']:<5.2f} {sides}"
                )
                typer.echo(text.rstrip())
            typer.echo(
                f"score {found.score:.2f} of 1: the model is {'valid' if document['valid'] else 'not valid'}"
            )
    if found.failures:
        raise NoAnswer(f"{len(found.failures)} of the comparisons are farther apart than their limits")
