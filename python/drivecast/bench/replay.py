"""A trace, a model or a line played on a real target, each request at its own time. Thin over `_core`.

Deadlines are absolute: a request that is late does not move those after it, and its wait counts in its latency. How
late requests were issued is told beside the outcome (`lag_ns`): with a lag as long as the latencies, the machine was
measured and not the target.
"""

import json
import math
import threading
import time
from dataclasses import dataclass
from typing import Any

from drivecast import _core
from drivecast.bench.target import Progress, Target

LINE_BYTES = 1 << 30
"""Size of the file made for a line, which fits anywhere."""


@dataclass(frozen=True)
class Options:
    """How to play."""

    seed: int = 0
    start_s: float = 0.0
    length_s: float | None = None
    duration_s: float | None = None
    requests: int | None = None
    speedup: float = 1.0
    iodepth: int | None = None
    """As fast as possible with this many outstanding, instead of at the trace's times."""
    wrap: bool = False
    """Whether requests behind the end of the target move into it."""


def need_bytes(load: _core.Workload, size: int | None) -> int:
    """Room that the workload takes: `size` where it was given."""
    return size or load.span_bytes or LINE_BYTES


def replay(load: _core.Workload, target: Target, options: Options, update: Progress) -> dict[str, Any]:
    """Play `load` on `target`; the outcome as `docs/reference/json.md` describes it, and `lag_ns`.

    Raises `InputError` when requests lie behind the target's end, or the target fails.
    """
    over = threading.Event()
    ticking = threading.Thread(target=_tick, args=(over, _expected_s(load, options), update), daemon=True)
    ticking.start()
    try:
        outcome = _core.replay(
            target.path,
            load,
            name=target.name,
            seed=options.seed,
            start_s=options.start_s,
            length_s=options.length_s,
            duration_s=options.duration_s,
            requests=options.requests,
            speedup=options.speedup,
            iodepth=options.iodepth,
            may_write=target.may_write,
            wrap=options.wrap,
        )
    finally:
        over.set()
        ticking.join()
    return {**json.loads(outcome), "target": {"name": target.name, "bytes": target.bytes}}


def _expected_s(load: _core.Workload, options: Options) -> float:
    """How long the run lasts; infinite where nothing tells."""
    if options.duration_s is not None:
        return options.duration_s
    if options.iodepth is not None or load.duration_s is None:
        return math.inf
    whole = max(0.0, load.duration_s - options.start_s)
    return min(whole, options.length_s or whole) / options.speedup


def _tick(over: threading.Event, expected_s: float, update: Progress) -> None:
    begun = time.monotonic()
    while not over.wait(0.2):
        passed = time.monotonic() - begun
        of = f" of {expected_s:.0f}" if math.isfinite(expected_s) else ""
        update(min(1.0, passed / expected_s) if expected_s > 0 else 1.0, f"{passed:.0f}{of} s")
