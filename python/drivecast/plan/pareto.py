"""The Pareto front: designs that no other dominates."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def front(items: Sequence[T], costs: Sequence[tuple[float, ...]]) -> list[T]:
    """The items that no other dominates, in their order. All costs are to be small.

    One dominates another when it is no worse in every cost and better in one. Quadratic, for a few hundred designs.
    """
    if len(items) != len(costs):
        raise ValueError(f"{len(items)} items but {len(costs)} costs")

    def dominated(mine: tuple[float, ...]) -> bool:
        return any(all(a <= b for a, b in zip(other, mine, strict=True)) and other != mine for other in costs)

    return [item for item, cost in zip(items, costs, strict=True) if not dominated(cost)]
