"""What is exported: a workload model, or windows of a trace as models that run in turn.

Model. The clusters of an archive come once each, by their first window in the trace, for as long as their share of its
time. Each is a model of streams (`stage.model_file.fit`) of the requests of its windows, without what leads into them.
Above `PHASES_MAX` clusters those that differ only by the number in their name are one, with windows by their weights.
Left out: the order of windows, and idle clusters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from drivecast.document.model import Model, Open, Stream
from drivecast.document.windows import Cluster
from drivecast.errors import InputError
from drivecast.exchange.losses import Losses
from drivecast.stage import model_file, windows_pass, windows_play
from drivecast.stage.windows_file import Archive

PHASES_MAX = 16
WINDOWS_MAX = 64
"""Windows of a phase, by their weights."""
SECONDS = 600
"""Length of a run."""


@dataclass(frozen=True)
class Phases:
    """Models that run one after another; a workload model alone is one."""

    name: str
    models: Sequence[Model]

    @property
    def span_bytes(self) -> int:
        """The size of the target."""
        return self.models[0].span_bytes

    @property
    def are_several(self) -> bool:
        """Whether one follows another."""
        return len(self.models) > 1


def alone(model: Model) -> Phases:
    """A workload model."""
    return Phases(model.name, [model])


def of_windows(losses: Losses, found: Archive, seconds: int | None) -> Phases:
    """The clusters of an archive in turn, in a run of so many seconds.

    Raises `InputError` where none has a request, or the run is too short for all.
    """
    groups = _groups(losses, found.header.clusters)
    requests = _requests(found)
    busy = [
        group for group in groups if any(len(requests[window]) for each in group for window in each.windows)
    ]
    if not busy:
        raise InputError("no window of the archive has a request: there is nothing to export")
    _idle(losses, groups, busy)
    weights = [sum(each.weight for each in group) for group in busy]
    lengths = _seconds(losses, weights, seconds or SECONDS)
    width = round(found.header.window_s * 1e9)
    models = [
        _model(found, group, requests, width, length) for group, length in zip(busy, lengths, strict=True)
    ]
    losses.add(None, "which window follows which: each cluster comes once")
    losses.add(None, "what leads into a window: a phase begins without a queue")
    return Phases(found.header.name, models)


def _groups(losses: Losses, clusters: Sequence[Cluster]) -> list[list[Cluster]]:
    """The clusters with a weight, by their first window; together where they are too many."""
    weighty = sorted((each for each in clusters if each.weight > 0), key=lambda each: min(each.windows))
    if len(weighty) <= PHASES_MAX:
        return [[each] for each in weighty]
    found: dict[str, list[Cluster]] = {}
    for each in weighty:
        found.setdefault(_family(each), []).append(each)
    for name, group in found.items():
        if len(group) > 1:
            low, high = (end(each.iops for each in group) for end in (min, max))
            losses.add(
                None, f"{len(group)} clusters `{name}` of {low:.4g} to {high:.4g} IOPS became one phase"
            )
    return list(found.values())


def _family(cluster: Cluster) -> str:
    """The name without the number at its end."""
    words = cluster.name.rpartition(" ")
    return words[0] if words[0] and words[2].isdigit() else cluster.name


def _idle(losses: Losses, groups: Sequence[Sequence[Cluster]], busy: Sequence[Sequence[Cluster]]) -> None:
    weight = [sum(each.weight for group in some for each in group) for some in (groups, busy)]
    if weight[1] < weight[0]:
        losses.add(None, f"idle windows, {1 - weight[1] / weight[0]:.1%} of the time, are left out")


def _requests(found: Archive) -> dict[int, pl.DataFrame]:
    """The requests of each window that is kept, from its start."""
    ends = windows_play.parts_ns(found.header)
    kept = {}
    for place, number in enumerate(windows_play.kept(found.header)):
        begin, end = ends[2 * place], ends[2 * place + 1]
        inside = found.rows.filter((pl.col("time_ns") > begin) & (pl.col("time_ns") <= end))
        kept[number] = inside.with_columns(pl.col("time_ns") - begin - 1)
    return kept


def _seconds(losses: Losses, weights: Sequence[float], total: int) -> list[int]:
    """Whole seconds by these weights, at least one each: the largest remainders are rounded up."""
    if total < len(weights):
        raise InputError(f"{total} s for {len(weights)} phases; expected {len(weights)} s at least")
    exact = [weight / sum(weights) * total for weight in weights]
    found = [max(1, int(value)) for value in exact]
    while (left := total - sum(found)) != 0:
        step = 1 if left > 0 else -1
        room = [at for at, length in enumerate(found) if length + step >= 1]
        most = max(room, key=lambda at: (step * (exact[at] - found[at]), -at))
        found[most] += step
    off = max(
        abs(length / total - weight / sum(weights)) for length, weight in zip(found, weights, strict=True)
    )
    if off > 0.005:
        losses.add(None, f"phases last whole seconds: a share of time is off by up to {off:.1%}")
    return found


def _model(
    found: Archive, group: Sequence[Cluster], requests: dict[int, pl.DataFrame], width: int, seconds: int
) -> Model:
    """The streams of the windows of a group, one window after another."""
    windows = list(_by_weight(group))
    at = [
        requests[window].with_columns(pl.col("time_ns") + place * width)
        for place, window in enumerate(windows)
    ]
    name = _family(group[0]) if len(group) > 1 else group[0].name
    load = windows_pass.played(pl.concat(at))
    fitted = model_file.fit(load, name)
    # A trace ends with its last request, and a window later.
    slower = (load.duration_s or 0.0) * 1e9 / (len(windows) * width)
    streams = [_stream(each, name, slower) for each in fitted.streams]
    update = {"streams": streams, "span_bytes": found.header.span_bytes, "duration_s": float(seconds)}
    return fitted.model_copy(update=update)


def _stream(stream: Stream, name: str, slower: float) -> Stream:
    arrivals = stream.arrivals
    if isinstance(arrivals, Open):
        arrivals = arrivals.model_copy(update={"rate_iops": arrivals.rate_iops * slower})
    return stream.model_copy(update={"name": f"{name}: {stream.name}", "arrivals": arrivals})


def _by_weight(group: Sequence[Cluster]) -> Iterator[int]:
    """Windows as often as they weigh, in at most `WINDOWS_MAX`; each once where all weigh the same."""
    windows = [window for each in group for window in each.windows]
    weights = np.array([each.weight / len(each.windows) for each in group for _ in each.windows])
    if len(windows) <= WINDOWS_MAX and np.ptp(weights) == 0:
        return iter(windows)
    picks = (np.arange(WINDOWS_MAX) + 0.5) / WINDOWS_MAX * weights.sum()
    return iter([windows[at] for at in np.searchsorted(np.cumsum(weights), picks)])
