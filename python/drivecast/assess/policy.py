"""How the drives of a group wear, and when they are replaced: policies for drives of one age.

Model. Small random writes spread evenly over the data; each writes a place of data and one of parity. A place
that holds a share p of the parity of n drives takes p + (1 − p) / (n − 1) of a host write, 2 / n where parity
is even.

- `one-age`: all drives begin together and stay until they fail.
- `together`: all are replaced when they reach the limit, at the same time.
- `staggered`: of the first drives the i-th is replaced at i / n of the limit, and from then on each at the
  limit, so that ages are spread evenly.
- `uneven`: the oldest drive holds all parity and ages n − 1 times as fast as the rest. At the limit it is
  replaced, and the parity goes to the oldest of the others (differential RAID: Balakrishnan, Kadav,
  Prabhakaran and Malkhi, EuroSys 2010). The ages settle where the next takes over at half the limit, and the
  others follow at equal steps.

Left out: spares that are worn in beforehand, and parity shares between even and all on one drive.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Policy = Literal["one-age", "together", "staggered", "uneven"]
POLICIES: tuple[Policy, ...] = get_args(Policy)


@dataclass(frozen=True)
class Place:
    """One place of a group; wear in shares of the rated cycles."""

    wear_per_h: tuple[tuple[float, float], ...]
    """From which hour on at which rate."""
    replace_first_at: float | None = None
    """Wear at which the first drive goes, where it is not the limit."""
    wear: float = 0.0
    """Of the first drive at the start."""


@dataclass(frozen=True)
class Wearing:
    """The even wear of a group's drives, and how each place departs from it."""

    per_h: tuple[tuple[float, float], ...]
    """From which hour on at which rate, of a drive under even parity."""
    shares: tuple[float, ...]
    """Of each place over the mean."""


def places(policy: Policy, wearing: Wearing, limit: float, hours: float) -> tuple[Place, ...]:
    """Give the places of a group under `policy`, whose drives are replaced at `limit`."""
    count = len(wearing.shares)
    if policy == "uneven":
        return uneven(wearing, limit, hours)
    scaled = [tuple((hour, rate * share) for hour, rate in wearing.per_h) for share in wearing.shares]
    if policy == "staggered":
        return tuple(Place(rates, limit * (place + 1) / count) for place, rates in enumerate(scaled))
    return tuple(Place(rates) for rates in scaled)


def replaces(policy: Policy) -> bool:
    """Tell whether drives are replaced before they fail."""
    return policy != "one-age"


def uneven(wearing: Wearing, limit: float, hours: float) -> tuple[Place, ...]:
    """Give the places of a group whose oldest drive holds all parity, from new drives on."""
    count = len(wearing.shares)
    ages = [0.0] * count
    oldest = 0
    rates: list[list[tuple[float, float]]] = [[] for _ in ages]
    marks = [hour for hour, _ in wearing.per_h] + [hours]
    for (start, even), end in zip(wearing.per_h, marks[1:], strict=True):
        now = start
        while now < end:
            speeds = [even * count / 2 * ageing(place == oldest, count) for place in range(count)]
            note(rates, now, speeds)
            to_limit = (limit - ages[oldest]) / speeds[oldest] if speeds[oldest] > 0 else end - now
            step = max(0.0, min(to_limit, end - now))
            ages = [age + speed * step for age, speed in zip(ages, speeds, strict=True)]
            now += step
            if ages[oldest] >= limit * (1 - 1e-9):
                ages[oldest] = 0.0
                oldest = max(range(count), key=lambda place: ages[place])
    return tuple(Place(tuple(rate)) for rate in rates)


def ageing(holds_parity: bool, drives: int) -> float:
    """Give the share of host writes that a drive takes which holds all parity, or none."""
    return 1.0 if holds_parity else 1.0 / (drives - 1)


def note(rates: list[list[tuple[float, float]]], now: float, speeds: Sequence[float]) -> None:
    """Write down the speeds that changed, each at its hour."""
    for known, speed in zip(rates, speeds, strict=True):
        if not known or known[-1][1] != speed:
            known.append((now, speed))
