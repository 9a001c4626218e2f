"""Windows of a trace that represent all of it: cut, compared on a panel of devices, chosen, and described.

The trace is cut into windows of equal length: `WINDOWS` are tried, and so many times as many for a long trace that a
window has `REQUESTS_MAX` requests at most on average. Of each, `KEPT` are tried, if no more than `PLAYED_MAX`
requests are to be played. The fewest requests that keep the error that is asked are taken, or those that give the
least. The error is that of windows as they are played on each device of the panel, chosen by the others.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from drivecast import _core
from drivecast.assess.latency_interval import one_more
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import Op
from drivecast.document.windows import Estimate, Windows
from drivecast.errors import HintedError
from drivecast.model import panel, reference, trace_measures, window_choice
from drivecast.model.clusters import described, remarks
from drivecast.model.window_split import WindowSplit, cut
from drivecast.stage import windows_file, windows_pass, windows_play
from drivecast.stage.windows_file import Archive
from drivecast.thread import over_cores

WINDOWS = (240, 480, 960, 1920)
KEPT = (12, 24, 36, 48, 72, 96)
"""Numbers of windows that are tried."""
REQUESTS_MAX = 500
PLAYED_MAX = 400_000
"""Requests to be played, at most: a run does not take longer for a longer trace."""
BUSY_MIN = 10
"""Windows with requests below which there is nothing to choose among."""
OFF_MAX = math.log(2)
"""What a device of the panel may be off, as it counts for an interval: beyond that it is overloaded for a while."""

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class Candidate:
    """A cut, and a number of windows to keep of it."""

    cut: WindowSplit
    keep: int
    fared: list[panel.Fared]
    choice: window_choice.Choice
    requests: int
    """To be played."""


@dataclass(frozen=True)
class Trace:
    """A trace, and how it fares on the panel."""

    load: _core.Workload
    rows: pl.DataFrame
    played: list[panel.Played]
    catalog: Catalog


def fit(
    trace: _core.Workload,
    name: str,
    trace_hash: str,
    catalog: Catalog,
    *,
    within: float,
    seed: int,
    update: Progress,
) -> Archive:
    """Fit windows to a trace; `within` is what quantiles of latency may be off, as a factor less 1.

    Raises `InputError` for a trace without times, or one too short to choose from.
    """
    duration_s = trace.duration_s or 0.0
    if duration_s <= 0:
        raise HintedError("windows need the times of requests, and this trace has none", "`--kind streams`")
    rows = pl.DataFrame(trace.rows())
    _long_enough(rows, duration_s)
    update(0.0, "playing the trace on a panel of devices")
    of = Trace(trace, rows, panel.played(trace, catalog), catalog)
    update(0.2, "choosing windows")
    found, off = _chosen(of, within, seed, lambda share: update(0.2 + 0.7 * share, "choosing windows"))
    update(0.9, "mapping addresses")
    return _archive(of, found, off, name, trace_hash)


def _long_enough(rows: pl.DataFrame, duration_s: float) -> None:
    width = math.ceil(duration_s * 1e9 / WINDOWS[0] + 1)
    busy = rows.select((pl.col("time_ns") // width).n_unique()).item()
    if busy < BUSY_MIN:
        raise HintedError(
            f"expected requests in {BUSY_MIN} of {WINDOWS[0]} windows at least, found {busy}",
            "`--kind streams`",
        )


def _chosen(
    of: Trace, within: float, seed: int, update: Callable[[float], None]
) -> tuple[Candidate, dict[window_choice.Figure, list[float]]]:
    """The fewest requests that keep the error, or those with the least error; and what they were off when played."""
    candidates = _candidates(of, seed)
    least = None
    for place, each in enumerate(candidates):
        update(place / len(candidates))
        choices = window_choice.left_out(each.fared, each.keep, seed)
        if (
            place + 1 < len(candidates)
            and window_choice.error(window_choice.off(each.fared, choices)) > within
        ):
            continue
        off = _off(of, each.cut, choices)
        if least is None or window_choice.error(off) < window_choice.error(least[1]):
            least = (each, off)
        if window_choice.error(off) <= within:
            break
    return least  # type: ignore[return-value]


def _candidates(of: Trace, seed: int) -> list[Candidate]:
    """Cuts and numbers of windows, by the requests that are to be played."""
    time_ns = of.rows["time_ns"].to_numpy().astype(np.int64)
    ops = of.rows["op"].cast(pl.String).to_numpy()
    idle = np.logical_and.reduce([each.idle(time_ns) for each in of.played])
    times = -(-len(of.rows) // (WINDOWS[-1] * REQUESTS_MAX))
    found = []
    for windows in (times * number for number in WINDOWS):
        parts = cut(time_ns, idle, windows)
        fared = panel.fared(of.played, ops, parts.window, windows)
        for keep in KEPT:
            chosen = window_choice.choose(fared, keep, seed)
            found.append(Candidate(parts, keep, fared, chosen, parts.requests(chosen.chosen)))
    found.sort(key=lambda each: each.requests)
    return [each for each in found if each.requests <= PLAYED_MAX] or found[:1]


def _off(
    of: Trace, parts: WindowSplit, choices: Mapping[str, window_choice.Choice]
) -> dict[window_choice.Figure, list[float]]:
    """What windows are off where they are played, on each device by a choice that did not see it."""

    def play(played: panel.Played) -> list[tuple[window_choice.Figure, float]]:
        chosen = choices[played.device.design]
        over, weight = parts.spans(chosen.chosen), chosen.weights(parts.windows)
        counts = [int(weight[number]) for number in sorted(chosen.chosen)]
        rows = windows_play.play(of.rows, over)
        load = windows_pass.weighed(rows, of.load, windows_play.ends_ns(over, parts.width_ns), counts)
        return panel.off(played, reference.play(played.device, load, of.catalog), window_choice.QUANTILES)

    found: dict[window_choice.Figure, list[float]] = {}
    for figures in over_cores(play, [each for each in of.played if each.device.design in choices]):
        for figure, value in figures:
            found.setdefault(figure, []).append(value)
    return found


def _archive(
    of: Trace,
    found: Candidate,
    off: Mapping[window_choice.Figure, Sequence[float]],
    name: str,
    trace_hash: str,
) -> Archive:
    parts = found.cut
    data, duration_s = trace_measures.requests(of.rows), of.load.duration_s or 0.0
    clusters = described(data, parts, found.choice)
    order = np.zeros(parts.windows, dtype=np.uint16)
    for place, group in enumerate(found.choice.groups):
        order[group] = place
    header = Windows(
        name=name,
        trace_hash=trace_hash,
        requests=len(data),
        duration_s=duration_s,
        span_bytes=of.load.span_bytes or 0,
        window_s=parts.width_ns / 1e9,
        windows=parts.windows,
        map_rate=1,
        error=window_choice.error(off),
        estimates=[_estimate(op, share, values) for (op, share), values in off.items()],
        remarks=remarks(data, duration_s, found.fared, found.choice, clusters),
        clusters=clusters,
    )
    played = windows_play.play(of.rows, windows_play.spans_ns(header))
    turns = pl.DataFrame({"window": np.arange(parts.windows, dtype=np.uint32)})
    archive = Archive(header, played, pl.DataFrame({"cluster": order}), pl.DataFrame(), turns)
    return windows_file.mapped(archive, of.rows)


def _estimate(op: Op, share: float, off: Sequence[float]) -> Estimate:
    """The interval of one more device; a factor above two is counted as two, and 1 is always within."""
    cut = [-min(max(value, -OFF_MAX), OFF_MAX) for value in off]
    low, high = one_more(cut, len(cut)) if len(cut) > 1 else (math.exp(-OFF_MAX), math.exp(OFF_MAX))
    return Estimate(op=op, quantile=share, low=min(low, 1.0), high=max(high, 1.0))
