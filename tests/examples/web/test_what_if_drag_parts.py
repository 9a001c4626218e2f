"""A cache and a volume dragged on the what-if page, by mouse and by keys: the figures of the design follow."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import NARROW_AND_WIDE, PLAYED, Show, at_widths, clipped, violations

pytest_plugins = ["asked_report"]


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


def pick_gp3(page: Page) -> None:
    page.locator(".wi-grid tbody tr", has_text="EBS gp3:").first.locator("[role=rowheader]").click()
    expect(page.locator(".wi-editor code")).to_contain_text("aws-gp3-")


def line(page: Page, pattern: str) -> None:
    expect(page.locator(".wi-editor code")).to_have_text(re.compile(pattern), timeout=PLAYED)


def drag(page: Page, edge: Locator, share: float) -> None:
    """Take the edge of a band with the mouse, and draw it to a share of the band."""
    edge.scroll_into_view_if_needed()
    grip, band = edge.bounding_box(), edge.locator("xpath=..").bounding_box()
    y = grip["y"] + grip["height"] / 2
    page.mouse.move(grip["x"] + grip["width"] / 2, y)
    page.mouse.down()
    for part in (0.5, 1.0):
        page.mouse.move(grip["x"] + part * (band["x"] + share * band["width"] - grip["x"]), y)
    page.mouse.up()


def test_a_cache_of_another_size_says_first_whether_it_fits_and_then_its_life(
    show: Show, cached: Path
) -> None:
    page = show(cached)
    drag(page, slider(page, "Edge of what the cache takes"), 0.6)
    line(page, r"kingston-dc600m-480gb\[partition=0\.6\]")
    expect(slider(page, "Edge of what the cache takes")).to_have_attribute(
        "aria-valuetext", "288 GB of 480 GB, the rest spare"
    )
    expect(page.locator(".wi-head")).to_contain_text(
        "meets the limits on latency; its life is not worked out yet"
    )
    figures = page.locator(".wi-figures")
    expect(figures).to_contain_text(re.compile(r"Headroom\s*≥"))
    expect(figures).to_contain_text(re.compile(r"Life\s*not yet"))
    expect(figures).to_contain_text(re.compile(r"Cost\s*≥ \$"))
    expect(figures).to_contain_text(re.compile(r"Life\s*[0-9.]+ y"), timeout=PLAYED)
    expect(figures).to_contain_text(re.compile(r"Headroom\s*[0-9.]+×"))
    expect(page.locator(".wi-editor .state")).to_have_text("fits")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()  # the whole drag was one step


def test_keys_drag_a_cache_and_the_focus_stays(show: Show, cached: Path) -> None:
    page = show(cached)
    edge = slider(page, "Edge of the cache")
    edge.press("ArrowRight")
    line(page, r"fast=raid1\(3 \* ")
    expect(edge).to_be_focused()
    expect(edge).to_have_attribute("aria-valuetext", "3 drives: 1 data, 2 mirror")
    expect(page.locator(".wi-change", has_text="$")).to_contain_text("worse", timeout=PLAYED)


def test_a_volume_is_dragged_and_its_rent_and_latency_follow(show: Show, rented: Path) -> None:
    page = show(rented)
    pick_gp3(page)
    before = page.inner_text(".wi-rent")
    drag(page, slider(page, "Edge of the size"), 0.75)
    line(page, r"^aws-gp3-[0-9]{4}gib-")
    assert page.inner_text(".wi-rent") != before
    expect(page.locator(".wi-change", has_text="$")).to_contain_text("worse")
    slider(page, "Edge of the IOPS").press("Home")
    line(page, "-3000iops-")
    expect(page.locator(".wi-editor .state")).to_have_text("misses", timeout=PLAYED)
    expect(page.locator(".wi-head")).to_contain_text(re.compile("too slow|no headroom"))
    slider(page, "Edge of the throughput").press("End")
    line(page, "-3000iops-750mib$")  # a quarter of a MiB/s for each IOPS at most
    slider(page, "Edge of the throughput").press("Escape")
    slider(page, "By rent of this size").press("ArrowRight")
    expect(page.locator(".wi-editor code")).not_to_have_text(re.compile("^aws-gp3-"), timeout=PLAYED)


@pytest.mark.parametrize("which", ["cached", "rented"])
def test_pictures_of_caches_and_volumes_are_whole_and_accessible(
    show: Show, which: str, request: pytest.FixtureRequest
) -> None:
    page = show(request.getfixturevalue(which))
    if which == "rented":
        pick_gp3(page)
    for width in at_widths(page):
        assert (width, clipped(page)) == (width, [])
        if width in NARROW_AND_WIDE:
            assert (width, violations(page, ".wi-editor")) == (width, [])
    page.emulate_media(color_scheme="dark")
    assert violations(page, ".wi-editor") == []
