"""What must hold of every assessment, whatever the figures."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast.assess.endurance import FlashRating, bytes_within, life, replacements, years_until
from drivecast.assess.mttdl import Array, data_loss, unreadable_probability
from drivecast.assess.power import Site, watts
from drivecast.assess.retention import Retention, Rule
from drivecast.assess.tco import Purchase, Upkeep, WearOut, cost_over_years, wear_out
from drivecast.document.design import Level
from drivecast.quantity.interval import Interval

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

amplification = st.floats(1, 50)
growth = st.floats(-0.9, 3)
per_day = st.floats(1e6, 1e15)
years = st.floats(0.01, 50)
arrays: st.SearchStrategy[tuple[Level, int]] = st.one_of(
    st.tuples(st.just("raid0"), st.integers(1, 64)),
    st.tuples(st.just("raid1"), st.integers(2, 4)),
    st.tuples(st.just("raid5"), st.integers(3, 64)),
    st.tuples(st.just("raid6"), st.integers(4, 64)),
    st.tuples(st.just("raid10"), st.integers(1, 32).map(lambda pairs: 2 * pairs)),
)


@st.composite
def intervals(draw: st.DrawFn, low: float, high: float) -> Interval:
    return Interval(*sorted(draw(st.tuples(*[st.floats(low, high)] * 3))))


ratings = st.builds(
    FlashRating,
    user_bytes=st.integers(10**9, 10**14),
    raw_bytes=st.integers(10**9, 10**14),
    pe_cycles=intervals(100, 1e5),
    tbw_bytes=st.none() | st.floats(1e12, 1e18),
    warranty_years=st.floats(1, 10),
)


@given(ratings, per_day, intervals(1, 50), growth)
def test_life_is_an_ordered_interval(rating: FlashRating, daily: float, wa: Interval, grows: float) -> None:
    result = life(rating, host_bytes_per_day=daily, write_amplification=wa, growth_per_year=grows)
    media, both = result.life_years_media, result.life_years
    assert 0 < media.low <= media.value <= media.high
    assert both.low <= both.value <= both.high
    assert both.value <= media.value
    assert result.warranty_end_years <= rating.warranty_years
    assert result.limit in ("media", "warranty", "none")


@given(ratings, per_day, amplification, st.floats(1.01, 10))
def test_more_write_amplification_is_a_shorter_life(
    rating: FlashRating, daily: float, wa: float, more: float
) -> None:
    def media(factor: float) -> float:
        exact = Interval.exactly(factor)
        return life(rating, host_bytes_per_day=daily, write_amplification=exact).life_years_media.value

    assert media(wa * more) < media(wa)
    assert media(wa) / media(wa * more) == pytest.approx(more, rel=1e-9)


@given(st.floats(1e9, 1e18), per_day, growth, st.floats(0.01, 1))
def test_growth_shortens_life(total: float, daily: float, grows: float, more: float) -> None:
    slow = years_until(total, bytes_per_day=daily, growth_per_year=grows)
    fast = years_until(total, bytes_per_day=daily, growth_per_year=grows + more)
    assert fast <= slow


@given(per_day, growth, years)
def test_years_until_undoes_bytes_within(daily: float, grows: float, span: float) -> None:
    written = bytes_within(span, bytes_per_day=daily, growth_per_year=grows)
    again = years_until(written, bytes_per_day=daily, growth_per_year=grows)
    # a demand that has all but died tells nothing about when: compare the bytes, not the years
    assert math.isinf(again) or bytes_within(
        again, bytes_per_day=daily, growth_per_year=grows
    ) == pytest.approx(written, rel=1e-9)


@given(per_day, years, growth)
def test_bytes_within_is_the_sum_over_small_steps(daily: float, span: float, grows: float) -> None:
    steps = 2000
    width = span / steps
    middle = (daily * 365 * (1 + grows) ** ((step + 0.5) * width) * width for step in range(steps))
    whole = bytes_within(span, bytes_per_day=daily, growth_per_year=grows)
    assert whole == pytest.approx(math.fsum(middle), rel=1e-3)


def test_nothing_written_lasts_for_ever() -> None:
    rating = FlashRating(10**12, 10**12, Interval.exactly(3000), 1e15, 5)
    result = life(rating, host_bytes_per_day=0, write_amplification=Interval.exactly(1))
    assert math.isinf(result.life_years.value)
    assert result.limit == "none"
    assert result.warranty_end_years == 5


@given(st.floats(1e9, 1e18), per_day, years)
def test_replacements_cover_what_is_written(budget: float, daily: float, span: float) -> None:
    count = replacements(budget, years=span, bytes_per_day=daily)
    written = bytes_within(span, bytes_per_day=daily)
    assert (count + 1) * budget >= written * (1 - 1e-9)
    assert count == 0 or count * budget < written


@given(st.floats(1e9, 1e18), per_day, growth, years)
def test_wear_outs_are_as_many_as_the_bytes_ask_for(
    budget: float, daily: float, grows: float, span: float
) -> None:
    found = wear_out(budget, years=span, bytes_per_day=daily, growth_per_year=grows)
    expected = replacements(budget, years=span, bytes_per_day=daily, growth_per_year=grows)
    assert found.count == pytest.approx(expected)
    assert all(0 < end <= span * (1 + 1e-9) for end in found.years)
    assert list(found.years) == sorted(found.years)
    assert 0 <= found.unused <= 1


@given(
    arrays,
    st.tuples(*[st.floats(1e4, 1e7), st.floats(0.01, 1000), st.floats(0, 1e15), st.floats(0, 1e-12)]),
    years,
)
def test_chances_of_loss_are_chances(
    shape: tuple[Level, int], drive: tuple[float, float, float, float], span: float
) -> None:
    loss = data_loss(Array(*shape, *drive), span)
    assert loss.mttdl_h > 0
    for chance in (loss.failure_probability, loss.unreadable_probability, loss.probability):
        assert 0 <= chance <= 1
    assert loss.probability >= max(loss.failure_probability, loss.unreadable_probability) - 1e-12


@given(arrays, st.floats(1e4, 1e7), st.floats(0.01, 100), st.floats(1.1, 100))
def test_slower_rebuilds_lose_more(
    shape: tuple[Level, int], mtbf: float, rebuild: float, slower: float
) -> None:
    level, drives = shape
    quick = data_loss(Array(level, drives, mtbf, rebuild), 5).mttdl_h
    slow = data_loss(Array(level, drives, mtbf, rebuild * slower), 5).mttdl_h
    assert slow <= quick


@given(st.floats(0, 1e18), st.floats(0, 1e-10))
def test_unreadable_chance_lies_in_its_bounds(read: float, uber: float) -> None:
    chance = unreadable_probability(read, uber)
    assert 0 <= chance <= min(1, read * 8 * uber * (1 + 1e-9))


@given(st.floats(0, 50), st.floats(0, 50), st.floats(0, 1))
def test_power_lies_between_idle_and_active(idle: float, more: float, utilization: float) -> None:
    power = watts(idle_w=idle, active_w=idle + more, utilization=utilization)
    assert idle <= power <= idle + more + 1e-9


@given(
    st.builds(Purchase, st.integers(1, 100), st.floats(1, 1e5)),
    years,
    st.floats(0.1, 1000),
    st.lists(st.floats(0, 50), max_size=5),
)
def test_costs_add_up(bought: Purchase, span: float, power: float, ends: list[float]) -> None:
    worn = WearOut(tuple(ends))
    site = Site(0.13, 1.5)
    result = cost_over_years(bought, Upkeep(span, power, 0.01, 5, worn), site)
    parts = result.purchase_usd + result.energy_usd + result.replacement_usd
    assert result.total_usd == pytest.approx(parts)
    assert result.total_usd >= result.purchase_usd == pytest.approx(bought.drives * bought.drive_usd)
    assert result.usd_per_tb(2 * 10**12) == pytest.approx(result.total_usd / 2)
    longer = cost_over_years(bought, Upkeep(span + 1, power, 0.01, 5, worn), site)
    assert longer.total_usd > result.total_usd


@given(intervals(100, 1e5), st.floats(1, 1e6), st.floats(1.01, 10), st.floats(-20, 60), st.floats(0.1, 20))
def test_worn_or_warm_flash_keeps_data_for_less(
    rated: Interval, cycles: float, more: float, off_c: float, warmer: float
) -> None:
    law = Retention(
        rule=Rule(3, 40, 55),
        rated_cycles=rated,
        slope=Interval(0.7, 1, 1.3),
        activation_ev=1.1,
        operating_c=Interval(30, 40, 50),
        storage_c=Interval.exactly(off_c),
        refresh_share=Interval(0.25, 0.5, 1),
    )
    kept = law.after(Interval.exactly(cycles))
    assert 0 < kept.low <= kept.value <= kept.high <= 120
    assert law.after(Interval.exactly(cycles * more)).value <= kept.value
    warm = replace(law, storage_c=Interval.exactly(off_c + warmer))
    assert warm.after(Interval.exactly(cycles)).value <= kept.value
    own = law.relaxation_per_year()
    assert 0 < own.low <= own.value <= own.high
