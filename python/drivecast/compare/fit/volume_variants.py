"""A volume whose inside is not known, from what was measured of it: where each parameter starts, and its bounds.

Model. Requests pass caps, a front end that works through what waits, and a time that holds nothing (the volume of the
simulator). Three structures of the front end are tried, and the one that follows the depths best is taken:

- batches: one thread, woken after it slept, takes all that waits and hands it on together, as the back end of a virtual
  disk does. With N outstanding everything goes round as one batch: R(N) = B + N (c + k b), b the bytes of a request.
- growing batches: the same, and what comes while it works joins the batch; it never splits into two that take turns.
- one by one: R(N) = max(B + c + k b, N (c + k b)): the law of a queue with one line, or of servers that are all busy.

Starting values: least squares (with no negative terms) of the medians on 1, N, N b and b, each over its median;
lognormal spreads from the 90 % quantile of lone requests. Stalls of the whole volume are taken from the far tails
(`stall`) and not searched for: a search takes them for the spread of batches. A cap is taken where
settings differ at least twofold in what else would decide, and rates do not.
"""

import math
from collections.abc import Sequence
from itertools import product

import numpy as np
import scipy

from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.stall import stalls
from drivecast.compare.fit.variant import Content, Estimate, Parameter, Target, Unit, Variant, assumed
from drivecast.document.outcome import OPS

STALLED_LONGER = 6
"""Requests of a simulation of what stalls, over those of one that does not: half a second holds a handful of stalls."""
ALL = 65_536
"""Requests in a batch without limit."""
NORMAL_90 = 1.2816
"""90 % quantile of the standard normal distribution."""
WOKEN = 0.15
"""Share of the fixed time that waking is taken for to begin with. Searches from above it end off the truth
(`scripts/fit_coverage.py`), from here they do not."""
STRUCTURES = (("batches", ALL, False), ("growing batches", ALL, True), ("one by one", 1, False))
"""Name, requests in a batch, whether it grows."""
FOLLOWS = "the structure, of three, that follows the depths best"
DEPTHS = "a sweep of depths from 1 to 64 and more"
PARAMETERS: dict[str, tuple[float, float, Unit, str, str]] = {
    "front.wake_ns": (1.0, 1e10, "ns", "time to wake the front end", DEPTHS),
    "front.sigma": (0.005, 2.0, "", "spread of a batch's time", DEPTHS),
    "front.{op}_command_ns": (
        1.0, 1e9, "ns", "time of one {op} in the front end", "a sweep of depths of {op}s to 64 and more",
    ),
    "front.{op}_ns_per_byte": (
        1e-5, 1e3, "ns/B", "time of a byte of {op}s in the front end", "{op}s of several sizes at depth 16 and more",
    ),
    "{op}.service_ns": (10.0, 1e11, "ns", "time of a {op} after the front end", "{op}s at depth 1"),
    "{op}.sigma": (0.005, 2.5, "", "spread of that time of a {op}", "{op}s at depth 1"),
    "{op}.ns_per_byte": (
        1e-5, 1e4, "ns/B", "what a byte adds to it for a {op}", "{op}s of several sizes at depth 1",
    ),
}  # fmt: skip
"""By name: bounds, unit, meaning, and the run that determines it."""


def _pure(observations: Sequence[Observation], op: str) -> list[Observation]:
    share = 1.0 if op == "read" else 0.0
    return [
        run
        for run in observations
        if run.depth is not None and run.read_fraction == share and f"{op}.q0.5" in run.figures
    ]


def _of_op(observations: Sequence[Observation], op: str) -> list[Observation]:
    """Runs of one operation: those of it alone, else those that have it at all."""
    pure = _pure(observations, op)
    if len(pure) >= 3:
        return pure
    return [run for run in observations if run.depth is not None and f"{op}.q0.5" in run.figures]


def medians(observations: Sequence[Observation], op: str) -> tuple[float, float, float, float]:
    """B, c, k and what each byte adds once, in ns: the medians on 1, N, N b and b; of one size on 1 and N."""
    runs = _of_op(observations, op)
    terms = 4 if _sizes(runs) > 1 else 2
    rows = np.array(
        [[1.0, run.depth or 1, (run.depth or 1) * run.block_bytes, run.block_bytes] for run in runs]
    )
    y = np.array([run.figures[f"{op}.q0.5"] for run in runs])
    scale = rows.max(axis=0)
    found = np.zeros(4)
    found[:terms], _ = scipy.optimize.nnls((rows / scale / y[:, None])[:, :terms], np.ones(len(y)))
    return tuple(float(value) for value in found / scale)  # type: ignore[return-value]


def _sizes(runs: Sequence[Observation]) -> int:
    """How many sizes of requests there are, a tenth of a doubling apart."""
    return len({round(math.log2(run.block_bytes), 1) for run in runs})


def _spread(observations: Sequence[Observation], op: str) -> float:
    """Sigma of a lognormal from the quantiles of the least depths."""
    runs = sorted(_of_op(observations, op), key=lambda run: run.depth or 1)[:3]
    ratios = [
        run.figures[f"{op}.q0.9"] / run.figures[f"{op}.q0.5"] for run in runs if f"{op}.q0.9" in run.figures
    ]
    return min(max(math.log(float(np.median(ratios))) / NORMAL_90, 0.02), 1.5) if ratios else 0.2


def _parameter(name: str, start: float, op: str = "") -> Parameter:
    low, high, unit, meaning, determined_by = PARAMETERS[name]
    # A request takes some time: where the data do not determine how much, that is the least, and not none.
    otherwise = low if name == "{op}.service_ns" else 0.0
    words = meaning.format(op=op), determined_by.format(op=op)
    return Parameter(name.format(op=op), start, low, high, unit, *words, otherwise)


def _parameters(observations: Sequence[Observation], batch_max: int) -> tuple[Parameter, ...]:
    present = [op for op in OPS if any(f"{op}.q0.5" in run.figures for run in observations)]
    laws = {op: medians(observations, op) for op in present}
    spread = {op: _spread(observations, op) for op in present}
    found: list[Parameter] = []
    woken = min(law[0] for law in laws.values()) * WOKEN if batch_max > 1 else 0.0
    if woken > 0:
        found.append(_parameter("front.wake_ns", max(woken, 200.0)))
        found.append(_parameter("front.sigma", min(spread.values())))
    for op, (fixed, command, per_byte, once) in laws.items():
        several = _sizes(_of_op(observations, op)) > 1
        found.append(_parameter("front.{op}_command_ns", max(command, 50.0), op))
        if several:
            found.append(_parameter("front.{op}_ns_per_byte", max(per_byte, 1e-3), op))
        found.append(_parameter("{op}.service_ns", max(fixed - woken, 500.0), op))
        found.append(_parameter("{op}.sigma", spread[op], op))
        if several:
            found.append(_parameter("{op}.ns_per_byte", max(once, 5e-3), op))
    return (*found, *caps(observations))


def _content(target: Target, batch_max: int, *, gathers: bool) -> Content:
    service = {"service_ns": assumed(1.0, "no run has this operation")}
    return {
        "kind": "volume",
        "identity": {"vendor": target.vendor, "model": target.model, "available_today": False},
        "capacity": {"user_gb": assumed(target.capacity_bytes / 1e9, "size of the device behind the target")},
        "front": {
            "batch_max": {"value": batch_max, "fitted": FOLLOWS},
            "gathers": {"value": gathers, "fitted": FOLLOWS},
        },
        "read": service,
        "write": dict(service),
    }


def variants(
    observations: Sequence[Observation], target: Target, burst: tuple[Estimate, ...] = ()
) -> list[Variant]:
    """One for each structure of the front, with the stalls that runs show and without; `burst` is its bucket."""
    found = []
    stall = stalls(observations)
    sides = (
        [("", (*burst, *stall), STALLED_LONGER), (" without stalls", burst, 1)] if stall else [("", burst, 1)]
    )
    for (name, batch_max, gathers), (side, known, longer) in product(STRUCTURES, sides):
        names = {estimate.parameter.name for estimate in known}
        parameters = tuple(
            parameter for parameter in _parameters(observations, batch_max) if parameter.name not in names
        )
        content = _content(target, batch_max, gathers=gathers)
        found.append(Variant(name + side, parameters, content, known=known, longer=longer))
    return found


CAP_NEAR = 0.03
"""Rates this near each other are one."""
RATES: dict[str, tuple[str, str, Unit]] = {
    "iops": ("iops", "requests", "1/s"),
    "bytes": ("bytes_per_s", "bytes", "B/s"),
}
"""By kind of cap: the figure, what is counted, and the unit."""


def _plateau(rates: Sequence[float], apart: Sequence[float]) -> float | None:
    """The rate that is equal whatever else differs: the highest, shared by three settings a factor two apart."""
    if not rates:
        return None
    top = max(rates)
    near = [(rate, other) for rate, other in zip(rates, apart, strict=True) if rate > top * (1 - CAP_NEAR)]
    others = [other for _, other in near]
    if len(near) >= 3 and max(others) >= 2 * min(others):
        return float(np.mean([rate for rate, _ in near]))
    return None


def caps(observations: Sequence[Observation]) -> list[Parameter]:
    """Token buckets, where rates do not follow what else would decide them; with credits where a burst ended."""
    found: list[Parameter] = []
    runs = [run for run in observations if run.depth is not None and run.depth > 1]
    groups = {"": runs, **{f"{op}_": _pure(runs, op) for op in OPS}}
    seen: dict[str, float] = {}
    for (prefix, group), (kind, (figure, what, unit)) in product(groups.items(), RATES.items()):
        rate = _plateau([run.figures[figure] for run in group], [run.block_bytes for run in group])
        if rate is None or (prefix and abs(math.log(rate / seen.get(kind, rate * 9))) < CAP_NEAR):
            continue
        seen[kind] = rate
        of = {"": "all", "read_": "read", "write_": "written"}[prefix]
        name, meaning = f"caps.{prefix}{kind}.per_s", f"{what} a second allowed, {of}"
        by = "requests of several sizes at high depth"
        found.append(Parameter(name, rate, rate / 3, rate * 3, unit, meaning, by))
    return found
