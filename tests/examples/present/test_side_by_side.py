"""A comparison as text, figures and a page: every design, no line or element too wide."""

import re

import compared
from drivecast.present import replacement_text, side_by_side, side_by_side_page, style
from drivecast.present.grid import WIDTH


def test_no_line_of_the_answer_is_too_long() -> None:
    text = side_by_side.text(compared.found()).plain
    answer = text.partition("Healthy")[0].splitlines()
    assert max(map(len, answer[5:])) <= WIDTH
    assert max(map(len, text.splitlines())) <= 130


def test_what_is_worse_is_in_the_title() -> None:
    found = compared.found()
    flash, disks = found.designs
    dear = flash.cost.model_copy(update={"total": disks.cost.total * 2})
    worse = found.model_copy(update={"designs": [flash.model_copy(update={"cost": dear}), disks]})
    title = replacement_text.title(worse, worse.replacements[0])
    assert "but " in title
    assert "costs more" in title


def test_a_design_that_replaces_nothing_says_so() -> None:
    found = compared.found()
    (each,) = found.replacements
    none = each.model_copy(
        update={
            "holds": False,
            "reached": [
                reached.model_copy(update={"at": None, "clear_at": None}) for reached in each.reached
            ],
        }
    )
    cannot = found.model_copy(update={"replacements": [none]})
    assert "cannot replace" in replacement_text.title(cannot, none)


def test_an_answer_that_rests_on_intervals_that_overlap_is_open() -> None:
    found = compared.found()
    (each,) = found.replacements
    first = each.reached[0].model_copy(update={"at": None, "clear_at": None, "undecided": True})
    doubtful = each.model_copy(
        update={"holds": False, "undecided": True, "reached": [first, *each.reached[1:]]}
    )
    assert "Cannot tell whether " in replacement_text.title(found, doubtful)


def test_a_figure_has_both_operations_every_design_and_the_loads() -> None:
    (figure,) = side_by_side_page.figures(compared.found(), "degraded")
    document = style.spec(figure.chart)
    assert len(document["hconcat"]) == 2
    rows = [row for data in document["datasets"].values() for row in data if "behind" in row]
    assert {row["at"] for row in rows} == {1.0, 40.0}
    assert {row["label"][0] for row in rows} == {"A", "B"}
    assert any(row["behind"] for row in rows)
    assert "load" in figure.caption


def test_the_page_asks_for_nothing_and_no_id_comes_twice() -> None:
    html = side_by_side_page.render(compared.found())
    assert not re.search(r"\bsrc=|<script|<link|@import", html)
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert html.count("<svg") == 3
