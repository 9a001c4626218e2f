"""A report on paper and on screens: its first page on one sheet, no text beyond the window."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from pypdf import PdfReader

import compared
import real_plan
from drivecast.document.plan import Plan
from drivecast.present import page, side_by_side_page

MUCH = " The prices of all of these drives were gathered on one day, by hand, from what shops show."


def _plan() -> Plan:
    """A plan with a good deal to say: what runs now, a neighbour, and an assumption changed in most scenarios."""
    made = real_plan.document()
    other = made["designs"][1]["line"]
    for flip in made["flips"][:5]:
        flip.update(changed=True, winner=other)
    made["beside"] = {"line": other, "better": "headroom", "factor": 10.0, "cost_more": 0.03}
    next(design for design in made["designs"] if design["yours"])["today"] = True
    made["assumptions"][0]["source"] += MUCH
    return Plan.check(made)


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_first_page_fits_one_sheet(chromium: str, tmp_path: Path, paper: str) -> None:
    html = page.render(_plan()).replace("<style>", f"<style>@page {{ size: {paper}; }}", 1)
    (tmp_path / "plan.html").write_text(html, encoding="utf-8")
    pdf = tmp_path / "plan.pdf"
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        f"--print-to-pdf={pdf}",
    ]
    subprocess.run([chromium, *options, (tmp_path / "plan.html").as_uri()], check=True, capture_output=True)
    first, second = (" ".join(sheet.extract_text().split()) for sheet in PdfReader(pdf).pages[:2])
    for said in ("Buy 2 × ", "Today, ", "10× the headroom", "Does the winner change?", "Main assumptions"):
        assert said in first
    assert first.rstrip().endswith("a data sheet makes this better)."), "the last of the caveats"
    assert second.startswith("What buyers ask")


MEASURE = (
    "<script>document.body.dataset.width = document.documentElement.scrollWidth + '/' + innerWidth</script>"
)


def long_address() -> str:
    """A plan with an address that no line has room for."""
    made = real_plan.document()
    made["assumptions"][1]["source"] = f"https://{'a-long-name.' * 12}example/and/a/path"
    return page.render(Plan.check(made))


def three_designs() -> str:
    """A comparison of three designs, one of a long name."""
    found = compared.found()
    third = found.designs[1].model_copy(update={"line": "raid10(" + "a-long-name-of-a-drive, " * 4 + ")"})
    runs = [
        run.model_copy(update={"design": third.line}) for run in found.runs if run.design == compared.DISKS
    ]
    more = {"designs": [*found.designs, third], "runs": [*found.runs, *runs]}
    return side_by_side_page.render(found.model_copy(update=more))


@pytest.mark.parametrize(("made", "width"), [(long_address, 500), (long_address, 1280), (three_designs, 800)])
def test_no_text_makes_the_page_wider_than_its_window(
    chromium: str, tmp_path: Path, made: Callable[[], str], width: int
) -> None:
    html = made().replace("</body>", f"{MEASURE}</body>")
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},1000", "--dump-dom"]
    command = [chromium, *options, (tmp_path / "page.html").as_uri()]
    dom = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    measured = re.search(r'data-width="(\d+)/(\d+)"', dom)
    assert int(measured[1]) <= int(measured[2])
