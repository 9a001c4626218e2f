"""The page and the report say in the same words why a design misses: each words it in a language of its own."""

import csv
from pathlib import Path

import real_plan
from browser import Show
from drivecast.present.reason import miss_text

pytest_plugins = ["asked_report"]


def test_the_page_words_a_miss_as_the_report_does(show: Show, tmp_path: Path) -> None:
    page, plan = show(), real_plan.plan()
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV", exact=True).click()
    saved.value.save_as(tmp_path / "what-if.csv")
    rows = list(csv.DictReader((tmp_path / "what-if.csv").read_text(encoding="utf-8").splitlines()))
    reasons = {row["line"]: row["reason"] for row in rows}
    missing = [design for design in plan.designs if design.verdict == "misses"]
    assert len(missing) >= 3
    for design in missing:
        assert reasons[design.line].split("; ")[0] == miss_text(design.misses[0], design.currency), (
            design.line
        )
    origins = {row["drive_price_origin"].split(":")[0] for row in rows}
    assert origins <= {"published", "assumed", "measured", "derived", "fitted"}, "none was set"
