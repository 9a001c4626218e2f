"""Windows of a trace that represent all of it: cut, compared on a panel of devices, chosen, and described.

The trace is cut into windows of equal length: `WINDOWS` are tried, and so many times as many for a long trace that a
window has `REQUESTS_MAX` requests at most on average. Of each, `KEPT` are tried. The fewest requests that keep the
error that is asked are taken, or those that give the least. The error is that of windows as they are played on each
device of the panel, chosen by the others.

What leads into a window begins where every device of the panel was idle, or `LEAD_MAX` windows before, so that queues
are as they were; and one window before at least, for what a device remembers longer than its queue.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast import _core
from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import Op
from drivecast.document.windows import Cluster, Estimate, Windows
from drivecast.errors import HintedError
from drivecast.model import choice, measures, panel, reference
from drivecast.stage import address_map, windows_file
from drivecast.stage.windows_file import Archive
from drivecast.thread import over_cores

WINDOWS = (240, 480, 960, 1920)
KEPT = (12, 24, 36, 48, 72, 96)
"""Numbers of windows that are tried."""
REQUESTS_MAX = 2000
BUSY_MIN = 10
"""Windows with requests below which there is nothing to choose among."""
LEAD_MAX = 4

Progress = Callable[[float, str], None]
Whole = NDArray[np.int64]


@dataclass(frozen=True)
class Cut:
    """A trace cut into windows."""

    windows: int
    width_ns: int
    time_ns: Whole
    """Of each request."""
    leads_ns: Whole
    """What leads into each window."""

    @property
    def window(self) -> Whole:
        """Of each request."""
        return self.time_ns // self.width_ns

    def spans(self, chosen: Sequence[int]) -> list[tuple[int, int]]:
        """What is played where these windows are kept, in ns."""
        return windows_file.spans({number: int(self.leads_ns[number]) for number in chosen}, self.width_ns)

    def requests(self, chosen: Sequence[int]) -> int:
        """How many are played."""
        bounds = np.searchsorted(self.time_ns, np.array(self.spans(chosen)))
        return int((bounds[:, 1] - bounds[:, 0]).sum())


@dataclass(frozen=True)
class Candidate:
    """A cut, and a number of windows to keep of it."""

    cut: Cut
    keep: int
    fared: list[panel.Fared]
    choice: choice.Choice
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
) -> tuple[Candidate, dict[choice.Figure, list[float]]]:
    """The fewest requests that keep the error, or those with the least error; and what they were off when played."""
    candidates = _candidates(of, seed)
    least = None
    for place, each in enumerate(candidates):
        update(place / len(candidates))
        choices = choice.left_out(each.fared, each.keep, seed)
        if place + 1 < len(candidates) and choice.error(choice.off(each.fared, choices)) > within:
            continue
        off = _off(of, each.cut, choices)
        if least is None or choice.error(off) < choice.error(least[1]):
            least = (each, off)
        if choice.error(off) <= within:
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
        cut = _cut(time_ns, idle, windows)
        fared = panel.fared(of.played, ops, cut.window, windows)
        for keep in KEPT:
            chosen = choice.choose(fared, keep, seed)
            found.append(Candidate(cut, keep, fared, chosen, cut.requests(chosen.chosen)))
    return sorted(found, key=lambda each: each.requests)


def _off(of: Trace, cut: Cut, choices: Mapping[str, choice.Choice]) -> dict[choice.Figure, list[float]]:
    """What windows are off where they are played, on each device by a choice that did not see it."""

    def play(played: panel.Played) -> list[tuple[choice.Figure, float]]:
        chosen = choices[played.device.design]
        over, weight = cut.spans(chosen.chosen), chosen.weights(cut.windows)
        counts = [int(weight[number]) for number in sorted(chosen.chosen)]
        rows = windows_file.play(of.rows, over)
        load = windows_file.weighed(rows, of.load, windows_file.ends_ns(over, cut.width_ns), counts)
        return panel.off(played, reference.play(played.device, load, of.catalog), choice.QUANTILES)

    found: dict[choice.Figure, list[float]] = {}
    for figures in over_cores(play, [each for each in of.played if each.device.design in choices]):
        for figure, value in figures:
            found.setdefault(figure, []).append(value)
    return found


def _cut(time_ns: Whole, idle: NDArray[np.bool_], windows: int) -> Cut:
    width = math.ceil(int(time_ns[-1]) / windows + 1)
    starts = np.arange(windows) * width
    since = time_ns[np.maximum.accumulate(np.where(idle, np.arange(len(time_ns)), 0))]
    first = np.searchsorted(time_ns, starts)
    busy = np.where(first < len(time_ns), starts - since[np.minimum(first, len(time_ns) - 1)], 0)
    return Cut(windows, width, time_ns, np.minimum(np.clip(busy, width, LEAD_MAX * width), starts))


def _archive(
    of: Trace,
    found: Candidate,
    off: Mapping[choice.Figure, Sequence[float]],
    name: str,
    trace_hash: str,
) -> Archive:
    cut, window_s = found.cut, found.cut.width_ns / 1e9
    figures = _figures(of.rows, cut)
    clusters = [
        _cluster(group, number, figures, cut)
        for group, number in zip(found.choice.groups, found.choice.chosen, strict=True)
    ]
    names = _names(clusters)
    order = np.zeros(cut.windows, dtype=np.uint16)
    for place, group in enumerate(found.choice.groups):
        order[group] = place
    table, rate = address_map.sample(of.rows, cut.width_ns)
    header = Windows(
        name=name,
        trace_hash=trace_hash,
        requests=int(figures["requests"].sum()),
        duration_s=of.load.duration_s or 0.0,
        span_bytes=of.load.span_bytes or 0,
        window_s=window_s,
        windows=cut.windows,
        map_rate=rate,
        chunk_bytes=address_map.CHUNK_BYTES,
        error=choice.error(off),
        estimates=[_estimate(op, share, values) for (op, share), values in off.items()],
        clusters=[each.model_copy(update={"name": text}) for each, text in zip(clusters, names, strict=True)],
    )
    played = windows_file.play(of.rows, windows_file.spans_ns(header))
    return Archive(header, played, pl.DataFrame({"cluster": order}), table)


def _estimate(op: Op, share: float, off: Sequence[float]) -> Estimate:
    return Estimate(op=op, quantile=share, error=math.expm1(max(abs(value) for value in off)))


def _figures(rows: pl.DataFrame, cut: Cut) -> pl.DataFrame:
    """Requests, reads and bytes of each window."""
    data = measures.requests(rows)
    counted = data.group_by((pl.col("time_ns") // cut.width_ns).alias("window")).agg(
        requests=pl.len(), reads=(pl.col("op") == "read").sum(), bytes=pl.col("size_bytes").sum()
    )
    every = pl.DataFrame({"window": pl.Series(range(cut.windows), dtype=pl.Int64)})
    return every.join(counted, on="window", how="left").fill_null(0).sort("window")


def _cluster(group: Sequence[int], number: int, figures: pl.DataFrame, cut: Cut) -> Cluster:
    of = figures[list(group)]
    requests, reads, moved = (int(of[name].sum()) for name in ("requests", "reads", "bytes"))
    length_s = cut.width_ns / 1e9 * len(group)
    return Cluster(
        name="",
        weight=len(group),
        windows=[number],
        leads_s=[int(cut.leads_ns[number]) / 1e9],
        iops=requests / length_s,
        bytes_per_s=moved / length_s,
        read_fraction=reads / requests if requests else 0.0,
    )


def _names(clusters: Sequence[Cluster]) -> list[str]:
    """What each is: `idle`, or how its load, mix and sizes compare with the mean."""
    total = sum(cluster.weight for cluster in clusters)

    def mean(figure: Callable[[Cluster], float]) -> float:
        return sum(cluster.weight * figure(cluster) for cluster in clusters) / total

    iops, rate = mean(lambda cluster: cluster.iops), mean(lambda cluster: cluster.bytes_per_s)
    reads = mean(lambda cluster: cluster.iops * cluster.read_fraction) / iops
    counts: dict[str, int] = {}
    found = []
    for cluster in clusters:
        words = ["busy" if cluster.iops > 2 * iops else "quiet" if cluster.iops < iops / 2 else "usual"]
        if cluster.read_fraction > reads + 0.2:
            words.append("reads")
        if cluster.read_fraction < reads - 0.2:
            words.append("writes")
        if cluster.iops and cluster.bytes_per_s / cluster.iops > 2 * rate / iops:
            words.append("large")
        text = " ".join(words) if cluster.iops else "idle"
        counts[text] = counts.get(text, 0) + 1
        found.append(f"{text} {counts[text]}")
    return found
