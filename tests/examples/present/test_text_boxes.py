"""No text is cut or lies over another, whatever fonts a reader has: pages on screens and paper, figures of the docs."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import database_result
import real_plan
from drivecast.present import page, result_page
from text_boxes import Fault

Faults = Callable[[dict[str, str]], list[Fault]]
IMAGES = Path(__file__).parents[3] / "docs/images"


def _figures() -> str:
    """Every figure of the documentation, as wide as the page."""
    drawn = [path.read_text(encoding="utf-8") for path in sorted(IMAGES.glob("*.svg"))]
    return page.filled("base.html").replace(
        "</body>", "".join(f"<figure>{svg}</figure>" for svg in drawn) + "</body>"
    )


PAGES: dict[str, Callable[[], str]] = {
    "plan": lambda: page.render(real_plan.plan()),
    "plan with rented volumes": lambda: page.render(real_plan.with_rented()),
    "plan that nothing fits": real_plan.page_that_nothing_fits,
    "profile": real_plan.page_of_profile,
    "result": lambda: result_page.render(database_result.made()),
    "figures": _figures,
}


@cache
def _pages() -> dict[str, str]:
    return {name: made() for name, made in PAGES.items()}


def test_every_text_can_be_read(faults: Faults) -> None:
    assert faults(_pages()) == []


def test_texts_that_are_cut_or_covered_are_found(faults: Faults) -> None:
    covered = '<p style="width:5em">one</p><p style="margin-top:-2em;width:5em">two</p>'
    wide = '<p style="width:5em;white-space:nowrap">broader than its paragraph</p>'
    drawn = '<svg viewBox="0 0 100 20" width="100"><text x="80" y="15" font-size="16">cut at the edge</text></svg>'
    beyond = '<p style="margin-left:650px;white-space:nowrap">beyond the window</p>'
    found = faults({"page": f"<body>{covered}{wide}{drawn}{beyond}</body>"})
    assert {(fault.what, fault.text) for fault in found if fault.frame == "A4"} == {
        ("overlaps", "one | two"),
        ("leaves its box", "broader than its paragraph"),
        ("leaves its box", "cut at the edge"),
        ("is cut by the window", "beyond the window"),
    }


def test_a_page_without_its_typeface_is_cut_where_the_font_in_its_place_is_wide(
    faults: Faults, request: pytest.FixtureRequest
) -> None:
    bare = _pages()["plan"].replace("@font-face", "@media not all")
    assert bool(faults({"plan": bare})) == ("[wide" in request.node.name)
