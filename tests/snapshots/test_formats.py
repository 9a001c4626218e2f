"""The tables of formats in the documentation are what the reader's own descriptions say."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_formats_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts/formats.py"))
    page = (ROOT / "docs/reference/formats.md").read_text()
    assert page == script["render"](page), "run `make docs`"
