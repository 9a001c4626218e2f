"""The page of figures by maker is what the rules say."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_figures_by_maker_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts/smart.py"))
    assert (ROOT / "docs/reference/smart.md").read_text() == script["render"](), "run `make docs`"
