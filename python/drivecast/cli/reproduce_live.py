"""`drivecast reproduce --live`: published experiments with a database, run on attached designs."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from drivecast.cli.verb import OutputFormat, emit, ended_in_order, interruptible, progress, writable
from drivecast.errors import HintedError, NoAnswer

if TYPE_CHECKING:
    from drivecast.catalog import Catalog
    from drivecast.document.reproduction import Listed
    from drivecast.reproduce.live import LiveExperiment

T = TypeVar("T")


@dataclass(frozen=True)
class Really:
    """Whether experiments are run with a database, and how."""

    live: Annotated[
        bool,
        typer.Option(
            "--live",
            help="Run the database experiments for real, on attached designs (root, FUSE, MariaDB, sysbench).",
        ),
    ] = False
    journal: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With --live: store results here, such as in out/live; the same command resumes.",
        ),
    ] = None
    quick: Annotated[
        bool, typer.Option("--quick", help="With --live: a quick look, with 5 s of ramp-up and 5 s measured.")
    ] = False

    def is_left_out(self) -> None:
        """Raise `InputError` for an option that means nothing without `--live`."""
        for option, given in (("--journal", self.journal is not None), ("--quick", self.quick)):
            if given:
                raise HintedError(
                    f"`{option}` needs `--live`", "simulated experiments are not stored or shortened"
                )


def run(
    names: list[str],
    how: Really,
    drives: "Catalog",
    seed: int,
    out: Path | None,
    output_format: OutputFormat,
    *,
    quiet: bool,
) -> None:
    """Measure, print, and end with 1 where it does not come out, or nothing could be judged."""
    from drivecast.present import live_reproduction
    from drivecast.reproduce.live import carried_out

    experiments = chosen(names)
    writable(out)
    _must_take(how.journal)
    ended_in_order()
    with progress("reproducing", quiet=quiet) as update:
        found = interruptible(
            lambda: carried_out(
                experiments, drives, seed=seed, progress=update, folder=how.journal, quick=how.quick
            )
        )
    emit(found, output_format, text=lambda: live_reproduction.text(found), rows=found.rows, out=out)
    if not found.passed:
        raise NoAnswer(live_reproduction.verdict(found))


def chosen(names: Sequence[str]) -> "list[LiveExperiment]":
    """The experiments named, each once; none: those with published ratios."""
    from drivecast.reproduce import EXPERIMENTS
    from drivecast.reproduce.live import DEFAULT, LIVE

    return named(names or DEFAULT, LIVE, EXPERIMENTS, live=True)


def named(names: Iterable[str], known: Mapping[str, T], others: Collection[str], *, live: bool) -> list[T]:
    """The experiments named, each once, in the order given; `others` are those of the other kind.

    Raises `InputError` for an unknown name, with the nearest.
    """
    from drivecast.catalog.figure import nearest

    option, kind = (" --live", "live experiment") if live else ("", "experiment")
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean `{near}`?" if near else f"`drivecast reproduce{option} --list` lists them"
            if name in others:
                hint = "it is simulated: leave out `--live`" if live else "it is run for real: `--live`"
            raise HintedError(f"no {kind} `{name}`", hint)
    return [known[name] for name in dict.fromkeys(names)]


def listed(names: list[str]) -> "list[Listed]":
    """All live experiments, or those named, with the number of their points."""
    from drivecast.document.reproduction import Listed
    from drivecast.reproduce.live import LIVE

    return [
        Listed(name=each.name, title=each.title, tasks=each.points) for each in chosen(names or list(LIVE))
    ]


def _must_take(journal: Path | None) -> None:
    """Raise `InputError` where results cannot be stored; the folder is made."""
    if journal is None:
        return
    if journal.exists() and not journal.is_dir():
        raise HintedError(f"--journal: `{journal}` is not a directory", "name one for the results")
    try:
        journal.mkdir(exist_ok=True)
    except OSError as error:
        raise HintedError(
            f"--journal: cannot make `{journal}`: {error.strerror}", "name a directory that you may write"
        ) from None
