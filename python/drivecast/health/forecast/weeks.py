"""From the days of a counter to the blocks that the filter reads.

A block is a whole number of weeks, so that what recurs each week cancels, and ends at the last sample. It is one week
where that suffices; two, four or eight for a drive that leaves whole weeks out between its writes, or is read so
seldom that most edges of shorter blocks lie far from any sample; the whole history where it is two samples far apart.
A change of workload cuts its block: days before the change are left out. What a drive wrote before its history began,
over the hours it was powered on, is one more block, with a change of workload assumed between.
"""

from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from drivecast.document.drive_health import LIFETIME_DAYS_MIN
from drivecast.health.forecast.day_grid import Floats, Grid
from drivecast.health.forecast.local_level import Blocks

WEEKS = (1, 2, 4, 8)
EDGES_NEAR_SHARE = 0.7


def blocks(grid: Grid, marks: NDArray[np.bool_], step: Floats, lifetime: tuple[Floats, Floats]) -> Blocks:
    """Cut every drive's days into blocks of the length that suits it.

    `marks` are the first days of new levels; `lifetime` is bytes written and days powered on before the history,
    NaN where not known.
    """
    length = _length(grid, step)
    parts: list[tuple[NDArray[np.int64], Blocks]] = []
    for weeks in WEEKS:
        rows = np.flatnonzero(length == 7 * weeks)
        if rows.size:
            parts.append((rows, _cut(grid, marks, step, rows, 7 * weeks)))
    width = max((part.days.shape[1] for _, part in parts), default=0) + 2
    logarithm, days, counting, centre = np.zeros((4, len(length), width))
    whole = Blocks(logarithm, days, counting, centre, np.zeros((len(length), width), dtype=bool))
    for rows, part in parts:
        right = slice(width - 1 - part.days.shape[1], width - 1)
        for field in fields(Blocks):
            getattr(whole, field.name)[rows, right] = getattr(part, field.name)
    _add_whole(whole, grid, step)
    _add_lifetime(whole, grid, step, lifetime)
    return whole


def _add_whole(whole: Blocks, grid: Grid, step: Floats) -> None:
    """Take the history as one block where it has no block of its own: two samples far apart."""
    bare = np.flatnonzero((whole.days[:, 1:] == 0).all(axis=1) & (grid.span >= 1.0))
    span = grid.span[bare]
    written = np.maximum(grid.total[bare, -1] - grid.first[bare], step[bare] / 2)
    if whole.days.shape[1] > 1:
        whole.logarithm[bare, -1] = np.log(written / span)
        whole.days[bare, -1] = span
        whole.counting[bare, -1] = step[bare] ** 2 / 6 / written**2
        whole.centre[bare, -1] = span / 2


def _length(grid: Grid, step: Floats) -> NDArray[np.int64]:
    """Days of a block, for each drive."""
    chosen = np.zeros(len(grid.span), dtype=np.int64)
    for weeks in WEEKS:
        days = 7 * weeks
        edges = np.arange(grid.total.shape[1] - 1, -1, -days)[::-1]
        rises = np.diff(grid.total[:, edges], axis=1)
        written, known = rises >= step[:, None], np.isfinite(rises)
        after = np.maximum.accumulate(written, axis=1)
        before = np.maximum.accumulate(written[:, ::-1], axis=1)[:, ::-1]
        pause = (known & ~written & after & before).any(axis=1)
        inside = np.isfinite(grid.total[:, edges])
        near = ((grid.gap[:, edges] <= max(1.0, days / 4)) & inside).sum(axis=1)
        suits = ~pause & (near >= EDGES_NEAR_SHARE * np.maximum(inside.sum(axis=1), 1))
        chosen[(chosen == 0) & suits] = days
    # Nothing suits: the longest of which the history holds two.
    longest = 7 * 2 ** np.floor(np.log2(np.clip(grid.span / 14, 1, WEEKS[-1]))).astype(np.int64)
    return np.where((chosen == 0) | (chosen > longest), longest, chosen)


def _cut(grid: Grid, marks: NDArray[np.bool_], step: Floats, rows: NDArray[np.int64], length: int) -> Blocks:
    total, gap = grid.total[rows], grid.gap[rows]
    days = total.shape[1] - 1
    count = -(-days // length)
    column = np.arange(count * length).reshape(count, length) - (count * length - days)
    first = days - np.isfinite(total[:, :-1]).sum(axis=1) if days else np.zeros(len(rows), dtype=np.int64)
    new = np.zeros((len(rows), count * length), dtype=bool)
    new[:, count * length - days :] = marks[rows]
    place = np.where(new.reshape(len(rows), count, length), column, -1).max(axis=2, initial=-1)
    end = (column[:, -1] + 1)[None, :]
    start = np.maximum(np.maximum(place, column[:, 0]), first[:, None]).clip(0)
    known = start < end
    at = np.minimum(start, days)
    ends = np.broadcast_to(end, start.shape)
    near = max(1.0, length / 4)
    usable = known & (np.take_along_axis(gap, at, 1) <= near) & (np.take_along_axis(gap, ends, 1) <= near)
    width = np.where(usable, end - start, 0).astype(np.float64)
    written = np.take_along_axis(total, ends, 1) - np.take_along_axis(total, at, 1)
    bytes_ = np.maximum(np.where(usable, written, 1.0), step[rows, None] / 2)
    jumped = (place >= 0) & known
    # A jump inside a block that is left out still lies before the next one that is read.
    return Blocks(
        np.log(bytes_ / np.maximum(width, 1.0)),
        width,
        step[rows, None] ** 2 / 6 / bytes_**2,
        (days - (start + end) / 2) * np.ones_like(width),
        _carried(jumped, usable),
    )


def _carried(jumped: NDArray[np.bool_], usable: NDArray[np.bool_]) -> NDArray[np.bool_]:
    found = jumped.copy()
    for k in range(1, found.shape[1]):
        found[:, k] |= found[:, k - 1] & ~usable[:, k - 1]
    return found


def _add_lifetime(whole: Blocks, grid: Grid, step: Floats, lifetime: tuple[Floats, Floats]) -> None:
    """Put the life before the history into the first column, and a change of workload behind it."""
    written, days = lifetime
    with np.errstate(invalid="ignore"):
        known = (days >= LIFETIME_DAYS_MIN) & (written > step)
    bytes_, length = np.where(known, written, 1.0), np.where(known, days, 1.0)
    whole.logarithm[:, 0] = np.log(bytes_ / length)
    whole.days[:, 0] = np.where(known, length, 0.0)
    whole.counting[:, 0] = np.where(known, step**2 / 6 / bytes_**2, 0.0)
    whole.centre[:, 0] = grid.span + length / 2
    whole.jumped[:, 1] |= known
    whole.jumped[:] = _carried(whole.jumped, whole.days > 0)
