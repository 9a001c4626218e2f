"""`drivecast model`: fit, validate, generate and show workload models."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.exchange import export_model, import_model
from drivecast.cli.log import Paths, takes_log
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    interruptible,
    note,
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


@app.command("list")
def list_models(output_format: Format = OutputFormat.TEXT, quiet: Quiet = False) -> None:
    """List the models that come with the program.

    Example: `drivecast model list`
    """
    from drivecast.present import grid
    from drivecast.stage import model_file

    models = [model_file.load(name) for name in model_file.named()]
    rows = [
        {"name": model.name, "streams": len(model.streams), "description": model.description or ""}
        for model in models
    ]
    emit(
        {"schema_version": 1, "models": rows},
        output_format,
        rows=rows,
        text=lambda: grid.table(("<", "<"), [(model.name, model.description) for model in models]),
    )


@app.command()
def show(name: ModelName, output_format: Format = OutputFormat.TEXT, quiet: Quiet = False) -> None:
    """Show a model as it is read, with what is assumed.

    Example: `drivecast model show jesd219-enterprise`
    """
    from drivecast.stage import model_file

    found = model_file.load(name)
    rows = [{"name": stream.name, "read": stream.read} for stream in found.streams]
    emit(found.stated(), output_format, rows=rows, text=lambda: model_file.toml(found))


@app.command()
@takes_log
def fit(
    logs: Paths,
    out: Annotated[Path, typer.Option("--out", "-o", help="The model to write, `NAME.toml`.")],
    span: Annotated[
        str | None, typer.Option(help="Size of the data, such as 320GB; of a counter log only.")
    ] = None,
    *,
    reading: "Reading",
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Fit a model to a trace or to counters; what counters do not report is assumed, and listed.

    Example: `drivecast model fit trace.blktrace -o m.toml`
    """
    from drivecast.files import write_whole
    from drivecast.model import counters
    from drivecast.quantity import parse as quantity
    from drivecast.source.locate import located
    from drivecast.stage import model_file, trace

    writable(out)
    name = trace.log_name(logs)
    with progress("fitting", quiet=quiet) as update, located(logs, update, again=True) as log:
        warnings = log.remarks(reading.strict)
        profile = trace.profile(log.files, reading, update)
        if profile.source == "trace":
            if span is not None:
                raise InputError("--span is of a counter log: a trace holds its addresses")
            load = trace.workload(log.files, reading)
            found = interruptible(lambda: model_file.fit(load, name))
        else:
            found = counters.fit(profile, name, quantity.option("--span", quantity.size_bytes, span))
    for text in (*profile.notes, *warnings):
        note(text, quiet=quiet)
    for key, why in found.assumed.items():
        note(f"assumed: {key}: {why}", quiet=quiet)
    text = model_file.toml(found)
    write_whole(out, text)
    count = f"{out}: {len(found.streams)} streams, {len(text.splitlines())} lines"
    rows = [{"name": stream.name, "read": stream.read} for stream in found.streams]
    emit(model_file.read(out).stated(), output_format, rows=rows, text=lambda: count)


@app.command()
def generate(
    name: ModelName,
    out: Annotated[Path, typer.Option("--out", "-o", help="The Parquet file to write.")],
    seconds: Annotated[
        float | None, typer.Option(min=1e-6, help="Length of the trace (default: the model's own, or 60 s).")
    ] = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Make a trace from a model; the same seed gives the same requests.

    In a closed loop each request is taken to last 0.1 ms, since there is no device.

    Example: `drivecast model generate m.toml -o trace.parquet --seconds 60`
    """
    from drivecast.stage import model_file, model_part

    writable(out)
    found = model_file.load(name)
    if seconds is None:
        part = model_part.cut(found)
        found = part.model
        if part.note is not None:
            note(part.note, quiet=quiet)
    count, length_s = interruptible(lambda: model_file.generate(found, out, seed=seed, seconds=seconds))
    emit(
        {"schema_version": 1, "trace": str(out), "requests": count, "duration_s": length_s},
        output_format,
        text=lambda: f"{out}: {count:,} requests in {length_s:g} s",
    )


@app.command()
@takes_log
def validate(
    path: Annotated[Path, typer.Argument(metavar="MODEL", help="A model's TOML file.")],
    logs: Paths,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", help="Write a figure of each comparison into this folder, as SVG."),
    ] = None,
    *,
    reading: "Reading",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Compare a model with the trace it is of: distributions, load over time, and outcomes on three devices.

    With a counter log, which reports less: totals, sizes, share of reads, load over time and queue depth.

    The validation is stored next to the model, where `plan` looks for it. Exit code 1 where the model is not valid.

    Example: `drivecast model validate m.toml trace.blktrace --figures figures/`
    """
    from drivecast.catalog import load as load_catalog
    from drivecast.model import validate_counters, validation_file
    from drivecast.model.validate import validate as compare
    from drivecast.present import validation
    from drivecast.source.locate import located
    from drivecast.stage import model_file, trace

    model = model_file.read(path)
    if figures is not None and not figures.is_dir():
        raise InputError(f"no such directory: `{figures}`")
    writable(validation_file.place(path))
    drives = load_catalog(catalog or [])
    with progress("validating", quiet=quiet) as update, located(logs, update, again=True) as log:
        for text in log.remarks(reading.strict):
            note(text, quiet=quiet)
        samples = trace.samples(log.files, reading)
        if samples is not None:
            found = interruptible(
                lambda: validate_counters.validate(model, samples, seed=seed, update=update)
            )
        else:
            measured = trace.workload(log.files, reading)
            found = interruptible(lambda: compare(model, measured, drives, seed=seed, update=update))
    validation_file.store(path, model, found)
    if figures is not None:
        validation.write(found, figures)
    emit(found, output_format, rows=found.parts, text=lambda: validation.lines(found))
    if not found.valid:
        raise NoAnswer(f"{len(found.failures)} of the comparisons are farther apart than their limits")
