"""The program: verbs by name. Nothing heavy is imported before a verb runs, so that `--help` answers at once."""

import contextlib
import os
import sys
from typing import Annotated

import typer

from drivecast.cli import (
    attach,
    bench,
    cache,
    capture,
    catalog,
    compare,
    complete,
    convert,
    formats,
    health,
    model,
    plan,
    profile,
    reliability,
    reproduce,
    serve,
    simulate,
    versus,
    wear,
)
from drivecast.cli.verb import EXIT_WRONG, grouped
from drivecast.thread import end_with

EPILOG = (
    "Start with `drivecast plan TRACE -o report.html`. Designs are written as `raid10(4 * samsung-pm893-480gb)`, "
    "workloads as a trace or as `random(4KiB, read=0.7, iodepth=32)`."
)

INTERRUPTED = 130
"""What click ends with after Ctrl-C."""

TRACEBACK = "DRIVECAST_TRACEBACK"
"""The variable that has the whole traceback of a fault shown."""

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)


def version(wanted: bool) -> None:
    """Print the version and stop."""
    if wanted:
        from drivecast import __version__

        typer.echo(f"drivecast {__version__}")
        raise typer.Exit


@app.callback(epilog=EPILOG)
def program(
    _version: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Which storage should this workload run on, how fast will it be, how long will it last, what will it cost."""


for verb in (
    capture.capture,
    plan.plan,
    profile.profile,
    convert.convert,
    formats.formats,
    simulate.simulate,
    wear.wear,
    versus.versus,
    reliability.reliability,
    reproduce.reproduce,
    attach.attach,
    serve.serve,
):
    app.command()(verb)
app.add_typer(catalog.app, name="catalog")
app.add_typer(model.app, name="model")
app.add_typer(bench.app, name="bench")
app.add_typer(cache.app, name="cache")
app.add_typer(compare.app, name="compare")
app.add_typer(health.app, name="health")
grouped(app)


def keep(name: str) -> None:
    """Leave out all verbs but `name`, if there is one: the options of all take longer to make than `--help` may."""
    verbs = [verb for verb in app.registered_commands if verb.callback and verb.callback.__name__ == name]
    groups = [group for group in app.registered_groups if group.name == name]
    if verbs or groups:
        app.registered_commands, app.registered_groups = verbs, groups


def raise_limit() -> None:
    """Allow as many open files as may be: a trace of many CPUs has as many, and the usual 1,024 are a mere default."""
    if sys.platform == "win32":  # which has no such limit
        return
    with contextlib.suppress(ImportError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def spare_cores() -> None:
    """Multiply matrices on one core: ours are small, and a thread that waits for the next of them keeps a core busy."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    """Entry point of `drivecast`; Ctrl-C before a verb has begun ends like one in a verb.

    What no verb expected is a fault of ours: the message leaves out the secrets that a traceback may show.
    """
    complete.prepare()
    keep(complete.verb() or "".join(sys.argv[1:2]))
    raise_limit()
    spare_cores()
    try:
        app()
        status: object = 0
    except SystemExit as end:
        status = end.code
    except KeyboardInterrupt:
        status = INTERRUPTED
    except BaseException as error:  # the core's panics are no `Exception`
        sys.stderr.write(fault(error) + "\n")
        status = EXIT_WRONG
    if status == INTERRUPTED:
        sys.stderr.write("error: interrupted; nothing was left half-written\n")
        status = EXIT_WRONG
    end_with(status)


def fault(error: BaseException) -> str:
    """What is said of an error that nobody expected: what, where, and how to see more."""
    import traceback
    from pathlib import Path

    from drivecast.plain_text import message

    if os.environ.get(TRACEBACK):
        lines = "".join(traceback.format_exception(error)).splitlines()
        return "\n".join(map(message, lines))
    last = (traceback.extract_tb(error.__traceback__) or [None])[-1]
    place = f" ({Path(last.filename).name}, line {last.lineno})" if last else ""
    return message(
        f"error: {type(error).__name__}: {error}{place}\nhint: this is a fault of drivecast; "
        f"please report it with the command and what `{TRACEBACK}=1` shows"
    )
