"""A pass of a workload model as a trace in a file, for what reads traces and nothing else.

What is made has no latencies: a model says what is asked for, and not how long a device took. A closed loop waits for a
device, and is given one that always takes as long (`_core`, a flash drive's read): its rate is assumed, and that is
noted. So it is where a model makes more requests than are held in memory, and is cut to its busiest part.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from drivecast.document.model import Closed
from drivecast.document.profile import Profile
from drivecast.document.windows import SUFFIX
from drivecast.errors import InputError
from drivecast.lock import temporary_folder
from drivecast.source.locate import Progress
from drivecast.stage import model_file, model_part, trace
from drivecast.stage.trace import AS_IT_IS, Reading

MODELS = (".toml", SUFFIX)
"""How the names of models end."""


class Made(NamedTuple):
    """What a pass is."""

    requests: int
    length_s: float
    notes: tuple[str, ...] = ()


def is_model(path: Path | str) -> bool:
    """Whether this names a model: a file by its ending, or one that comes with the program."""
    return model_file.shipped(Path(path)).suffix in MODELS


def generate(path: Path, out: Path, *, seed: int = 0, seconds: float | None = None) -> Made:
    """Write a pass of a model as Parquet, whole or not at all: of so many seconds, or of its own length.

    Raises `InputError` for a model that is none, a file that cannot be written, and a length for windows, whose pass is
    as long as their trace.
    """
    if path.suffix == SUFFIX:
        if seconds is not None:
            raise InputError("--seconds: windows make a pass as long as their trace")
        from drivecast.stage import windows_file, windows_pass  # noqa: PLC0415 (slow to import, and few runs need it)

        return Made(*windows_pass.generate(windows_file.read(path), out))
    model = model_file.load(str(path))
    part = model_part.cut(model) if seconds is None else model_part.Cut(model)
    return Made(*model_file.generate(part.model, out, seed=seed, seconds=seconds), remarks(part))


def remarks(part: model_part.Cut) -> tuple[str, ...]:
    """What is to be said of a trace made from streams: that it is a part, that its rate is not the model's."""
    waiting = [stream.name for stream in part.model.streams if isinstance(stream.arrivals, Closed)]
    assumed = f"of {', '.join(waiting)} the rate is assumed: these wait for a device, and a model has none"
    return (*([part.note] if part.note else ()), *([assumed] if waiting else ()))


def profile(
    logs: Sequence[Path | str],
    reading: Reading = AS_IT_IS,
    progress: Progress | None = None,
    *,
    peak_window_s: float = 60.0,
    seed: int = 0,
) -> Profile:
    """The profile of a log, as `trace.profile` has it, or of a pass of a model.

    Raises `InputError` for what is not understood, and for a model next to others.
    """
    with _as_logs(logs, seed) as (files, notes):
        found = trace.profile(files, reading, progress, peak_window_s=peak_window_s)
    return found.noted(list(notes))


@contextmanager
def _as_logs(logs: Sequence[Path | str], seed: int) -> Iterator[tuple[Sequence[Path | str], tuple[str, ...]]]:
    if not any(is_model(log) for log in logs):
        yield logs, ()
        return
    if len(logs) != 1:
        raise InputError(f"a model is profiled alone, found {len(logs)} logs")
    path = model_file.shipped(Path(logs[0]))
    with temporary_folder("drivecast-model-") as folder:
        file = folder / f"{path.stem}.parquet"
        made = generate(path, file, seed=seed)
        what = (
            f"a trace of {made.requests:,} requests, made from the model `{path.stem}`: it has no latencies"
        )
        yield [file], (what, *made.notes)
