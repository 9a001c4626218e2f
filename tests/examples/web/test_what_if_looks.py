"""The what-if page at four widths in both themes: no text is cut, nothing is lost to a screen reader, none on paper."""

import pytest

from browser import NARROW_AND_WIDE, Show, at_widths, clipped, violations

pytest_plugins = ["asked_report"]


def test_no_text_is_cut(show: Show) -> None:
    page = show()
    assert not {width: cut for width in at_widths(page) if (cut := clipped(page))}
    page.get_by_role("button", name="Half the latency").click()
    page.locator(".wi-grid tbody tr").nth(1).get_by_role("button").click()
    assert not {width: cut for width in at_widths(page) if (cut := clipped(page))}


@pytest.mark.parametrize(("width", "dark"), [*zip(NARROW_AND_WIDE, (True, False), strict=True)])
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


def test_dark_is_dark_light_is_light_and_paper_has_none_of_it(show: Show) -> None:
    page = show()

    def brightness() -> int:
        colour = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        return sum(page.evaluate(colour)[:3])

    assert brightness() > 700
    page.emulate_media(color_scheme="dark")
    assert brightness() < 150
    assert page.is_visible("#what-if")
    page.emulate_media(media="print")
    assert not page.is_visible("#what-if")
    assert page.is_visible("h1")
