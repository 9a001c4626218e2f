"""A report on paper and on screens: its first page on one sheet, no text beyond the window."""

import re
import subprocess
from pathlib import Path

import pytest
from pypdf import PdfReader

import real_plan
from drivecast.document.plan import Plan
from drivecast.present import page

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


@pytest.mark.parametrize("width", [500, 800, 1280])
def test_no_text_makes_the_page_wider_than_its_window(chromium: str, tmp_path: Path, width: int) -> None:
    made = real_plan.document()
    made["assumptions"][1]["source"] = f"https://{'a-long-name.' * 12}example/and/a/path"
    html = page.render(Plan.check(made)).replace("</body>", f"{MEASURE}</body>")
    (tmp_path / "plan.html").write_text(html, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},1000", "--dump-dom"]
    command = [chromium, *options, (tmp_path / "plan.html").as_uri()]
    dom = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    measured = re.search(r'data-width="(\d+)/(\d+)"', dom)
    assert measured is not None
    assert int(measured[1]) <= int(measured[2])
