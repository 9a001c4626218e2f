"""The ten steps of a life: each figure follows from those before it, in every format."""

import csv
import io
from collections.abc import Callable
from math import log
from typing import Any

import pytest

LINE = "random(4KiB, read=0, span=0.01)"
USE = ("--write-per-day", "151GB", "--read-per-day", "100GB", "--growth", "20%", "--years", "4")


@pytest.fixture(scope="module")
def explained(drivecast: Callable[..., Any]) -> Any:
    return drivecast(
        *("wear", "raid10(4 * samsung-pm893-480gb)", "-w", LINE, *USE, "--explain", "--output-format", "json")
    )


def rows(document: Any) -> dict[str, Any]:
    return {row["name"]: row for row in document["steps"]}


def test_there_are_ten_steps_and_each_says_how_it_is_known(explained: Any) -> None:
    steps = explained.json["steps"]
    assert sorted({row["step"] for row in steps}) == list(range(1, 11))
    known = {"given", "measured", "derived", "published", "fitted", "assumed"}
    for row in steps:
        assert row["provenance"] in known
        assert row["arithmetic"]
        assert row["source"]
        assert row["low"] <= row["value"] <= row["high"]


def test_each_step_follows_from_those_before(explained: Any) -> None:
    step = rows(explained.json)
    assert step["host writes in 4 years, grown"]["value"] == pytest.approx(
        0.151 * 365 * (1.2**4 - 1) / 0.1823, rel=1e-3
    )
    share = step["share of one drive"]["value"]
    assert share == pytest.approx(151 * 2 / 4)
    factor = step["write amplification"]["value"]
    assert step["flash programmed"]["value"] == pytest.approx(share * factor)
    budget = step["budget of the flash"]
    assert budget["value"] == pytest.approx(7000 * 512 * 2**30 / 1e15)
    assert budget["low"] == pytest.approx(3000 * 512 * 2**30 / 1e15)
    # without its background programs the flash would last a little longer
    daily = step["flash programmed"]["value"] / 1e6
    alone = _years(budget["value"] / daily / 365, 0.2)
    assert step["end of the media"]["value"] == pytest.approx(alone, rel=0.1)
    assert step["end of the media"]["value"] < alone
    assert step["end of the media"]["value"] == explained.json["life_years_media"]


def test_large_figures_have_all_their_digits(drivecast: Callable[..., Any]) -> None:
    use = ("--write-per-day", "69TB", "--years", "4", "--explain")
    done = drivecast("wear", "raid10(4 * samsung-pm893-480gb)", "-w", LINE, *use)
    assert "69,000 GB" in done.out
    assert "e+" not in done.out


def _years(flat: float, growth: float) -> float:
    return log(1 + flat * log(1 + growth)) / log(1 + growth)


def test_two_dates_count_from_the_date_of_the_prices(explained: Any) -> None:
    found = explained.json
    step = rows(found)
    assert found["date"] == "2026-11-01"
    assert step["end of the media"]["date"] == found["media_end"]
    assert found["media_end_low"] <= found["media_end"] <= found["media_end_high"]
    assert step["end of the warranty"]["date"] == found["warranty_end"]


def test_text_and_csv_have_the_same_steps(drivecast: Callable[..., Any], explained: Any) -> None:
    design = ("wear", "raid10(4 * samsung-pm893-480gb)", "-w", LINE, *USE, "--explain")
    table = list(csv.DictReader(io.StringIO(drivecast(*design, "--output-format", "csv").out)))
    assert [row["name"] for row in table] == [row["name"] for row in explained.json["steps"]]
    text = drivecast(*design).out
    for row in explained.json["steps"]:
        assert row["name"] in text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("samsung-pm893-480gb", "-w", LINE), "--write-per-day"),
        (("seagate-exos-x20-20tb", "-w", LINE, "--write-per-day", "1GB"), "flash drive of the catalog"),
        (("samsung-pm893-480gb", "-w", LINE, "--write-per-day", "1GB", "--years", "-1"), "--years"),
        (("samsung-pm893-480gb", "-w", LINE, "--write-per-day", "1GB", "--growth", "x"), "--growth"),
    ],
)
def test_what_is_missing_is_said(
    drivecast: Callable[..., Any], arguments: tuple[str, ...], expected: str
) -> None:
    done = drivecast("wear", *arguments, "--explain")
    assert done.code == 2
    assert expected in done.err
    assert not done.out


def test_a_longer_wait_in_a_drawer_leaves_fewer_cycles(drivecast: Callable[..., Any]) -> None:
    """Twelve months where the rule gives 1.79 at these temperatures: that many times fewer cycles, and a sooner end."""
    design = ("wear", "samsung-pm893-480gb", "-w", LINE, "--write-per-day", "151GB", "--explain")
    step = rows(drivecast(*design, "--keep-months", "12", "--output-format", "json").json)
    assert step["budget of the flash"]["value"] == pytest.approx(
        7000 * 512 * 2**30 / 1e15 * 1.786 / 12, rel=1e-3
    )
    assert step["budget of the flash"]["provenance"] == "derived"
    refused = drivecast(*design, "--keep-months", "0")
    assert refused.code == 2
    assert "--keep-months" in refused.err
