"""Which designs are searched: groups, copies and spares where they may help."""

from collections.abc import Iterator, Sequence

from bundled import CATALOG
from drivecast.assess.rating import failure_rate
from drivecast.plan import data_loss, space
from drivecast.plan.best_first import ALIKE, Shown, chains, idle_cost_usd, search, side, try_next
from drivecast.plan.bound import Limits, rule_out
from drivecast.plan.candidate import Candidate
from drivecast.plan.cost import Case
from drivecast.plan.load import Stated
from drivecast.plan.requirement import Given, Requirements, derive
from drivecast.plan.trial import Bench, Trial
from drivecast.plan.verdict import Verdict
from drivecast.quantity.interval import Interval
from drivecast.stage.design import Design, parse
from made_up_load import PEAK, PROFILE

NAME = "samsung-pm9a3-960gb"


def _needs(**given: float) -> Requirements:
    return derive(Given(years=5, **given), PROFILE)  # type: ignore[arg-type]


def _lines(ladders: Sequence[space.Ladder]) -> set[str]:
    return {design.line for ladder in ladders for design in ladder}


def test_groups_and_copies_are_searched() -> None:
    searched = space.searched(CATALOG, _needs(data_loss=0.5), "metal", PROFILE)
    wanted = {
        f"raid50(8 * {NAME}, groups=2)",
        f"raid60(12 * {NAME}, groups=2)",
        f"raid0(2 * raid1(3 * {NAME}))",
        f"raid1(3 * {NAME})",
    }
    assert wanted <= _lines(searched)
    assert not space.searched(CATALOG, _needs(), "cloud", PROFILE)


def test_arrays_are_laid_out_for_the_size_of_requests() -> None:
    def chunk(size_kib: int, *, is_flash: bool = False) -> set[int | None]:
        profile = PROFILE.model_copy(update={"block_size_mean_bytes": size_kib * 1024})
        ladders = space.searched(CATALOG, _needs(), "metal", profile)
        return {design.chunk_kib for ladder in ladders for design in ladder if design.is_flash == is_flash}

    assert (chunk(16), chunk(128), chunk(1024)) == ({None}, {512}, {1024})
    assert chunk(1024, is_flash=True) == {None}
    design = Design(CATALOG.get(NAME), "raid6", 6, chunk_kib=512)
    assert design.line == f"raid6(6 * {NAME}, chunk=512KiB)"
    assert parse(design.line, CATALOG).is_plain
    assert "chunk" not in Design(CATALOG.get(NAME), "raid1", 2, chunk_kib=512).line


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
    limits = Limits(CATALOG, _needs(), PROFILE, include_old=False, trimmed=True)
    flash = [ladder for ladder in space.searched(CATALOG, _needs(), "metal", PROFILE) if ladder[0].is_flash]
    load = Stated("random(16KiB, read=0.7, rate=200iops)", length_s=1.0)
    bench = Bench(CATALOG, _needs(), load, 1, trimmed=True)
    waiting = chains(flash, [], limits, bench)
    tried: list[Design] = []

    def trying(of_chains: Sequence[Sequence[Design]]) -> Iterator[tuple[int, list[Candidate]]]:
        tried.extend(designs[0] for designs in of_chains)
        return enumerate([_fitting(designs[0])] for designs in of_chains)

    found: list[list[Candidate]] = [[] for _ in range(1 + max(chain.place for chain in waiting))]
    search(waiting, found, limits, Shown(), trying)
    costs = [idle_cost_usd(design, limits) for design in tried]
    left = [each for rung in found for each in rung if each.ruling and each.ruling.kind == "dearer"]
    assert len(tried) < len(left)
    assert {side(design) for design in tried} >= {("nvme", "copies"), ("sata", "parity")}
    cheapest = sorted(costs)[:6]
    assert max(costs[:6]) <= (1 + ALIKE) * cheapest[-1], "cheapest first, but for drives that cost the same"
    assert all(idle_cost_usd(each.design, limits) * (1 + ALIKE) >= cheapest[-1] for each in left)


def test_where_the_largest_array_of_a_disk_misses_so_do_all_between() -> None:
    disk = CATALOG.get("seagate-exos-x24-24tb")
    chain = [Design(disk, "raid10", count) for count in (2, 4, 6, 8)]
    load = Stated("random(16KiB, read=0.7, rate=20000iops)", length_s=1.0)
    bench = Bench(CATALOG, _needs(), load, 1, trimmed=True)
    limits = Limits(CATALOG, _needs(), PROFILE, include_old=False, trimmed=True)
    found = try_next(chain, bench, limits)
    assert [each.design for each in found] == chain
    assert not any(each.fits for each in found)
    assert sum(key[0] == "held" for key in bench.known) <= 3, (
        "the first, the last, and the last at the peak itself"
    )


def _fitting(design: Design) -> Candidate:
    """A design that meets all requirements, by arithmetic alone."""
    costing = Case(design, Trial(PEAK, None, None, None, {}), CATALOG, _needs(), PROFILE).costing()
    span = Interval(0.0, 0.0, 0.0)
    loss = data_loss.Risk(span, 0.0, "closed form", 1.0, False)
    return Candidate(design, verdict=Verdict((), (), None, costing, span, loss))


def test_a_drive_without_a_price_is_not_searched() -> None:
    limits = Limits(CATALOG, _needs(), PROFILE, include_old=True, trimmed=True)
    unpriced = [drive for name, drive in CATALOG.drives.items() if name not in CATALOG.prices.drives]
    assert unpriced
    for drive in unpriced:
        ruling = rule_out(Design(drive, "raid1", 2), limits)
        assert ruling.kind == "not-sold"
