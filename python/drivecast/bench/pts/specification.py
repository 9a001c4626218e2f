"""The tests of the specification as plans: what is run in a round, what is tracked, and how long it takes.

- IOPS: random, R/W 100/0, 95/5, 65/35, 50/50, 35/65, 5/95 and 0/100, each in blocks of 1024, 128, 64, 32, 16, 8, 4 and
  0.5 KiB; tracked are the IOPS of 0/100 4 KiB, 65/35 64 KiB and 100/0 1024 KiB.
- Throughput, for blocks of 1024 KiB and again for 128 KiB: in order, R/W 100/0 and 0/100; tracked are the bytes a
  second of 0/100.
- Latency: random, R/W 100/0, 65/35 and 0/100, each in blocks of 8, 4 and 0.5 KiB, one outstanding; tracked is the mean
  latency of 0/100 4 KiB, which in the end is run for 20 minutes for its distribution.
- Write saturation: random writes of 4 KiB; tracked are the IOPS of every 31st minute; the same end.

Each cell takes a minute. Before the rounds of the first three, the span is purged and written over twice in order in
blocks of 128 KiB; write saturation begins on a purged span, and ends after six hours, after four times the span was
written, or in steady state. How many requests are outstanding in the first, second and fourth is the operator's
choice, and reported.

The quick plan has fewer cells and shorter ones, and is not the specification's: that is stated wherever it is shown.

Sources: SNIA SSS PTS 2.0.2, and SNIA's summaries of its throughput and latency tests; the tracked variables of the
latter two, the spacing of write saturation's rounds and the final 20 minutes after public implementations of 2.0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from drivecast.bench.job import Engine, line
from drivecast.bench.pts import steady
from drivecast.document.findings import Pattern, Quantity, Test

KIB = 1 << 10
SPECIFICATION = "SNIA SSS PTS 2.0.2"
TITLES: dict[Test, str] = {
    "iops": "IOPS test",
    "throughput": "throughput test",
    "latency": "latency test",
    "saturation": "write saturation test",
}
STEP_S = 60.0
"""How long a cell is measured."""
PASSES = 2
"""How often preconditioning writes the span."""
PRECONDITION_BYTES = 128 * KIB
SATURATION_S = 6 * 3600.0
SATURATION_PASSES = 4
SPACING = 31
"""Minutes from one round of write saturation to the next: thirty lie between."""
HISTOGRAM_STEPS = 20
"""How many times a cell the final run takes: twenty minutes."""
QUICK_STEP_S = 12.0
"""So that 25 rounds of nine cells end within the hour."""
QUICK_SATURATION_S = 2400.0
QUICK_SPAN_BYTES = 8 << 30
SPAN_BYTES_MIN = 32 << 20
"""Room for the largest blocks at the depth that is usual."""
IODEPTH = 32
WRITE_BYTES_PER_S = 500e6
"""Assumed, for the estimate of how long preconditioning takes: a SATA drive's pace."""


@dataclass(frozen=True)
class Cell:
    """One workload of a round."""

    read_fraction: float
    block_bytes: int
    pattern: Pattern = "random"

    @property
    def name(self) -> str:
        """As the specification writes it: `65/35 64 KiB`."""
        return f"{mix(self.read_fraction)} {kib(self.block_bytes)}"

    def line(self, iodepth: int) -> str:
        """The workload as a line."""
        return line(self.pattern, self.block_bytes, self.read_fraction, f"iodepth={iodepth}")


@dataclass(frozen=True)
class Part:
    """What is purged, preconditioned and run to steady state as one."""

    name: str
    cells: tuple[Cell, ...]
    tracked: tuple[Cell, ...]
    quantity: Quantity
    iodepth: int
    rounds_max: int
    passes: int = PASSES
    """How often the span is written in order before the first round."""
    spacing: int = 1
    """Every so many rounds, the rule judges one."""
    saturates: bool = False
    histogram_s: float = 0.0
    """How long 0/100 4 KiB is run in the end, for its distribution."""


@dataclass(frozen=True)
class Plan:
    """A test of a span of a target."""

    test: Test
    parts: tuple[Part, ...]
    span_bytes: int
    step_s: float
    threads: int = 1
    quick: bool = False
    seed: int = 0
    engine: Engine = "io_uring"


@dataclass(frozen=True)
class Choice:
    """What the operator may choose; none leaves it to the specification, or to the quick plan."""

    test: Test
    quick: bool = False
    step_s: float | None = None
    rounds_max: int | None = None
    iodepth: int | None = None
    threads: int = 1
    seed: int = 0
    engine: Engine = "io_uring"


def planned(choice: Choice, span_bytes: int, sector_bytes: int = 512) -> Plan:
    """The plan of a test; blocks smaller than a sector are left out."""
    step_s = choice.step_s or (QUICK_STEP_S if choice.quick else STEP_S)
    parts = tuple(
        replace(part, cells=tuple(cell for cell in part.cells if cell.block_bytes % sector_bytes == 0))
        for part in _parts(choice, step_s)
    )
    threads = 1 if choice.test == "latency" else choice.threads
    return Plan(choice.test, parts, span_bytes, step_s, threads, choice.quick, choice.seed, choice.engine)


def _parts(choice: Choice, step_s: float) -> list[Part]:
    """The parts of a test, with blocks of every size."""
    iodepth, rounds = choice.iodepth or IODEPTH, choice.rounds_max or steady.ROUNDS_MAX
    histogram_s = 0.0 if choice.quick else HISTOGRAM_STEPS * step_s
    small = Cell(0, 4 * KIB)
    match choice.test:
        case "iops":
            cells = _cells(
                (1, 0.65, 0) if choice.quick else (1, 0.95, 0.65, 0.5, 0.35, 0.05, 0),
                (1024, 64, 4) if choice.quick else (1024, 128, 64, 32, 16, 8, 4, 0.5),
            )
            tracked = (small, Cell(0.65, 64 * KIB), Cell(1, 1024 * KIB))
            return [Part("IOPS", cells, tracked, "iops", iodepth, rounds)]
        case "throughput":
            return [
                Part(f"throughput, {size} KiB", cells, cells[1:], "throughput_bytes_per_s", iodepth, rounds)
                for size in (1024, 128)
                for cells in [tuple(Cell(read, size * KIB, "sequential") for read in (1, 0))]
            ]
        case "latency":
            cells = _cells((1, 0.65, 0), (4,) if choice.quick else (8, 4, 0.5))
            part = Part("latency", cells, (small,), "latency_ns_mean", 1, rounds, histogram_s=histogram_s)
            return [part]
    steps = round((QUICK_SATURATION_S if choice.quick else SATURATION_S) / step_s)
    return [
        Part(
            "write saturation",
            (small,),
            (small,),
            "iops",
            iodepth,
            choice.rounds_max or max(steps, 1),
            passes=0,
            spacing=SPACING,
            saturates=True,
            histogram_s=histogram_s,
        )
    ]


def _cells(mixes: Sequence[float], sizes_kib: Sequence[float]) -> tuple[Cell, ...]:
    return tuple(Cell(read, int(size * KIB)) for read in mixes for size in sizes_kib)


def expected_s(plan: Plan) -> tuple[float, float]:
    """How long the test takes, at least and at most; preconditioning at an assumed pace."""
    low = high = 0.0
    for part in plan.parts:
        fixed = part.passes * plan.span_bytes / WRITE_BYTES_PER_S + part.histogram_s
        round_s = len(part.cells) * plan.step_s
        shortest = min(part.rounds_max, steady.WINDOW * part.spacing) * round_s
        if part.saturates:
            shortest = min(shortest, SATURATION_PASSES * plan.span_bytes / WRITE_BYTES_PER_S)
        low += fixed + shortest
        high += fixed + part.rounds_max * round_s
    return low, high


def mix(read_fraction: float) -> str:
    """Reads over writes in percent: `65/35`."""
    return f"{read_fraction * 100:g}/{100 - read_fraction * 100:g}"


def kib(size_bytes: int) -> str:
    """A block size in KiB: `0.5 KiB`."""
    return f"{size_bytes / KIB:g} KiB"
