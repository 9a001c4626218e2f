"""`drivecast profile`: characterise a trace or counter log."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from drivecast.cli.log import Loads, takes_log
from drivecast.cli.verb import Format, OutputFormat, Quiet, Seed, emit, note, progress, writable
from drivecast.errors import HintedError

if TYPE_CHECKING:
    from drivecast.stage.trace import Reading


@takes_log
def profile(
    logs: Loads,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write an HTML page with the figures here.")
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", help="Write each figure as an SVG file into this folder.")
    ] = None,
    peak_window: Annotated[
        float, typer.Option(min=1, help="Length of the busiest stretch, in seconds.")
    ] = 60.0,
    *,
    reading: "Reading",
    spindles: Annotated[
        int | None,
        typer.Option(
            min=1, help="Disks in the array: judge the queue depth by the rule of one to two for each."
        ),
    ] = None,
    seed: Seed = 0,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Characterise a trace or counter log, or a trace made from a model.

    Mix, sizes, runs, load over time, bursts, working set, reuse with miss-ratio curves of LRU caches of every
    size, overwrites, latency by size and depth, who asks; from counters as far as they can tell.

    Example: `drivecast profile trace.blktrace -o profile.html`

    Example: `drivecast profile tpcc-innodb`
    """
    from drivecast.stage import model_trace, trace

    writable(out)
    _folder(figures)
    with progress("reading", quiet=quiet) as report:
        result = model_trace.profile(logs, reading, report, peak_window_s=peak_window, seed=seed)
    if spindles is not None:
        from drivecast.stage.spindles import measure

        result = result.model_copy(update={"spindles": measure(result, spindles)})
    for text in result.notes:
        note(text, quiet=quiet)
    from drivecast.present import terminal

    name = trace.log_name(logs)
    if out is not None:
        from drivecast.present import page

        page.write_profile(result, name, out)
    if figures is not None:
        from drivecast.present import page

        drawn = page.draw_profile(result, figures)
        note(f"wrote {len(drawn)} figures into `{figures}`", quiet=quiet)
    emit(result, output_format, text=lambda: terminal.render_profile(result, name))


def _folder(path: Path | None) -> None:
    """Refuse a folder that cannot be one before a long trace is read."""
    if path is not None and path.exists() and not path.is_dir():
        raise HintedError(f"`{path}` is a file: expected a folder for the figures", "name another folder")
