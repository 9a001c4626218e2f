"""`drivecast model`: fit, validate, generate and show workload models."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from drivecast.cli import complete
from drivecast.cli.anonymize import Key, anonymize, anonymous
from drivecast.cli.archive import WINDOWS, written
from drivecast.cli.change import change, join
from drivecast.cli.exchange import export_model, import_model
from drivecast.cli.log import Paths, takes_log
from drivecast.cli.verb import (
    CatalogPaths,
    Format,
    OutputFormat,
    Quiet,
    Seed,
    emit,
    folder_for,
    interruptible,
    note,
    progress,
    writable,
)
from drivecast.errors import HintedError, InputError, NoAnswer

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from drivecast import _core
    from drivecast.document.model import Model
    from drivecast.document.validation import Validation
    from drivecast.stage.trace import Reading
    from drivecast.stage.windows_file import Archive

app = typer.Typer(no_args_is_help=True, help="Workload models: fit, validate, generate, show.")
app.command("export")(export_model)
app.command("import")(import_model)
app.command("anonymize")(anonymize)
app.command("change")(change)
app.command("join")(join)

Kind = Literal["windows", "streams"]
ModelName = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="A model's TOML file, or the name of one: see `model list`.",
        autocompletion=complete.models,
    ),
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
    kind: Annotated[
        Kind | None,
        typer.Option(help="Windows of a trace, or independent streams (default: as `--out` ends)."),
    ] = None,
    within: Annotated[
        str, typer.Option(help="What p50 and p99 on a design may be off, as estimated; of windows.")
    ] = "10%",
    shared: Annotated[
        bool,
        typer.Option("--anonymous", help="Windows for others, as `model anonymize` writes them."),
    ] = False,
    key: Key = None,
    *,
    reading: "Reading",
    catalog: CatalogPaths = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Fit a model to a trace or to counters; what counters do not report is assumed, and listed.

    Windows of a trace that represent all of it (`.windows`) predict best. Streams (`.toml`) can be read and edited,
    and are all that counters give.

    Example: `drivecast model fit trace.blktrace -o m.windows --within 10%`

    Example: `drivecast model fit trace.blktrace -o shared.windows --anonymous`
    """
    from drivecast.files import write_whole
    from drivecast.model import counters
    from drivecast.quantity import parse as quantity
    from drivecast.source.locate import located
    from drivecast.stage import model_file, trace

    writable(out)
    if key is not None and not shared:
        raise InputError("--key is of --anonymous")
    if (kind or out.suffix[1:]) == "windows":
        archive = fit_windows(logs, out, within, reading, catalog, seed=seed, quiet=quiet)
        written(out, anonymous(archive, key, quiet=quiet) if shared else archive, output_format)
        return
    if shared:
        raise InputError(f"`{out}`: --anonymous is of windows; expected `NAME{WINDOWS}`")
    if out.suffix == WINDOWS:
        raise InputError(f"`{out}`: streams are TOML; expected `NAME.toml`")
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
    for field, why in found.assumed.items():
        note(f"assumed: {field}: {why}", quiet=quiet)
    text = model_file.toml(found)
    write_whole(out, text)
    count = f"{out}: {len(found.streams)} streams, {len(text.splitlines())} lines"
    rows = [{"name": stream.name, "read": stream.read} for stream in found.streams]
    emit(model_file.read(out).stated(), output_format, rows=rows, text=lambda: count)


def fit_windows(
    logs: Paths,
    out: Path,
    within: str,
    reading: "Reading",
    catalog: CatalogPaths,
    *,
    seed: int,
    quiet: bool,
) -> "Archive":
    """Fit windows of a trace, and note what is to be known of them."""
    from drivecast.catalog import load as load_catalog
    from drivecast.model import fit_windows as windows
    from drivecast.quantity import parse as quantity
    from drivecast.source.locate import located
    from drivecast.stage import trace

    if out.suffix != WINDOWS:
        raise InputError(f"`{out}`: windows are an archive; expected `NAME{WINDOWS}`")
    off = quantity.option("--within", quantity.fraction_or_more, within) or 0.0
    drives, name = load_catalog(catalog or []), trace.log_name(logs)
    with progress("fitting", quiet=quiet) as update, located(logs, update, again=True) as log:
        profile = trace.profile(log.files, reading, update)
        if profile.source != "trace" or profile.log is None:
            raise HintedError("windows are cut from a trace, and this log has counters", "`-o NAME.toml`")
        load, hashed = trace.workload(log.files, reading), profile.log.hash
        found = interruptible(
            lambda: windows.fit(load, name, hashed, drives, within=off, seed=seed, update=update)
        )
        warnings = log.remarks(reading.strict)
    for text in (*profile.notes, *warnings):
        note(text, quiet=quiet)
    header = found.header
    if header.error > off:
        note(
            f"the error is estimated as {header.error:.0%}, more than {off:.0%}: no number of windows gave less",
            quiet=quiet,
        )
    for text in header.remarks:
        note(text, quiet=quiet)
    return found


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
    from drivecast.stage import model_trace

    writable(out)
    made = interruptible(lambda: model_trace.generate(Path(name), out, seed=seed, seconds=seconds))
    for text in made.notes:
        note(text, quiet=quiet)
    emit(
        {"schema_version": 1, "trace": str(out), "requests": made.requests, "duration_s": made.length_s},
        output_format,
        text=lambda: f"{out}: {made.requests:,} requests in {made.length_s:g} s",
    )


class Subject(NamedTuple):
    """A model that is to be compared."""

    name: str
    hash: str
    played: "Callable[[float | None], _core.Workload]"
    """For this long; windows for as long as their trace."""
    streams: "Model | None"
    """None of windows."""
    error: float = 0.0
    """Of windows, as estimated."""
    changes: Sequence[str] = ()
    """Of windows, since their fit."""


def subject(path: Path, seed: int) -> Subject:
    """The model in a file."""
    from drivecast.model.validation_file import fingerprint
    from drivecast.stage import model_file, windows_file, windows_pass

    if path.suffix == WINDOWS:
        archive = windows_file.read(path)
        hashed = windows_file.fingerprint(archive)
        header = archive.header
        return Subject(
            header.name, hashed, lambda _: windows_pass.workload(archive), None, header.error, header.changes
        )
    model = model_file.read(model_file.shipped(path))

    def played(length_s: float | None) -> "_core.Workload":
        return model_file.workload(model, seed=seed, seconds=length_s)

    return Subject(model.name, fingerprint(model), played, model)


def against_counters(
    of: Subject, samples: "pl.DataFrame", seed: int, update: "Callable[[float, str], None]"
) -> "Validation":
    """Compare a model with counters. Raises `InputError` for windows, which are of a trace."""
    from drivecast.model import validate_counters

    if of.streams is None:
        raise InputError("windows are compared with a trace, and this log has counters")
    return validate_counters.validate(of.streams, samples, seed=seed, update=update)


@app.command()
@takes_log
def validate(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL", help="A model's TOML file, or the name of one.", autocompletion=complete.models
        ),
    ],
    logs: Paths,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", help="Write a figure of each comparison into this folder, as SVG."),
    ] = None,
    hold_out: Annotated[
        bool,
        typer.Option(
            "--hold-out",
            help="Fit windows to the first half of the trace, too, and compare them with the second: what they"
            " promise of another day. Shown, not judged.",
        ),
    ] = False,
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
    from drivecast.model import cross_validation, validation_file
    from drivecast.model.anonymous import stated
    from drivecast.model.validate import validate as compare
    from drivecast.present import validation
    from drivecast.source.locate import located
    from drivecast.stage import trace

    of = subject(path, seed)
    if figures is not None:
        folder_for(figures)
    writable(validation_file.place(path))
    drives = load_catalog(catalog or [])
    with progress("validating", quiet=quiet) as update, located(logs, update, again=True) as log:
        for text in log.remarks(reading.strict):
            note(text, quiet=quiet)
        samples = trace.samples(log.files, reading)
        if hold_out and (samples is not None or of.streams is not None):
            raise InputError("--hold-out is of windows and the trace that they are of")
        if samples is not None:
            found = interruptible(lambda: against_counters(of, samples, seed, update))
        else:
            measured = trace.workload(log.files, reading)
            played = of.played(measured.duration_s)
            found = interruptible(
                lambda: compare(of.name, played, measured, drives, seed=seed, update=update)
            )
            if hold_out:
                halves = interruptible(
                    lambda: cross_validation.compared(
                        measured, drives, within=of.error, seed=seed, update=update
                    )
                )
                found = found.model_copy(update={"parts": [*found.parts, *halves]})
            found = stated(found, of.changes)
    validation_file.store(path, of.hash, found)
    if figures is not None:
        validation.write(found, figures)
    emit(found, output_format, rows=found.parts, text=lambda: validation.lines(found))
    if not found.valid:
        raise NoAnswer(f"{len(found.failures)} of the comparisons are farther apart than their limits")
