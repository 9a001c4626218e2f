"""Windows in another order, or another number of them: more of a cluster, and passes of any length.

Model. `more` repeats each window of a cluster where it comes, k times on average (what is left of a fraction is carried
to the next). `drawn` makes a pass of another length as a chain of first order: what follows a window is what followed a
random window of the same cluster in the trace. Of a trace of a day or more, that was in the same hour of the day,
counted from its start. Weights follow from how often each cluster comes. What is played of each window is as it was.
A window that comes again has the same addresses, so a longer pass has the footprint of the trace.

Source of the chain: transitions of phases, as programs are sampled by (Sherwood and others, ASPLOS 2002).
"""

from collections.abc import Mapping

import numpy as np
import polars as pl
from numpy.typing import NDArray

from drivecast.document.windows import LENGTH_MAX_S, WINDOWS_MAX
from drivecast.errors import InputError
from drivecast.stage import windows_file
from drivecast.stage.windows_file import Archive

STREAM = 0x7475_726E
HOUR_S, DAY_S = 3600, 86400
TIMES_MAX = 1000.0

Whole = NDArray[np.int64]


def more(found: Archive, times: Mapping[str, float]) -> Whole:
    """The windows of a pass in turn, those of these clusters so many times as often.

    Raises `InputError` for clusters that there are not, and where no window is left.
    """
    names = [cluster.name for cluster in found.header.clusters]
    for name, value in times.items():
        if name not in names:
            raise InputError(f"no cluster `{name}`; there are {', '.join(f'`{each}`' for each in names)}")
        if not 0 <= value <= TIMES_MAX:
            raise InputError(f"`{name}` {value:.4g} times as often; expected 0 to {TIMES_MAX:g}")
    turns, order = _turns(found), _order(found)
    factor = np.array([times.get(name, 1.0) for name in names])
    again = np.zeros(len(turns), dtype=np.int64)
    for cluster, value in enumerate(factor):
        at = np.flatnonzero(order[turns] == cluster)
        again[at] = np.diff(np.floor(np.arange(len(at) + 1) * value + 0.5)).astype(np.int64)
    if again.sum() == 0:
        raise InputError("no window is left: at least one cluster must come more than 0 times")
    return np.repeat(turns, again)


def drawn(found: Archive, length_s: float, seed: int) -> Whole:
    """The windows of a pass of this length, in the order of a random chain.

    Raises `InputError` for a length that is none, or too long.
    """
    header = found.header
    if not length_s >= header.window_s:
        raise InputError(f"a length of {length_s:g} s; expected {header.window_s:g}, a window, at least")
    _check_length(length_s / header.window_s, header.window_s)
    turns, order = _turns(found), _order(found)
    hours = 24 if len(turns) * header.window_s >= DAY_S else 1
    hour = (np.arange(len(turns)) * header.window_s // HOUR_S).astype(np.int64) % hours
    of = _places(order[turns], hour, len(header.clusters))
    rng = np.random.default_rng([STREAM, seed])
    steps = rng.random(round(length_s / header.window_s))
    chain = np.empty(len(steps), dtype=np.int64)
    at = 0
    for step, number in enumerate(steps):
        chain[step] = at
        now = int(step * header.window_s // HOUR_S) % hours
        places = of.get((int(order[turns[at]]), now), of[-1, now])
        at = (int(places[int(number * len(places))]) + 1) % len(turns)
    found_turns: Whole = turns[chain]
    return found_turns


def _check_length(windows: float, window_s: float) -> None:
    if windows > WINDOWS_MAX or windows * window_s > LENGTH_MAX_S:
        most = min(WINDOWS_MAX * window_s, LENGTH_MAX_S)
        raise InputError(f"a pass of {windows * window_s:.0f} s; expected {most:.0f} s at most")


def _places(cluster: Whole, hour: Whole, clusters: int) -> dict[tuple[int, int], Whole]:
    """Where windows of each cluster are in each hour, of -1 all; the last has nothing that follows it."""
    found = {}
    for now in range(int(hour.max()) + 1):
        here = np.flatnonzero(hour[:-1] == now)
        found[-1, now] = here if len(here) else np.arange(max(1, len(hour) - 1))
        for each in range(clusters):
            of = here[cluster[here] == each]
            if len(of):
                found[each, now] = of
    return found


def archive(found: Archive, turns: Whole, said: str) -> Archive:
    """The archive with this pass; clusters that do not come any more weigh nothing.

    Raises `InputError` where it is too long, or no cluster is left.
    """
    header, order = found.header, _order(found)
    counts = [np.bincount(order[each], minlength=len(header.clusters)) for each in (_turns(found), turns)]
    clusters = [
        cluster.model_copy(update={"weight": cluster.weight * float(after / before) if before else 0.0})
        for cluster, before, after in zip(header.clusters, *counts, strict=True)
    ]
    if not any(cluster.weight for cluster in clusters):
        raise InputError("no cluster with a weight is left in the pass")
    _check_length(len(turns), header.window_s)
    requests = windows_file.requests_by_window(found)[turns].sum()
    update = {
        "clusters": clusters,
        "duration_s": len(turns) * header.window_s,
        "requests": int(requests),
        "changes": [*header.changes, said],
    }
    table = pl.DataFrame({"window": pl.Series(turns, dtype=pl.UInt32)})
    return Archive(header.model_copy(update=update), found.rows, found.order, found.map, table)


def _turns(found: Archive) -> Whole:
    return found.turns["window"].to_numpy().astype(np.int64)


def _order(found: Archive) -> Whole:
    return found.order["cluster"].to_numpy().astype(np.int64)
