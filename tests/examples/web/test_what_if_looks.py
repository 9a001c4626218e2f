"""The what-if page at four widths in both themes: no text is cut, nothing is lost to a screen reader, none on paper."""

import pytest

from browser import NARROW_AND_WIDE, Show, at_widths, clipped, violations

pytest_plugins = ["asked_report"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_text_is_cut(show: Show, dark: bool) -> None:
    page = show(dark=dark)
    assert not {width: cut for width in at_widths(page) if (cut := clipped(page))}
    page.get_by_role("button", name="Half the latency").click()
    page.locator(".wi-grid tbody tr").nth(1).get_by_role("button").click()
    assert not {width: cut for width in at_widths(page) if (cut := clipped(page))}


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", NARROW_AND_WIDE)
def test_axe_finds_nothing(show: Show, width: int, dark: bool) -> None:
    page = show(width=width, dark=dark)
    page.locator("#what-if details summary").click()
    assert violations(page, "#what-if") == []
    page.get_by_label("Budget", exact=True).fill("x")
    assert violations(page, "#what-if") == []
    page.get_by_label("Budget", exact=True).fill("50")
    page.set_input_files(
        "input[type=file]", {"name": "x.json", "mimeType": "application/json", "buffer": b"no JSON"}
    )
    page.wait_for_selector(".notice.error")
    page.locator(".wi-grid tbody tr").nth(1).get_by_role("button").click()
    assert violations(page, "#what-if") == []


def test_dark_is_dark_and_light_is_light(show: Show) -> None:
    def brightness(dark: bool) -> int:
        colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        return sum(show(dark=dark).evaluate(colour)[:3])

    assert brightness(dark=True) < 150
    assert brightness(dark=False) > 700


def test_paper_has_none_of_it(show: Show) -> None:
    page = show()
    assert page.is_visible("#what-if")
    page.emulate_media(media="print")
    assert not page.is_visible("#what-if")
    assert page.is_visible("h1")
