"""A quick look carried out: choose, lay out, measure, and look at what came."""

import time
from contextlib import ExitStack
from pathlib import Path

from drivecast.bench.campaign import carry_out, decides
from drivecast.bench.environment import machine
from drivecast.bench.fio import program
from drivecast.bench.job import Engine, Measure
from drivecast.bench.journal import Journal, Store, begun
from drivecast.bench.progress import Progress
from drivecast.bench.quick import runs
from drivecast.bench.quick.diagnosis import diagnosed
from drivecast.bench.quick.file_size import BYTES_MIN, chosen
from drivecast.bench.target import Target, opened
from drivecast.document.result import Result
from drivecast.quantity import number

PAGE_S = 12.0
"""Kept for the start of the program and for drawing the page, on a machine that is busy."""
LAYOUT_SHARE = 0.3
"""Of the time, what laying out may take at most; a disk that turns out slower gets a smaller file."""


def look(
    folder: Path,
    within_s: float,
    measure: Measure,
    engine: tuple[Engine, list[str]],
    seed: int,
    store: Store,
    update: Progress,
) -> Result:
    """Look at the disk behind `folder` within `within_s` seconds, with an `engine` and why it was chosen.

    Raises `InputError` for a place that cannot be measured; what was measured until then is kept.
    """
    end_s = time.monotonic() + within_s - PAGE_S
    choice = chosen(folder, within_s)
    jobs = runs.jobs(engine[0], seed)
    with ExitStack() as stack:
        target, laid_out = _laid_out(stack, folder, choice.size_bytes, within_s * LAYOUT_SHARE, update)
        clock = runs.Clock(end_s - time.monotonic(), runs.weights(jobs))
        reasons = [
            *engine[1],
            *choice.reasons,
            *laid_out,
            f"{len(jobs)} runs of up to {runs.RUN_S_MAX:g} s, one of them {runs.LONG:g} times as long: as much as "
            f"{number.duration(within_s)} allow; a fifth of each is left out of its figures",
        ]
        result = begun(
            "quick",
            f"quick look at {folder}",
            decides(jobs, [str(folder)], choice.size_bytes),
            seed,
            {**machine(), "fio": program.found(engine[0]).version},
            target.row(str(folder)),
        )

        journal = Journal(result, store, lambda points: diagnosed(points, reasons), len(jobs))
        return carry_out(jobs, [target], clock.timed(measure), journal, update)


class _SlowError(Exception):
    """Laying out takes too long."""


def _laid_out(
    stack: ExitStack, folder: Path, size_bytes: int, within_s: float, update: Progress
) -> tuple[Target, list[str]]:
    """The file, made smaller where the disk turns out slower than the probe; and the reason."""
    begun_s, share = time.monotonic(), 0.0

    def watched(done: float, what: str) -> None:
        nonlocal share
        share = done
        if time.monotonic() - begun_s > within_s:
            raise _SlowError
        update(0.0, what)

    def made(need_bytes: int, report: Progress) -> Target:
        return stack.enter_context(
            opened(str(folder), need_bytes=need_bytes, writes=True, destroy=None, update=report)
        )

    try:
        return made(size_bytes, watched), []
    except _SlowError:
        smaller = max(BYTES_MIN, int(share * size_bytes / 4))
        target = made(smaller, lambda _done, what: update(0.0, what))
        return target, [
            f"then {number.size(target.bytes)} only: the disk wrote more slowly than in the probe"
        ]
