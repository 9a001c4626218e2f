"""What is taken for a log: a trace made from a model, once that is known to resemble its own; counters of a line."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from drivecast.document.windows import SUFFIX
from drivecast.errors import InputError
from drivecast.lock import temporary_folder
from drivecast.model import validation_file
from drivecast.plan import sizing_line
from drivecast.plan.candidate import Options
from drivecast.plan.load import WHOLE_MAX, WholeLog
from drivecast.stage import (
    model_file,
    model_part,
    model_trace,
    windows_excerpt,
    windows_file,
    windows_pass,
)
from drivecast.stage.model_file import shipped
from drivecast.stage.simulate import is_line


class Planned(NamedTuple):
    """What is planned for."""

    logs: list[Path]
    """A model as a trace made from it."""
    hours: float | None = None
    """Of a day that look like the trace, where it is a part of the model."""
    whole_log: WholeLog | None = None
    """Windows, where the trace is a pass of them."""
    notes: tuple[str, ...] = ()
    in_order: tuple[float, float] | None = None
    """Of a workload line, which nobody measured: the shares of its reads and of its writes in order."""

    def over(self, options: Options) -> Options:
        """The options with how the load is known."""
        return replace(options, whole_log=self.whole_log, in_order=self.in_order)


def is_of_model(logs: Sequence[Path]) -> bool:
    """Whether any of these is a model."""
    return any(model_trace.is_model(log) for log in logs)


@contextmanager
def played(logs: Sequence[Path], seed: int, peak_window_s: float, *, accepted: bool) -> Iterator[Planned]:
    """The logs, or a workload line as counters; a model if it has passed its validation, or is `accepted` without.

    Raises `InputError` for a model that has not, and for several.
    """
    if len(logs) == 1 and is_line(str(logs[0])):
        with temporary_folder("drivecast-line-") as folder:
            line = str(logs[0])
            log = sizing_line.write_log(line, folder, seed)
            yield Planned([log], notes=(sizing_line.NOTE,), in_order=sizing_line.in_order(line))
        return
    logs = [shipped(log) for log in logs]
    if not is_of_model(logs):
        yield Planned(logs)
        return
    if len(logs) != 1:
        raise InputError(f"a model is planned for alone, found {len(logs)} logs")
    with temporary_folder("drivecast-model-") as folder:
        trace = folder / f"{logs[0].stem}.parquet"
        if logs[0].suffix == SUFFIX:
            yield _windows(logs[0], peak_window_s, trace, accepted=accepted)
        else:
            yield _streams(logs[0], seed, trace, accepted=accepted)


def _windows(path: Path, peak_window_s: float, trace: Path, *, accepted: bool) -> Planned:
    archive = windows_file.read(path)
    hashed = windows_file.fingerprint(archive)
    if not accepted:
        validation_file.demand(path, hashed)
    notes = [*archive.header.notes]
    short = windows_excerpt.excerpt(archive, peak_window_s)
    if short is not archive:
        notes.append(f"the peak, and {len(short.turns):,} of {len(archive.turns):,} windows for wear")
    windows_pass.generate(short, trace)
    passed = trace
    if short is not archive:  # what is met again is met less often in a part
        passed = trace.with_name("pass.parquet")
        windows_pass.as_trace(windows_excerpt.excerpt(archive, 0.0, WHOLE_MAX)).write_parquet(passed)
    estimates = tuple(archive.header.estimates)
    whole_log = WholeLog(windows_pass.workload(short), estimates, hashed, passed)
    return Planned([trace], whole_log=whole_log, notes=tuple(notes))


def _streams(path: Path, seed: int, trace: Path, *, accepted: bool) -> Planned:
    of = model_file.read(path)
    if not accepted:
        validation_file.demand(path, validation_file.fingerprint(of))
    part, hours = model_part.cut(of), None
    notes = model_trace.remarks(part)
    if part.note is not None:
        hours = model_part.hours_per_day(of, part.model)
        notes = (f"{part.note}; a day writes as much as {hours:.3g} h of them", *notes[1:])
    model_file.generate(part.model, trace, seed=seed)
    return Planned([trace], hours, notes=notes)
