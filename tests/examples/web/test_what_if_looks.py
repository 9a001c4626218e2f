"""The what-if page at four widths in both themes: no text is cut, nothing is lost to a screen reader, none on paper."""

import pytest

from browser import Show, clipped, violations

pytest_plugins = ["asked_report"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1440, 2560])
def test_no_text_is_cut(show: Show, width: int, dark: bool) -> None:
    page = show(width=width, dark=dark)
    assert clipped(page) == []
    page.get_by_role("button", name="Half the latency").click()
    page.locator(".wi-grid tbody tr").nth(1).get_by_role("button").click()
    assert clipped(page) == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
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
