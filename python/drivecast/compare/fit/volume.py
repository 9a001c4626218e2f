"""A volume whose inside is not known, from what was measured of it: where each parameter starts, and how it is bounded.

Model. Requests pass caps, a front that works through what waits, and a time that holds nothing (the volume of the
simulator). Three structures of the front are tried, and the one that follows the depths better is kept:

- batches: one thread, woken after it slept, takes all that waits and hands it on together, as the back end of a virtual
  disk does. With N outstanding everything goes round as one batch: R(N) = B + N (c + k b), b the bytes of a request.
- growing batches: the same, and what comes while it works joins the batch; it never splits into two that take turns.
- one by one: R(N) = max(B + c + k b, N (c + k b)): the law of a queue with one line, or of servers that are all busy.

Starting values: least squares (with no negative terms) of the medians on 1, N, N b and b, each over its median;
lognormal spreads from the 90 % quantile of lone requests; stalls of the whole volume from how many requests take more
than four medians, and what these take. A cap is taken where settings differ at least twofold in what else would
decide, and rates do not.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from drivecast.compare.fit.kind import Content, Figures, Target, Variant, assumed
from drivecast.compare.fit.observation import IOPS, QUANTILES, Observation
from drivecast.compare.fit.parameter import Estimate, Parameter

ALL = 65_536
"""Requests in a batch without limit."""
NORMAL_90 = 1.2816
"""90 % quantile of the standard normal distribution."""
STALLED = 4.0
"""Medians beyond which a request met a stall."""
WOKEN = 0.15
"""Share of the fixed time that waking is taken for to begin with. Searches from above it end beside the truth
(`scripts/fit_coverage.py`), from here they do not."""
OPS = ("read", "write")
STRUCTURES = (("batches", ALL, False), ("growing batches", ALL, True), ("one by one", 1, False))
"""Name, requests in a batch, whether it grows."""
FOLLOWS = "the structure, of three, that follows the depths best"


def _pure(observations: Sequence[Observation], op: str) -> list[Observation]:
    share = 1.0 if op == "read" else 0.0
    return [
        one
        for one in observations
        if one.depth is not None and one.read_fraction == share and f"{op}.q0.5" in one.figures
    ]


def _of_op(observations: Sequence[Observation], op: str) -> list[Observation]:
    """Runs that tell of one operation: those of it alone, else those that have it at all."""
    pure = _pure(observations, op)
    if len(pure) >= 3:
        return pure
    return [one for one in observations if one.depth is not None and f"{op}.q0.5" in one.figures]


def medians(observations: Sequence[Observation], op: str) -> tuple[float, float, float, float]:
    """B, c, k and what each byte adds once, in ns: the medians' regression on 1, N, N b and b."""
    runs = _of_op(observations, op)
    rows = np.array(
        [[1.0, one.depth or 1, (one.depth or 1) * one.block_bytes, one.block_bytes] for one in runs]
    )
    y = np.array([one.figures[f"{op}.q0.5"] for one in runs])
    scale = rows.max(axis=0)
    found, _ = nnls(rows / scale / y[:, None], np.ones(len(y)))
    return tuple(float(value) for value in found / scale)  # type: ignore[return-value]


def _spread(observations: Sequence[Observation], op: str) -> float:
    """Sigma of a lognormal from the quantiles of the least depths."""
    runs = sorted(_of_op(observations, op), key=lambda one: one.depth or 1)[:3]
    ratios = [
        one.figures[f"{op}.q0.9"] / one.figures[f"{op}.q0.5"] for one in runs if f"{op}.q0.9" in one.figures
    ]
    return min(max(math.log(float(np.median(ratios))) / NORMAL_90, 0.02), 1.5) if ratios else 0.2


def _tail(one: Observation, op: str) -> tuple[float, float, float] | None:
    """Share of requests beyond `STALLED` medians, the median and the last tenth of what these took besides.

    Quantiles are joined by straight lines of log latency over the log of the share beyond.
    """
    known = [
        (1 - quantile, one.figures[f"{op}.q{quantile}"])
        for quantile in QUANTILES
        if f"{op}.q{quantile}" in one.figures
    ]
    if len(known) < 3:
        return None
    beyond = np.log([share for share, _ in known])[::-1]
    latency = np.log([value for _, value in known])[::-1]
    median = known[0][1]
    far = math.log(STALLED * median)
    if latency[0] <= far:
        return None
    share = math.exp(float(np.interp(far, latency[::-1], beyond[::-1])))

    def at(part: float) -> float:
        return math.exp(float(np.interp(math.log(share * part), beyond, latency))) - median

    return share, at(0.5), at(0.1)


def _stalls(observations: Sequence[Observation]) -> list[Parameter]:
    """Stalls of the whole volume, where the far tails ask for them.

    One that begins at random hits all that is outstanding, so a request meets one with probability R / interval.
    """
    tails = []
    for one in observations:
        for op in OPS:
            found = _tail(one, op)
            if found is not None and one.depth is not None:
                tails.append((one.depth / one.figures[IOPS] * 1e9 / found[0], *found[1:]))
    runs = sum(one.depth is not None for one in observations)
    if len(tails) * 2 < runs:
        return []
    every, length, long = (float(np.median(column)) for column in zip(*tails, strict=True))
    sigma = min(max(math.log(max(long / length, 1.01)) / NORMAL_90, 0.1), 2.0)
    deep = "a run of minutes at depth 32 or more"
    return [
        Parameter(
            "stalls.every_ns", every, 1e5, 1e11, "ns", "mean time between stalls of the volume", deep, 1e12
        ),
        Parameter("stalls.stall_ns", length, 1e3, 1e10, "ns", "median length of a stall", deep, 0.0),
        Parameter("stalls.sigma", sigma, 0.05, 2.5, "", "spread of a stall's length", deep, 0.0),
    ]


def _of_front(op: str, command: float, per_byte: float, sizes: int) -> list[Parameter]:
    depths = f"a sweep of depths of {op}s to 64 and more"
    found = [
        Parameter(
            f"front.{op}_command_ns",
            max(command, 50.0),
            1.0,
            1e9,
            "ns",
            f"time of one {op} in line",
            depths,
        )
    ]
    if sizes > 1:
        found.append(
            Parameter(
                f"front.{op}_ns_per_byte",
                max(per_byte, 1e-3),
                1e-5,
                1e3,
                "ns/B",
                f"time of a byte of {op}s in line",
                f"{op}s of several sizes at depth 16 and more",
            )
        )
    return found


def _of_service(op: str, service: float, per_byte: float, sigma: float, sizes: int) -> list[Parameter]:
    lone = f"{op}s at depth 1"
    found = [
        Parameter(
            f"{op}.service_ns",
            max(service, 500.0),
            10.0,
            1e11,
            "ns",
            f"time of a {op} that holds no line",
            lone,
        ),
        Parameter(f"{op}.sigma", sigma, 0.005, 2.5, "", f"spread of that time of a {op}", lone, 0.0),
    ]
    if sizes > 1:
        found.append(
            Parameter(
                f"{op}.ns_per_byte",
                max(per_byte, 5e-3),
                1e-5,
                1e4,
                "ns/B",
                f"what a byte adds to it for a {op}",
                f"{op}s of several sizes at depth 1",
            )
        )
    return found


def _parameters(observations: Sequence[Observation], batch_max: int) -> tuple[Parameter, ...]:
    present = [op for op in OPS if any(f"{op}.q0.5" in one.figures for one in observations)]
    laws = {op: medians(observations, op) for op in present}
    spread = {op: _spread(observations, op) for op in present}
    found: list[Parameter] = []
    woken = min(law[0] for law in laws.values()) * WOKEN if batch_max > 1 else 0.0
    if woken > 0:
        depths = "a sweep of depths from 1 to 64 and more"
        found.append(
            Parameter("front.wake_ns", max(woken, 200.0), 1.0, 1e10, "ns", "time to wake the front", depths)
        )
        found.append(
            Parameter("front.sigma", min(spread.values()), 0.005, 2.0, "", "spread of a batch's time", depths)
        )
    for op, (fixed, command, per_byte, once) in laws.items():
        sizes = len({round(math.log2(one.block_bytes), 1) for one in _of_op(observations, op)})
        found += _of_front(op, command, per_byte, sizes)
        found += _of_service(op, fixed - woken, once, spread[op], sizes)
    return (*found, *_stalls(observations), *caps(observations))


def _content(target: Target, batch_max: int, *, gathers: bool) -> Content:
    service = {"service_ns": assumed(1.0, "no run has this operation")}
    vendor = str(target.described.get("vendor") or "unknown").strip() or "unknown"
    return {
        "kind": "volume",
        "identity": {"vendor": vendor, "model": target.model, "available_today": False},
        "capacity": {"user_gb": assumed(target.capacity_bytes / 1e9, "size of the device behind the target")},
        "front": {
            "batch_max": {"value": batch_max, "fitted": FOLLOWS},
            "gathers": {"value": gathers, "fitted": FOLLOWS},
        },
        "read": dict(service),
        "write": dict(service),
    }


def variants(
    observations: Sequence[Observation], target: Target, told: tuple[Estimate, ...] = ()
) -> list[Variant]:
    """One for each structure of the front; `told` is the bucket of a burst."""
    found = []
    for name, batch_max, gathers in STRUCTURES:
        bucket = {one.parameter.name for one in told}
        parameters = tuple(one for one in _parameters(observations, batch_max) if one.name not in bucket)
        every = (*parameters, *(one.parameter for one in told))

        def content(
            figures: Figures,
            batch_max: int = batch_max,
            gathers: bool = gathers,
            names: tuple[Parameter, ...] = every,
        ) -> Content:
            made = _content(target, batch_max, gathers=gathers)
            for parameter in names:
                *tables, key = parameter.name.split(".")
                place = made
                for table in tables:
                    place = place.setdefault(table, {})
                place[key] = figures(parameter.name)
            return made

        found.append(Variant(name, parameters, content, told))
    return found


CAP_NEAR = 0.03
"""Rates this near each other are one."""


def _plateau(rates: Sequence[float], apart: Sequence[float]) -> float | None:
    """The rate that is the same whatever else differs: the highest, shared by three settings a factor two apart."""
    top = max(rates)
    near = [(rate, other) for rate, other in zip(rates, apart, strict=True) if rate > top * (1 - CAP_NEAR)]
    others = [other for _, other in near]
    if len(near) >= 3 and max(others) >= 2 * min(others):
        return float(np.mean([rate for rate, _ in near]))
    return None


def caps(observations: Sequence[Observation]) -> list[Parameter]:
    """Token buckets, where rates do not follow what else would decide them; with credits where a burst ended."""
    found: list[Parameter] = []
    runs = [one for one in observations if one.depth is not None and one.depth > 1]
    groups = {"": runs, "read_": [], "write_": []}
    for op in OPS:
        groups[f"{op}_"] = _pure(runs, op)
    seen: dict[str, float] = {}
    for prefix, group in groups.items():
        if not group:
            continue
        for kind, rates in (
            ("iops", [one.figures["iops"] for one in group]),
            ("bytes", [one.figures["bytes_per_s"] for one in group]),
        ):
            rate = _plateau(rates, [one.block_bytes for one in group])
            if rate is None or (prefix and abs(math.log(rate / seen.get(kind, rate * 9))) < CAP_NEAR):
                continue
            seen[kind] = rate
            what = "requests" if kind == "iops" else "bytes"
            unit = "1/s" if kind == "iops" else "B/s"
            of = {"": "all", "read_": "read", "write_": "written"}[prefix]
            found.append(
                Parameter(
                    f"caps.{prefix}{kind}.per_s",
                    rate,
                    rate / 3,
                    rate * 3,
                    unit,  # type: ignore[arg-type]
                    f"{what} a second allowed, {of}",
                    "requests of several sizes at high depth",
                )
            )
    return found
