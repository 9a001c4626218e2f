"""What a person asks of a sweep, as the sweep: defaults by kind, lists as typed, and what does not fit together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from drivecast import quantity
from drivecast.bench.measure import Engine
from drivecast.bench.sweep import plan
from drivecast.bench.sweep.plan import Kind, Sweep, Timing
from drivecast.errors import InputError
from drivecast.stage.simulate import workload

T = TypeVar("T")

RUNTIME_S: dict[Kind, float] = {"matrix": 20.0, "jitter": 600.0, "warmup": 7200.0}
RUNTIME_S_ELSE = 30.0
RAMP_S = 5.0
IODEPTH = 32
DEPTH_MAX = 65_536
THREADS_MAX = 1024
LONG: dict[Kind, str] = {"warmup": "random(16KiB, read=0)", "jitter": "random(16KiB, read=0.7)"}
"""Writes are what warms up; a mix is what databases see from second to second."""

ONLY: dict[str, tuple[Kind, ...]] = {
    "--values": ("depth", "threads", "sync"),
    "--sizes": ("matrix",),
    "--mixes": ("matrix",),
    "--iodepth": ("matrix", "warmup", "jitter"),
    "--workload": ("depth", "threads", "sync", "warmup", "jitter"),
    "--repeats": ("depth", "threads", "matrix", "sync"),
}
"""Which kinds an option means something to."""


@dataclass(frozen=True)
class Asked:
    """The options; none leaves the choice to the kind."""

    kind: Kind
    workloads: tuple[str, ...] = ()
    values: str | None = None
    sizes: str | None = None
    mixes: str | None = None
    iodepth: int | None = None
    pattern: str = "random"
    runtime_s: float | None = None
    ramp_s: float | None = None
    repeats: int = 1
    engine: Engine | None = None
    seed: int = 0


def planned(asked: Asked) -> Sweep:
    """The sweep. Raises `InputError` that names the option which cannot be followed."""
    _refuse_foreign(asked)
    made = _sweep(asked)
    for line in dict.fromkeys(job.workload for job in made.jobs):
        workload(line)
    return made


def _sweep(asked: Asked) -> Sweep:
    kind = asked.kind
    runtime_s = asked.runtime_s or RUNTIME_S.get(kind, RUNTIME_S_ELSE)
    ramp_s = RAMP_S if asked.ramp_s is None else asked.ramp_s
    timing = Timing(runtime_s, ramp_s, asked.repeats, asked.seed)
    workloads = asked.workloads or plan.WORKLOADS
    engine = asked.engine or ("psync" if kind == "threads" else "io_uring")
    if kind == "sync" and engine == "psync":
        raise InputError(
            "--engine: `psync` is what the other engine is compared with\nhint: io_uring or libaio"
        )
    match kind:
        case "depth":
            if engine == "psync":
                raise InputError(
                    "--engine: psync keeps one request outstanding whatever the depth\nhint: `bench sweep threads`"
                )
            return plan.depth(workloads, _counts(asked.values, DEPTH_MAX), timing, engine)
        case "threads":
            return plan.threads(workloads, _counts(asked.values, THREADS_MAX), timing, engine)
        case "sync":
            return plan.sync(workloads, _counts(asked.values, THREADS_MAX), timing, engine)
        case "matrix":
            sizes = _several("--sizes", asked.sizes, quantity.size_bytes, plan.SIZES)
            mixes = _several("--mixes", asked.mixes, _share, plan.MIXES)
            return plan.matrix(sizes, mixes, asked.iodepth or IODEPTH, asked.pattern, timing, engine)
        case "warmup" | "jitter":
            loads = asked.workloads or (LONG[kind],)
            return plan.long(kind, loads, asked.iodepth or IODEPTH, timing, engine)


def _refuse_foreign(asked: Asked) -> None:
    given = {
        "--values": asked.values is not None,
        "--sizes": asked.sizes is not None,
        "--mixes": asked.mixes is not None,
        "--iodepth": asked.iodepth is not None,
        "--workload": bool(asked.workloads),
        "--repeats": asked.repeats > 1,
    }
    for option, kinds in ONLY.items():
        if given[option] and asked.kind not in kinds:
            raise InputError(
                f"{option}: means nothing to `sweep {asked.kind}`\nhint: it is for {', '.join(kinds)}"
            )


def _counts(text: str | None, most: int) -> tuple[int, ...]:
    def count(word: str) -> int:
        if word.isascii() and word.isdigit() and len(word) < 9 and 1 <= int(word) <= most:
            return int(word)
        raise InputError(f"expected numbers from 1 to {most} such as 1,8,64, found `{word}`")

    return _several("--values", text, count, plan.DEPTHS)


def _share(word: str) -> float:
    share = quantity.fraction_or_more(word)
    if not 0 <= share <= 1:
        raise InputError(f"expected shares from 0 to 100% such as 100%,70%,0%, found `{word}`")
    return share


def _several(
    option: str, text: str | None, parse: Callable[[str], T], default: tuple[T, ...]
) -> tuple[T, ...]:
    """The values of a list with commas, each once."""
    if text is None:
        return default
    try:
        found = tuple(dict.fromkeys(parse(word.strip()) for word in text.split(",")))
    except InputError as error:
        raise InputError(f"{option}: {error}") from None
    return found
