"""Cloud volumes on the what-if page, in Chromium: ranked, changed within the rules of their kind, and played."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser import Show

pytest_plugins = ["asked_report"]
PLAYED = 60_000
"""Milliseconds within which one design is played, on a machine that does other things, too."""


@pytest.fixture
def page(show: Show, rented: Path) -> Page:
    """The report with a volume of gp3 picked."""
    found = show(rented)
    found.locator(".wi-grid tbody tr", has_text="EBS gp3:").first.locator("[role=rowheader]").click()
    expect(found.locator(".wi-editor code")).to_contain_text("aws-gp3-")
    return found


def played(page: Page, line: str) -> None:
    expect(page.locator(".wi-editor code")).to_have_text(re.compile(line), timeout=PLAYED)


def rent(page: Page) -> float:
    found = re.search(r"\$([\d,.]+) a month", page.inner_text(".wi-rent"))
    assert found
    return float(found[1].replace(",", ""))


def test_a_volume_is_changed_by_sliders_and_played(page: Page) -> None:
    before = rent(page)
    page.get_by_label("Size", exact=True).fill("500")
    played(page, "^aws-gp3-500gib-")
    assert rent(page) > before
    page.get_by_label("IOPS", exact=True).fill("9000")
    played(page, "^aws-gp3-500gib-9000iops-")
    expect(page.locator(".wi-editor .state")).to_have_text(re.compile("fits|misses"))
    page.get_by_label("Throughput, slider").press("End")
    played(page, "^aws-gp3-500gib-9000iops-2000mib$")
    assert rent(page) == pytest.approx(500 * 0.08 + 6000 * 0.005 + 1875 * 0.04)
    page.hover(".wi-rent .figure")
    expect(page.get_by_role("tooltip")).to_contain_text("A GiB, $0.08 a month: published")


def test_another_kind_and_several_volumes_and_what_no_kind_allows(page: Page) -> None:
    page.get_by_label("IOPS", exact=True).fill("1000000")
    expect(page.get_by_role("alert")).to_contain_text("from 3,000 to")
    page.get_by_label("Kind").select_option("gcp-pd-ssd")
    played(page, "^gcp-pd-ssd-[0-9]+gib$")
    expect(page.locator(".wi-fields:not(.wi-rails)")).to_contain_text("With this size:")
    page.get_by_label("Level").select_option("raid0")
    page.get_by_label("Volumes", exact=True).fill("2")
    played(page, r"^raid0\(2 \* gcp-pd-ssd-[0-9]+gib\)$")


def test_more_headroom_proposes_volumes_that_are_played(page: Page) -> None:
    page.get_by_label("Price of rents", exact=True).fill("0.2")
    page.get_by_label("Usable capacity", exact=True).fill("400")
    page.wait_for_timeout(500)  # longer than a try-out waits for the next change
    expect(page.locator("progress")).to_have_count(0, timeout=2 * PLAYED)
    rows = page.locator(".wi-grid tbody tr", has_text="373 GiB")
    expect(rows.first).to_be_visible()
