"""Volumes that are rented: sized by the plan, ranked with drives, and judged where they are named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bundled import CATALOG
from drivecast.document.profile import Profile
from drivecast.plan.credit import busiest, left
from made_up_load import PROFILE
from small_traces import mixed, write

Program = Callable[..., Any]
VOLUME, DRIVE = "aws-gp3-1tb", "raid1(2 * samsung-pm893-480gb)"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 random requests."""
    return write(tmp_path_factory.mktemp("trace"), mixed())


@pytest.fixture(scope="module")
def planned(drivecast: Program, trace: Path) -> Any:
    """What could be rented, with a volume and an array that are named."""
    options = ("--capacity", "200GB", "--where", "cloud", "--design", VOLUME, "--design", DRIVE)
    return drivecast("plan", trace, *options, "--commitment", "1y", "--output-format", "json")


def test_a_named_volume_is_judged_and_every_kind_is_sized(planned: Any) -> None:
    assert planned.code == 0, planned.err
    designs = {design["line"]: design for design in planned.json["designs"]}
    assert designs[VOLUME]["yours"]
    assert designs[VOLUME]["where"] == "cloud"
    assert designs[VOLUME]["monthly_usd"] == pytest.approx(931 * 0.08)
    kinds = {design["rent"]["kind"] for design in designs.values() if "rent" in design}
    assert {"aws-gp3", "aws-io2", "aws-gp2", "azure-premium", "azure-premium-v2"} <= kinds
    assert {"gcp-pd-balanced", "gcp-pd-ssd", "gcp-hyperdisk-balanced"} <= kinds
    for design in designs.values():
        if design["where"] == "cloud" and design["verdict"] == "fits":
            assert design["usable_bytes"] >= 200e9


def test_what_is_bought_and_rented_is_ranked_by_cost_which_is_that_of_its_months(planned: Any) -> None:
    fits = [design for design in planned.json["designs"] if design["verdict"] == "fits"]
    assert {design["where"] for design in fits} == {"metal", "cloud"}
    assert [design["rank"] for design in fits] == list(range(1, len(fits) + 1))
    assert planned.json["winner"] == fits[0]["line"]
    tiers = [design["tier"] for design in fits]
    assert tiers == sorted(tiers)
    least = [min(each["cost"]["total"] for each in fits if each["tier"] == tier) for tier in sorted({*tiers})]
    assert least == sorted(least), "tiers by their cheapest"
    assert sum(design["chance_cheapest"] for design in fits) == pytest.approx(1.0, abs=0.01)
    for design in fits:
        assert design["monthly_usd"] * 60 == pytest.approx(design["cost"]["total"])
        if design["where"] == "cloud":
            rent = design["rent"]
            parts = rent["capacity_usd"] + rent["iops_usd"] + rent["mib_per_s_usd"]
            assert design["monthly_usd"] == pytest.approx(parts)
            assert design["cost"]["low"] <= design["cost"]["total"] <= design["cost"]["high"]
            assert (
                design["read_p99_ns"]["low"] < design["read_p99_ns"]["value"] < design["read_p99_ns"]["high"]
            )


def test_instances_are_at_the_price_committed_to_with_its_source_and_volumes_on_demand(planned: Any) -> None:
    rents = {design["line"]: design["rent"] for design in planned.json["designs"] if "rent" in design}
    committed = {line: rent for line, rent in rents.items() if "commitment_years" in rent}
    assert committed.keys() == {line for line in rents if "local-" in line} != set()
    pair = committed["raid1(2 * local-c3-standard-8-lssd)"]
    assert (pair["capacity_usd"], pair["provenance"]) == (pytest.approx(60 * 0.63), "published")
    rows = {row["name"]: row for row in planned.json["assumptions"]}
    assert rows["c3-*-lssd 1y"]["source"] == CATALOG.prices.sources["gcp-local-price"]


def test_drives_that_go_with_their_instance_have_no_chance_of_keeping_data(planned: Any) -> None:
    inside = [design for design in planned.json["designs"] if "local-" in design["line"]]
    fits = [design for design in inside if design["verdict"] == "fits"]
    assert fits
    assert all(design["data_loss"] is None for design in fits)
    single = next(design for design in inside if design["line"] == "local-c3-standard-4-lssd")
    assert single["misses"][0]["kind"] == "failures-tolerated"


def test_an_instance_limits_what_is_offered_to_its_provider(drivecast: Program, trace: Path) -> None:
    options = ("--capacity", "200GB", "--where", "cloud", "--instance", "m6i.2xlarge")
    found = drivecast("plan", trace, *options, "--output-format", "json").json
    rented = [design for design in found["designs"] if design["verdict"] == "fits"]
    assert rented
    assert {design["rent"]["provider"] for design in rented} == {"Amazon"}
    assert {design["rent"]["instance"] for design in rented} == {"m6i.2xlarge"}


def test_a_plan_of_metal_offers_no_volumes_but_judges_one_that_is_named(
    drivecast: Program, trace: Path
) -> None:
    asked = ("--capacity", "200GB", "--budget", "1", "--design", VOLUME, "--output-format", "json")
    found = drivecast("plan", trace, *asked).json
    rented = [design for design in found["designs"] if design["where"] == "cloud"]
    assert [design["line"] for design in rented] == [VOLUME]
    assert rented[0]["misses"][0]["kind"] == "budget"


def test_bad_input_names_what_is_wrong(drivecast: Program, trace: Path) -> None:
    for options, said in (
        (("--instance", "m6i.huge"), "no instance is called `m6i.huge`"),
        (("--commitment", "3y", "--years", "2"), "longer than the 2 years in service"),
        (("--design", "aws-gp3-70000gib"), "holds 1 to 65,536 GiB"),
        (("--design", "raid1(aws-gp3-1tb, samsung-pm893-480gb)"), "one kind of volume"),
    ):
        run = drivecast("plan", trace, "--where", "cloud", *options)
        assert run.code == 2, run.err
        assert said in run.err


def test_prices_older_than_a_year_are_noted(drivecast: Program, trace: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[cloud.aws-gp3]\non = 2020-01-01\nusd_per_gib = { value = 0.08, assumed = "a test" }\n'
    )
    asked = ("--capacity", "200GB", "--where", "cloud", "--catalog", prices)
    run = drivecast("plan", trace, *asked)
    assert "2020-01-01" in run.err


def profile(seconds: int) -> Profile:
    """A log of so long whose peak begins at half of it."""
    window = PROFILE.peak_window
    moved = window.model_copy(update={"start_s": seconds / 2, "length_s": 60.0})
    return PROFILE.model_copy(update={"duration_s": float(seconds), "peak_window": moved})


CAP = CATALOG.volume("aws-gp2-100gib").sheet.caps.iops
"""Published for gp2: 100 GiB earn 300 and burst 3,000 for 2,000 s with 5.4 million credits."""


def test_credits_last_as_long_as_the_provider_says() -> None:
    day = 86400
    for burst, least in ((1000, 0.5), (1999, 0.0005), (2500, 0.0)):
        demand = [(second, 3000.0 if second < burst else 0.0) for second in range(day)]
        assert left(profile(day), CAP, demand, 24).least == pytest.approx(least, abs=1e-9)


def test_a_log_that_asks_for_more_than_is_earned_has_used_its_credits_when_it_comes_again() -> None:
    demand = [(second, 900.0) for second in range(10000)]
    assert left(profile(10000), CAP, demand, 24).at_peak == 0.0
    rested = left(profile(10000), CAP, demand, 2)
    assert rested.at_peak == pytest.approx(1 - 5000 * 600 / 5.4e6)


def test_credits_that_end_within_the_peak_are_seen() -> None:
    quiet = [(second, 0.0) for second in range(5000)]
    busy = [(second, 3000.0) for second in range(5000, 5060)]
    found = left(profile(10000), CAP, [*quiet, *busy], 24)
    assert found.at_peak == 1.0
    assert found.least_in_peak == pytest.approx(1 - 60 * 2700 / 5.4e6)
    assert left(profile(10000), CAP, [(second, 3000.0) for second in range(10000)], 24).least_in_peak == 0.0


def test_the_rate_that_a_share_of_requests_does_not_exceed() -> None:
    demand = [(0, 10.0), (1, 50.0), (2, 40.0), (9, 1000.0)]
    assert busiest(demand, 0.0, 3.0, 0.5) == 40.0
    assert busiest(demand, 0.0, 3.0, 0.99) == 50.0
