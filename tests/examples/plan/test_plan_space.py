"""Which designs are searched: groups, copies and spares where they may help."""

from collections.abc import Sequence

from bundled import CATALOG
from drivecast.assess.rating import failure_rate
from drivecast.plan import data_loss, space
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.cost import Case
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Trial
from drivecast.stage.design import Design, parse
from made_up_load import PEAK, PROFILE

NAME = "samsung-pm9a3-960gb"


def _needs(**given: float) -> Requirements:
    return derive(Given(years=5, **given), PROFILE)  # type: ignore[arg-type]


def _lines(ladders: Sequence[space.Ladder]) -> set[str]:
    return {design.line for ladder in ladders for design in ladder}


def test_groups_and_copies_are_searched() -> None:
    usual, more = space.by_redundancy(CATALOG, _needs(data_loss=0.5), "metal")
    wanted = {
        f"raid50(8 * {NAME}, groups=2)",
        f"raid60(12 * {NAME}, groups=2)",
        f"raid0(2 * raid1(3 * {NAME}))",
        f"raid1(3 * {NAME})",
    }
    assert wanted <= _lines(more)
    assert not wanted & _lines(usual)
    usual, more = space.by_redundancy(CATALOG, _needs(drive_losses=2), "metal")
    assert f"raid1(3 * {NAME})" in _lines(usual), (
        "three copies are as usual as RAID 6 where two failures are required"
    )


def test_every_line_of_the_space_is_read_back_as_it_is() -> None:
    _, more = space.by_redundancy(CATALOG, _needs(data_loss=1e-9), "metal")
    for line in sorted(line for line in _lines(more) if NAME in line):
        assert parse(line, CATALOG).is_plain


def test_spares_are_searched_where_arrays_may_lose_data_too_often() -> None:
    lossy, safe = Design(CATALOG.get(NAME), "raid5", 5), Design(CATALOG.get(NAME), "raid6", 5)
    limit = 1.2 * data_loss.likely(lossy, _needs())
    needs = _needs(data_loss=limit)
    assert [design.line for design in space.with_spare((lossy,), needs)] == [f"raid5(6 * {NAME}, spares=1)"]
    assert space.with_spare((lossy,), _needs(data_loss=2 * limit)) == ()
    assert space.with_spare((lossy,), _needs(data_loss=limit / 100)) == (), (
        "unreadable sectors alone are too many"
    )
    assert space.with_spare((safe,), needs) == ()
    assert space.with_spare((Design(lossy.drive, "raid0", 4),), needs) == (), "nothing is rebuilt"
    assert space.with_spare((lossy,), _needs(data_loss=limit, drive_losses=2)) == ()


def test_a_spare_lowers_the_chance_of_loss_and_costs_a_bay() -> None:
    needs = _needs()
    without = Design(CATALOG.get(NAME), "raid5", 5)
    spared = Design(CATALOG.get(NAME), "raid5", 5, spares=1)
    failures = failure_rate(without.drive)
    by_failure = [
        (loss := data_loss.closed(design, failures, needs)).probability.value - loss.unreadable_probability
        for design in (without, spared)
    ]
    assert by_failure[1] < by_failure[0] / 10, "72 h of waiting are most of the time without redundancy"
    cases = [
        Case(design, Trial(PEAK, None, None, None, {}), CATALOG, needs, PROFILE).costing()
        for design in (without, spared)
    ]
    assert cases[1].cost.purchase_usd >= cases[0].cost.purchase_usd + CATALOG.price_usd(NAME)
    more_w = cases[1].power_w.value - cases[0].power_w.value
    host = CATALOG.prices.host
    assert more_w >= without.drive.idle_w + host.slot_w.value - 1e-9
    assert spared.usable_bytes == without.usable_bytes


def test_what_costs_more_than_what_fits_is_not_tried() -> None:
    limits = Limits(CATALOG, _needs(data_loss=0.1), PROFILE, include_old=True, trimmed=True)
    grouped = Design(CATALOG.get(NAME), "raid50", 8, groups=2)
    found = rule_out(grouped, limits, cheapest_usd=1.0)
    assert found is not None
    assert found.kind == "dearer"
    assert rule_out(grouped, limits, cheapest_usd=1e6) is None


def test_a_drive_without_a_price_is_not_searched() -> None:
    limits = Limits(CATALOG, _needs(), PROFILE, include_old=True, trimmed=True)
    unpriced = [drive for name, drive in CATALOG.drives.items() if name not in CATALOG.prices.drives]
    assert unpriced
    for drive in unpriced:
        ruling = rule_out(Design(drive, "raid1", 2), limits)
        assert ruling is not None
        assert ruling.kind == "not-sold"
