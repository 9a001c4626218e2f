"""Caches before disks on the what-if page, in Chromium: shown side by side, edited, played, taken away and put back."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from browser import PLAYED, Show, violations

pytest_plugins = ["asked_report"]


def line(page: Page) -> str:
    return page.inner_text(".wi-editor code")


def played(page: Page, before: str) -> str:
    """The line of the design that takes the place of `before`."""
    page.wait_for_function(
        "before => ![before, undefined].includes(document.querySelector('.wi-editor code')?.textContent)",
        arg=before,
        timeout=PLAYED,
    )
    return line(page)


def test_the_winner_is_shown_with_what_each_side_does(show: Show, cached: Path) -> None:
    page = show(cached)
    expect(page.locator(".wi-answer")).to_contain_text("behind a cache of")
    assert line(page).startswith("cache(fast=raid1(2 * ")
    sides = page.locator(".wi-sides")
    expect(sides).to_contain_text("hit the warm cache")
    for label in ("Cost", "Life", "Data loss", "Power", "Busy at the peak", "Written a day"):
        row = sides.get_by_role("row", name=re.compile(f"^{label}"))
        assert row.get_by_role("cell").count() == 2
    assert violations(page, "#what-if") == []


def test_the_cache_is_edited_and_each_change_is_played(show: Show, cached: Path) -> None:
    page = show(cached)
    was = line(page)
    page.get_by_label(re.compile("^Cache drive(?!s)")).select_option("solidigm-d5-p5336-15.36tb")
    larger = played(page, was)
    assert "2 * solidigm-d5-p5336-15.36tb" in larger
    page.get_by_label("Cache mode").select_option("writethrough")
    assert played(page, larger).endswith("mode=writethrough)")
    expect(page.locator(".wi-editor .state")).to_have_text("misses")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_cache_is_taken_away_and_put_back(show: Show, cached: Path) -> None:
    page = show(cached)
    was = line(page)
    page.get_by_role("button", name="Without the cache").click()
    alone = played(page, was)
    assert alone == re.search(r"slow=(.*), policy=", was)[1]  # type: ignore[index]
    expect(page.locator(".wi-sides")).to_have_count(0)
    page.wait_for_timeout(1000)  # a step of its own in the history
    page.get_by_role("button", name="Add a flash cache").click()
    assert played(page, alone) == was
    page.wait_for_timeout(1000)  # a known design shows before the parts have rested and the step is one
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".wi-editor code")).to_have_text(alone)
