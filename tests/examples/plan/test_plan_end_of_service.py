"""What a plan says of reads at the end of the service: four reads at a time, really simulated."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bundled import CATALOG
from drivecast.assess.rating import flash_rating
from drivecast.document.plan import Worn
from drivecast.plan.end_of_service import worn_reads
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.quantity.interval import Interval
from drivecast.stage import simulate
from drivecast.stage.design import parse
from made_up_load import PROFILE

DRIVE = "samsung-pm9a3-960gb"


def _bench() -> Bench:
    reads = simulate.workload("random(4KiB, read=1, iodepth=4)")
    load: Any = SimpleNamespace(peak=lambda *_: (reads, simulate.Options(requests=20_000)))
    return Bench(CATALOG, derive(Given(years=5), PROFILE), load, seed=0, trimmed=False)


def _found(shares: tuple[float, float, float], line: str = DRIVE) -> Worn | None:
    """Reads after a life that uses these shares of the most, the likely and the least cycles of the flash."""
    rating = flash_rating(CATALOG.get(DRIVE))
    cycles = rating.pe_cycles
    low, value, high = shares
    used = Interval(low * cycles.high, value * cycles.value, high * cycles.low)
    life: Any = SimpleNamespace(rating=rating, cycles_after=lambda _years: used)
    return worn_reads(parse(line, CATALOG), life, _bench())


def test_reads_of_worn_flash_are_slower_and_less_certain() -> None:
    new, half, spent = (_found(shares) for shares in ((0, 0, 0), (0.1, 0.25, 0.75), (0.7, 1, 2.5)))
    assert new is not None
    used = half.cycles_used
    assert (used.low, used.value, used.high) == pytest.approx((0.1, 0.25, 0.75))
    assert spent.cycles_used.high == 1, "no more than all"
    p99 = [cast("float", found.read_p99_ns.value) for found in (new, half, spent)]
    highest = [cast("float", found.read_p99_ns.high) for found in (new, half, spent)]
    assert p99[0] < p99[1] < p99[2] < 1.5 * p99[0], "one read in ten is repeated in the end"
    assert highest[0] < highest[1] < highest[2]
    assert highest[2] > 5 * p99[2], "or three times each"


def test_nothing_is_said_of_flash_whose_retries_are_not_known() -> None:
    assert _found((0.1, 0.25, 0.75), "intel-x25-e-64gb") is None
    assert worn_reads(parse(DRIVE, CATALOG), None, _bench()) is None, "nothing is written"
