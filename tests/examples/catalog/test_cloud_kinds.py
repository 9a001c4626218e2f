"""Kinds of cloud volumes: what can be rented of each, what it is called and costs, and what is refused."""

from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from agreed import agreed_refusals
from drivecast.catalog import CatalogError, load
from drivecast.catalog.plausibility import check
from drivecast.catalog.rental import Rental
from drivecast.stage.simulate import Options, simulate, workload

CATALOG = load()
RENTAL = CATALOG.rental


@pytest.mark.parametrize(
    ("kind", "needs", "name", "usd"),
    [
        # Published: 0.08 USD a GiB, 0.005 for each IOPS above 3,000, 0.04 for each MiB/s above 125.
        (
            "aws-gp3",
            (500, 9000, 250),
            "aws-gp3-500gib-9000iops-250mib",
            500 * 0.08 + 6000 * 0.005 + 125 * 0.04,
        ),
        ("aws-gp3", (500, 100, 10), "aws-gp3-500gib-3000iops-125mib", 40.0),
        # 500 IOPS for each GiB: 9,000 need 18.
        ("aws-gp3", (4, 9000, 125), "aws-gp3-18gib-9000iops-125mib", 18 * 0.08 + 30.0),
        # 3 IOPS for each GiB.
        ("aws-gp2", (500, 9000, 125), "aws-gp2-3000gib", 300.0),
        # 40 MiB/s for each TiB, and a request of 1 MiB for each of them.
        ("aws-st1", (500, 100, 50), "aws-st1-2560gib", 2560 * 0.045),
        # The first 32,000 IOPS are dearer than the next.
        (
            "aws-io2",
            (1000, 40000, 100),
            "aws-io2-1000gib-40000iops-4000mib",
            1000 * 0.125 + 32000 * 0.065 + 8000 * 0.0455,
        ),
        ("azure-premium", (200, 4000, 100), "azure-premium-p30", 135.17),
        ("gcp-pd-ssd", (500, 9000, 100), "gcp-pd-ssd-500gib", 85.0),
    ],
)
def test_the_smallest_that_does_enough_and_its_price(
    kind: str, needs: tuple[int, float, float], name: str, usd: float
) -> None:
    found = RENTAL.smallest(kind, *needs)
    assert found.name == name
    assert RENTAL.month(found).usd == pytest.approx(usd)
    assert RENTAL.parse(name) == found


def test_what_a_kind_does_not_reach_is_not_rented() -> None:
    assert RENTAL.smallest("aws-gp2", 100, 16001, 100) is None
    assert RENTAL.smallest("aws-gp3", 65537, 100, 100) is None
    assert RENTAL.smallest("azure-premium", 100, 100, 901) is None


def test_what_a_kind_does_not_allow_is_refused_with_what_it_does() -> None:
    names = (
        "aws-gp3-70000gib",
        "aws-gp3-10gib-9000iops-125mib",
        "aws-gp3-500gib-3000iops-800mib",
        "aws-gp3-big",
        "azure-premium-p21",
    )
    agreed_refusals("cloud-volumes.txt", [partial(CATALOG.volume, name) for name in names])
    with pytest.raises(CatalogError) as refused:
        CATALOG.volume("aws-gp3-500gib-on-m6i.3xlarge")
    assert "`m6i.3xlarge`" in str(refused.value)
    assert "`m6i.large`" in str(refused.value)


def test_a_volume_behind_an_instance_has_the_lower_rate_and_its_credits() -> None:
    volume = CATALOG.volume("aws-gp3-500gib-20000iops-250mib-on-m6i.2xlarge")
    caps = volume.sheet.caps
    assert (caps.iops.per_s.value, caps.iops.burst_per_s.value) == (12000, 20000)
    assert caps.iops.credits.value == (40000 - 12000) * 1800


def test_a_volume_that_bursts_has_the_credits_that_are_published() -> None:
    volume = CATALOG.volume("aws-gp2-100gib")
    cap = volume.sheet.caps.iops
    assert (cap.per_s.value, cap.burst_per_s.value, cap.credits.value) == (300, 3000, 5_400_000)


def test_a_drive_inside_of_an_instance_moves_as_many_bytes_as_are_known_of_it() -> None:
    """Of i4i.large 361 MiB/s were measured; its 50,000 IOPS would let 1 MiB requests through at 50 GiB/s."""
    found = simulate("local-i4i.large", workload("random(1MiB, iodepth=16)"), CATALOG, Options(requests=5000))
    assert found.throughput_bytes_per_s == pytest.approx(361 * 2**20, rel=0.02)


def test_of_a_commitment_the_terms_that_fit_are_paid_and_volumes_stay_as_they_are() -> None:
    """C3 publishes 45 % for 3 years and 63 % for 1; 5 years are 3 and 2, 1.5 years 1 and a half on demand."""
    usd = RENTAL.month_inside("c3-standard-8-lssd")
    five, short = CATALOG.prices.committed(5.0, 3), CATALOG.prices.committed(1.5, 1)
    assert Rental(CATALOG.cloud, five).month_inside("c3-standard-8-lssd") == pytest.approx(0.522 * usd)
    assert Rental(CATALOG.cloud, short).month_inside("c3-standard-8-lssd") == pytest.approx(1.13 / 1.5 * usd)
    assert five.cloud["azure-premium"] == CATALOG.prices.cloud["azure-premium"]
    assert five.commitment("i4i.large") == "i4i.*", "which says more than `*.*`"
    inside = [name for name, known in CATALOG.cloud.instances.items() if known.local]
    assert all(five.commitment(name) for name in inside)


def test_prices_and_limits_older_than_a_year_say_so() -> None:
    fresh = {finding.key for finding in check(CATALOG)}
    old = {finding.key for finding in check(CATALOG, date(2028, 1, 1))}
    assert not any(key.startswith(("cloud.", "kinds.")) for key in fresh)
    assert {"cloud.aws-gp3", "kinds.aws-gp3", "instances.m6i.large"} <= old


def test_a_kind_without_a_price_is_an_error() -> None:
    without = {name: rent for name, rent in CATALOG.prices.cloud.items() if name != "aws-gp3"}
    catalog = replace(CATALOG, prices=CATALOG.prices.model_copy(update={"cloud": without}))
    assert "cloud.aws-gp3" in [finding.key for finding in check(catalog)]


def test_a_kind_like_a_volume_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cloud.toml"
    path.write_text(
        '[kinds.own]\nvendor = "Own"\nmodel = "Disk"\non = 2026-01-01\nlike = "aws-gp3-1bt"\n'
        'gib_min = { value = 1, assumed = "a test" }\ngib_max = { value = 9, assumed = "a test" }\n'
        'steps = { a = { gib = 9, iops = 9, mib_per_s = 9, assumed = "a test" } }\n',
        encoding="utf-8",
    )
    with pytest.raises(CatalogError) as refused:
        load([path])
    assert refused.value.problems[0].key == "kinds.own.like"
