"""The place of each design that fits: its rank, whether another is no worse in all, and what it is best in.

Model. Designs are compared by four costs, all to be small: money over the years, p99 of reads and of writes, and the
inverse of life. What has no such requests, or does not wear, has a cost of 0 there. A design is best in a cost where
none is better and no other dominates it. What is rented does not wear, which is no merit of a volume.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from drivecast.document.plan import Best, Counts, Design, RuledOut
from drivecast.plan.pareto import front

BEST: tuple[Best, ...] = ("cost", "read_p99", "write_p99", "life")
"""What designs are compared by, in the order of `costs`."""

Costs = tuple[float, float, float, float]
T = TypeVar("T")


def compared(
    total: float, read_p99_ns: float | None, write_p99_ns: float | None, life_years: float | None
) -> Costs:
    """What a design with these figures is compared by; `None` where there is no such figure, or no end of life."""
    return total, read_p99_ns or 0.0, write_p99_ns or 0.0, 1 / life_years if life_years else 0.0


def costs(design: Design) -> Costs:
    """What a design of the document is compared by."""
    reads, writes, life = (
        span.value if span else None for span in (design.read_p99_ns, design.write_p99_ns, design.life_years)
    )
    return compared(design.total, reads, writes, life)


def best_in_each(items: Sequence[T], of: Sequence[Costs]) -> list[T]:
    """For each cost the first item of which none is better in it, among those that no other dominates."""
    leading = front(range(len(items)), of)
    return [items[min(leading, key=lambda at: of[at][index])] for index in range(len(BEST)) if leading]


def placed(fits: Sequence[Design]) -> list[Design]:
    """The designs that fit, in their order, each with its place among them."""
    of = [costs(design) for design in fits]
    leading = front(range(len(fits)), of)
    return [
        design.model_copy(
            update={
                "rank": at + 1,
                "pareto_optimal": at in leading,
                "dominated_by": None if at in leading else _dominating(at, leading, of),
                "best": [
                    name
                    for index, name in enumerate(BEST)
                    if at == min(leading, key=lambda other: of[other][index])
                    and not (name == "life" and design.where == "cloud")
                ],
            }
        )
        for at, design in enumerate(fits)
    ]


def _dominating(at: int, leading: Iterable[int], of: Sequence[Costs]) -> int | None:
    """The rank of the first design that is no worse than this one in all."""
    no_worse = (other + 1 for other in leading if all(a <= b for a, b in zip(of[other], of[at], strict=True)))
    return next(no_worse, None)


def counted(designs: Sequence[Design], ruled_out: Sequence[RuledOut]) -> Counts:
    """How many designs met which fate, listed or not."""
    fits, misses, pruned = (
        sum(design.verdict == verdict for design in designs) for verdict in ("fits", "misses", "pruned")
    )
    pruned += sum(group.designs for group in ruled_out)
    tried = fits + misses
    return Counts(considered=tried + pruned, simulated=tried, fits=fits, misses=misses, pruned=pruned)
