"""The published arithmetic comes out; where a document contradicts itself, the test says by how much."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from drivecast.assess.endurance import FlashRating, life, member_bytes_per_day, years_until
from drivecast.assess.mttdl import unreadable_probability
from drivecast.assess.power import Site, energy_kwh, watts
from drivecast.assess.tco import Purchase, Upkeep, cost_over_years
from drivecast.quantity.interval import Interval

PUBLISHED = tomllib.loads((Path(__file__).parent / "published.toml").read_text())
INTEL, ANAND, TCO = PUBLISHED["intel-it"], PUBLISHED["ssd-ent"], PUBLISHED["x25e-oltp"]
TB = 1e12


def test_intel_it_life_needs_binary_prefixes() -> None:
    """6.4 years come out within 1.5 % with 1 PB = 1,024 TB; with decimal prefixes it is 6.2 or 6.0."""
    factor = INTEL["write_amplification"]

    def years(capacity: float, per_year: float) -> float:
        return years_until(capacity / factor, bytes_per_day=per_year / 365)

    published = INTEL["drive_life_years"]
    assert years(1024, INTEL["written_tb_per_year"]) == pytest.approx(published, rel=0.015)
    assert years(1000, INTEL["written_tb_per_year"]) == pytest.approx(6.17, abs=0.005)
    assert years(1000, INTEL["written_gb_per_day"] * 365 / 1000) == pytest.approx(6.05, abs=0.005)
    # 151 GB a day are 54 TB a year only when 1 TB = 1,024 GB
    assert INTEL["written_gb_per_day"] * 365 / 1024 == pytest.approx(INTEL["written_tb_per_year"], abs=0.5)
    assert INTEL["written_gb_per_day"] * 365 / 1000 == pytest.approx(55.1, abs=0.05)


def test_intel_it_arrays_spread_the_writes() -> None:
    """RAID 10: four pairs, four times the life. RAID 5: seven times only with full stripes."""
    daily = 1.0
    single = INTEL["drive_life_years"]
    mirrored = member_bytes_per_day(daily, member_writes_per_host_write=2, members=8)
    assert single / mirrored == pytest.approx(INTEL["raid10_life_years"])
    full_stripes = member_bytes_per_day(daily, member_writes_per_host_write=8 / 7, members=8)
    assert single / full_stripes == pytest.approx(INTEL["raid5_life_years"])
    small_random = member_bytes_per_day(daily, member_writes_per_host_write=2, members=8)
    assert single / small_random == pytest.approx(25.6), (
        "its workload is 16 KiB, 100 % random: no better than RAID 10"
    )


def test_intel_it_unreadable_sectors() -> None:
    """0.248 % and 0.083 % follow from the published bits; the bits do not follow from the published rate."""
    fleet_bytes = INTEL["read_bits_per_year"] / 8
    per_drive = unreadable_probability(fleet_bytes / INTEL["drives"], INTEL["uber"]) * 100
    assert per_drive == pytest.approx(INTEL["failures_per_year_percent"], rel=0.002)
    duty = unreadable_probability(
        fleet_bytes / INTEL["drives"] * INTEL["duty_cycle_hours"] / 24, INTEL["uber"]
    )
    assert duty * 100 == pytest.approx(INTEL["failures_per_year_percent_duty"], rel=0.01)
    one_drive_bits = INTEL["read_mb_s"] * 2**20 * 8 * 365 * 86400
    assert one_drive_bits == pytest.approx(2.48141e15, rel=1e-5), "9.38 MiB/s for a year, per drive"
    fleet_bits = one_drive_bits * INTEL["drives"]
    assert fleet_bits / INTEL["read_bits_per_year"] == pytest.approx(10, rel=1e-5), (
        "a thousand drives read ten times it"
    )
    assert unreadable_probability(one_drive_bits / 8, INTEL["uber"]) == pytest.approx(0.0245, rel=0.001)


def test_intel_it_power_saving() -> None:
    """84 % and 61 %: the second is 61.5 %, cut and not rounded."""
    for state, published in INTEL["saving_percent"].items():
        saving = 100 * (1 - INTEL["ssd_w"][state] / INTEL["hdd_w"][state])
        assert published <= saving < published + 1


@pytest.mark.parametrize("workload", ["mssql_main", "mysql_forums"])
def test_anandtech_life(workload: str) -> None:
    """937.5 and 524.3 days."""
    published = ANAND[workload]
    capacity = ANAND["capacity_gb"] * 10**9
    rating = FlashRating(capacity, capacity, Interval.exactly(ANAND["pe_cycles"]), None, 5)
    result = life(
        rating,
        host_bytes_per_day=published["written_gb"] * 1e9 / ANAND["days"],
        write_amplification=Interval.exactly(ANAND["write_amplification"]),
    )
    assert result.pe_cycles_per_day.value * ANAND["days"] == pytest.approx(published["cycles_used"], abs=0.05)
    assert result.pe_cycles_per_day.value == pytest.approx(published["cycles_per_day"], abs=0.01)
    assert result.life_years_media.value * 365 == pytest.approx(published["life_days"], abs=0.05)
    assert result.life_years_media.value == pytest.approx(published["life_years"], abs=0.005)


def test_anandtech_forums_array_ends_with_its_busiest_drive() -> None:
    """The published 524.3 days are of the drives written least; those with 1,130 GB end after 478."""
    busiest = max(ANAND["mysql_forums_written_gb_per_drive"])
    days = ANAND["mysql_forums"]["life_days"] * ANAND["mysql_forums"]["written_gb"] / busiest
    assert days == pytest.approx(477.9, abs=0.1)


def test_anandtech_worst_case() -> None:
    """5,000 cycles at a write amplification of 40 are 125 cycles' worth of host writes."""
    ratio = ANAND["pe_cycles"] / ANAND["worst_case_write_amplification"]
    assert ratio == ANAND["worst_case_cycles_of_host_writes"]


def test_tco_table() -> None:
    """Every line of the table, and the saving to the tenth of a cent."""
    site = Site.with_cooling_share(TCO["usd_per_kwh"], TCO["cooling_share"])
    hours_per_year = TCO["days_per_year"] * 24
    hours = TCO["years"] * hours_per_year
    totals = {}
    for kind in ("ssd", "sas"):
        row = TCO[kind]
        assert energy_kwh(row["watts"], hours) == pytest.approx(row["kwh_each"], rel=1e-9)
        assert energy_kwh(row["watts"] * row["drives"], hours, site) == pytest.approx(
            row["total_kwh"], rel=1e-9
        )
        result = cost_over_years(
            Purchase(row["drives"], row["usd_each"]),
            Upkeep(
                TCO["years"], row["watts"] * row["drives"], 0, TCO["years"], hours_per_year=hours_per_year
            ),
            site,
        )
        assert result.energy_usd == pytest.approx(row["power_usd"], rel=1e-9)
        totals[kind] = result.total_usd
    assert totals["sas"] - totals["ssd"] == pytest.approx(TCO["savings_usd"], abs=1e-9)


def test_tco_watts_come_from_the_enclosure() -> None:
    """1.5 and 17.375 W follow from the measured enclosure, not from the sheets printed beside them."""
    enclosure = TCO["enclosure_w"]
    busy = TCO["hours_full_per_day"] / 24
    for kind, name in (("ssd", "ssd8"), ("sas", "sas8")):
        idle, full = ((enclosure[f"{name}_{state}"] - enclosure["none"]) / 8 for state in ("idle", "full"))
        assert watts(idle_w=idle, active_w=full, utilization=busy) == pytest.approx(
            TCO[kind]["watts"], rel=1e-9
        )
    by_sheet = watts(idle_w=0.06, active_w=2.4, utilization=busy)
    assert by_sheet == pytest.approx(0.84, abs=0.001)


def test_x25e_rated_writes_contradict_their_own_rate() -> None:
    """7,000 IOPS of 8 KiB, a third of them writes, are 1.7 TB a day, not 2.9."""
    rated = TCO["x25e_rated"]
    daily = rated["iops_8k"] * 8192 * (1 - rated["read_fraction"]) * 86400 / TB
    assert daily == pytest.approx(1.68, abs=0.01)
    assert rated["written_tb_per_day"] / daily > 1.7


def test_the_table_is_the_one_that_was_read(corpus: Path) -> None:
    """What is printed here equals the collection of experiments it was taken from."""
    read: dict[str, Any] = tomllib.loads((corpus.parent / "reference" / "experiments.toml").read_text())
    intel = read["intel-it"]
    merged = intel["endurance"] | intel["uber"]
    for key in INTEL.keys() & merged.keys():
        assert INTEL[key] == merged[key], key
    assert INTEL["saving_percent"] == intel["power"]["saving_percent"]
    for workload in ("mssql_main", "mysql_forums"):
        for key, value in ANAND[workload].items():
            assert read["ssd-ent"]["life"][workload][key] == value
    for kind in ("ssd", "sas"):
        for key, value in TCO[kind].items():
            assert read["x25e-oltp"]["tco"][kind][key] == value
    assert TCO["savings_usd"] == read["x25e-oltp"]["tco"]["savings_usd"]
