"""What may be wanted of windows, in one call: rate and mix, then footprint, then more of a cluster, then length."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from drivecast.errors import InputError
from drivecast.model.change import growth, rate, stretches, window_order
from drivecast.model.change.stretches import Tables
from drivecast.quantity import number
from drivecast.stage.windows_file import Archive

By = Literal["copies", "time"]
PAGE_BYTES = 4096


@dataclass(frozen=True)
class Wanted:
    """Changes; the defaults change nothing."""

    rate: float = 1.0
    by: By = "copies"
    reads: float | None = None
    """The share of reads."""
    same_data: bool = False
    footprint: float = 1.0
    more: Mapping[str, float] = field(default_factory=dict)
    """How many times as often each of these clusters comes."""
    length_s: float | None = None

    def __post_init__(self) -> None:
        if self.by == "time" and (self.reads is not None or self.same_data):
            raise InputError(
                "by time the mix and the data stay: leave out the share of reads and `same data`"
            )


def changed(found: Archive, wanted: Wanted, seed: int) -> Archive:
    """The archive with all that is wanted.

    Raises `InputError` for what cannot be, or where nothing is wanted.
    """
    if wanted == Wanted():
        raise InputError("expected a change: of rate, reads, footprint, more of a cluster, or length")
    if wanted.rate != 1 or wanted.reads is not None:
        found = _at_rate(found, wanted)
    if wanted.footprint != 1:
        before = stretches.of(found)
        grown = growth.grown(before, wanted.footprint, seed)
        said = _of_growth(before, grown, wanted.footprint)
        found = stretches.archive(found, grown, found.turns, said)
    if wanted.more:
        found = window_order.archive(found, window_order.more(found, wanted.more), _of_more(wanted.more))
    if wanted.length_s is not None:
        drawn = window_order.drawn(found, wanted.length_s, seed)
        found = window_order.archive(found, drawn, _of_length(wanted.length_s))
    return found


def _at_rate(found: Archive, wanted: Wanted) -> Archive:
    before = stretches.of(found)
    if wanted.by == "time":
        after = rate.faster(before, wanted.rate)
        return stretches.archive(found, after, found.turns, _of_time(wanted.rate))
    factors = rate.mixed(before, wanted.rate, wanted.reads)
    after = rate.multiplied(before, factors, same_data=wanted.same_data)
    return stretches.archive(found, after, found.turns, _of_rate(factors, same_data=wanted.same_data))


def _of_time(times: float) -> str:
    return (
        f"rate: all times divided by {times:g}; requests, their order, addresses, runs and reuse are as they were; "
        "bursts come as much faster, and a pass is as much shorter"
    )


def _of_rate(factors: rate.Factors, *, same_data: bool) -> str:
    kept = "sizes, runs within 1 MiB and the length of a pass are as they were"
    if same_data:
        data = "on the same data: the footprint is about the same, reuse and update distances are not"
    else:
        data = "each with data of its own: reuse and update distances are those of each alone"
    return (
        f"rate: reads times {factors.read:.4g}, writes times {factors.write:.4g}, by {factors.copies} "
        f"{'copy' if factors.copies == 1 else 'copies'} of each window, the last in part, {data}; {kept}; what users "
        "have in common besides devices is left out"
    )


def _of_growth(before: Tables, after: Tables, times: float) -> str:
    pages = [_pages(each.whole.rows) * PAGE_BYTES for each in (before, after)]
    return (
        f"footprint: extents of 16 MiB times {times:g}; what is accessed grows from {number.size(pages[0])} to "
        f"{number.size(pages[1])}; rates, times, sizes and runs within an extent are as they were; what was accessed "
        "in a single window is no more than it was"
    )


def _pages(rows: pl.DataFrame) -> int:
    """Pages in which requests begin."""
    return (rows.filter(pl.col("size_bytes") > 0)["offset_bytes"] // PAGE_BYTES).n_unique()


def _of_more(times: Mapping[str, float]) -> str:
    parts = ", ".join(f"`{name}` {value:g} times as often" for name, value in times.items())
    return (
        f"mix: {parts}; windows are as they were, and come again at the same addresses; what comes before and after "
        "is not"
    )


def _of_length(length_s: float) -> str:
    return (
        f"length: a pass of {number.duration(length_s)}, each window followed by what followed one of its cluster, in "
        "the same hour of the day where the trace has a day; windows are as they were, and come again at the same "
        "addresses; trends are left out"
    )
