"""Kinds of workload, by which errors are listed: a prediction that holds for small random reads may not for others.

Five words, each from figures that a measured and a simulated run both have:

| word | rule |
|---|---|
| `sequential`, `random` | at least half of the requests begin where one of the last 16 runs ended (a line: its name) |
| `read`, `mixed`, `write` | at least 95 % of the requests are reads; in between; at most 5 % |
| `small`, `large` | the mean request is up to 32 KiB; above |
| `closed`, `open` | a next request waits for one to complete; or requests come at their own times |
| `shallow`, `deep` | up to four outstanding in the mean; more |

The limits are `assumed`: they part what devices treat unlike (command overhead against transfer, a queue that can be
reordered against one that cannot), and stay as they are, so that errors of years can be joined.
"""

from collections import deque

import polars as pl

from drivecast.compare.predict import load_of
from drivecast.document.comparison import Run
from drivecast.document.outcome import OPS, Outcome
from drivecast.errors import InputError
from drivecast.stage.simulate import is_line
from drivecast.stage.trace import AS_IT_IS, Reading

SEQUENTIAL_MIN = 0.5
READ_MIN = 0.95
SMALL_BYTES_MAX = 32 * 1024
SHALLOW_MAX = 4.0
RUNS_OPEN = 16
"""Streams that are followed at a time, as a profile does."""


def of(run: Run, reading: Reading = AS_IT_IS) -> str:
    """The kind of a run: `random-read-small-closed-deep`; a trace or model that is not here counts as random."""
    line = run.workload or ""
    if is_line(line):
        sequential, open_loop = line.startswith("sequential"), "rate=" in line.replace(" ", "")
    else:
        sequential = sequential_fraction(run, reading) >= SEQUENTIAL_MIN
        open_loop = not run.settings.get("iodepth") and not run.settings.get("own_depth")
    return classed(run.outcomes[0], sequential=sequential, open_loop=open_loop)


def classed(outcome: Outcome, *, sequential: bool, open_loop: bool) -> str:
    """The kind of an outcome, with what the outcome does not hold."""
    reads, writes = outcome.read.requests, outcome.write.requests
    share = reads / (reads + writes) if reads + writes else 0.0
    size = outcome.throughput_bytes_per_s / outcome.iops if outcome.iops else 0.0
    words = (
        "sequential" if sequential else "random",
        "read" if share >= READ_MIN else "write" if share <= 1 - READ_MIN else "mixed",
        "small" if size <= SMALL_BYTES_MAX else "large",
        "open" if open_loop else "closed",
        "shallow" if _depth(outcome) <= SHALLOW_MAX else "deep",
    )
    return "-".join(words)


def _depth(outcome: Outcome) -> float:
    """Mean outstanding; by Little's law where the outcome does not state it."""
    if outcome.queue_depth_mean is not None:
        return outcome.queue_depth_mean
    return sum(outcome.stream(op).iops * (outcome.latency(op, "mean") or 0.0) / 1e9 for op in OPS)


def sequential_fraction(run: Run, reading: Reading) -> float:
    """The share of a trace's or model's requests that begin where one of the last runs ended; 0 if it is not here."""
    if run.workload is None:
        return 0.0
    try:
        load = load_of(run.workload, run, reading)
    except InputError:  # the trace is not here, and an outcome made elsewhere is used
        return 0.0
    rows = pl.DataFrame(load.rows()).select("offset_bytes", "size_bytes").rows()
    ends: deque[int] = deque(maxlen=RUNS_OPEN)
    found = 0
    for offset, size in rows:
        if offset in ends:
            ends.remove(offset)
            found += 1
        ends.append(offset + size)
    return found / len(rows) if rows else 0.0
