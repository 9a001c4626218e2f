"""The place of each design that fits: Pareto-optimal, dominated by which, best in what."""

import pytest

from drivecast.document.miss import Miss
from drivecast.document.plan import Cost, Design, Life, RuledOut
from drivecast.plan.ranking import BEST, costs, counted, placed
from drivecast.quantity.interval import Span


def design(
    line: str,
    total: float,
    read_ns: float | None = 1e5,
    write_ns: float | None = 1e5,
    years: float | None = 10.0,
    *,
    rented: bool = False,
) -> Design:
    return Design(
        line=line,
        title=line,
        where="cloud" if rented else "metal",
        verdict="fits",
        fits=True,
        cost=Cost(total=total),
        read_p99_ns=Span(value=read_ns) if read_ns else None,
        write_p99_ns=Span(value=write_ns) if write_ns else None,
        life_years=None if rented else Life(value=years, limit="media" if years else "none"),
    )


def test_designs_are_compared_by_cost_latencies_and_life_all_to_be_small() -> None:
    assert BEST == ("cost", "read_p99", "write_p99", "life")
    assert costs(design("a", 700.0, 1e5, 2e5, 8.0)) == (700.0, 1e5, 2e5, 1 / 8)
    assert costs(design("b", 700.0, None, 2e5, None)) == (700.0, 0.0, 2e5, 0.0)
    assert costs(design("c", 700.0, rented=True))[3] == 0.0


def test_each_design_has_its_rank_and_the_first_that_is_no_worse() -> None:
    cheap, quick = design("cheap", 500.0, read_ns=3e5), design("quick", 900.0, read_ns=1e5)
    worse = design("worse", 901.0, read_ns=2e5)
    found = placed([cheap, quick, worse])
    assert [(each.line, each.rank) for each in found] == [("cheap", 1), ("quick", 2), ("worse", 3)]
    assert [each.pareto_optimal for each in found] == [True, True, False]
    assert [each.dominated_by for each in found] == [None, None, 2]
    assert found[0].best == ["cost", "write_p99", "life"], "of equals the first"
    assert found[1].best == ["read_p99"]
    assert found[2].best == []


def test_what_is_best_in_something_is_not_dominated() -> None:
    """Both cost as little as the cheapest does; only one of them is no worse in the rest."""
    slow, quick = design("slow", 500.0, read_ns=3e5), design("quick", 500.0, read_ns=1e5)
    found = placed([slow, quick])
    assert found[0].best == []
    assert found[0].dominated_by == 2
    assert found[1].best == list(BEST)


def test_a_volume_is_not_best_in_life() -> None:
    found = placed([design("volume", 300.0, rented=True), design("drives", 500.0)])
    assert found[0].best == ["cost", "read_p99", "write_p99"]
    assert found[1].best == []


@pytest.mark.parametrize("fates", [(2, 1, 3), (0, 0, 1), (0, 0, 0)])
def test_designs_are_counted_by_what_became_of_them(fates: tuple[int, int, int]) -> None:
    fits, missed, pruned = fates
    designs = [
        *[design(f"fit {at}", 1.0) for at in range(fits)],
        *[Design(line=f"miss {at}", title="", verdict="misses") for at in range(missed)],
        *[Design(line=f"pruned {at}", title="", verdict="pruned") for at in range(pruned)],
    ]
    others = [RuledOut(miss=Miss(kind="dearer"), designs=7)]
    assert counted(designs, others).pruned == pruned + 7
    found = counted(designs, [])
    assert (found.considered, found.simulated) == (fits + missed + pruned, fits + missed)
    assert (found.fits, found.misses, found.pruned) == fates
