"""The page of tables is what the definition says."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_tables_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts/tables.py"))
    assert (ROOT / "docs/reference/tables.md").read_text() == script["render"](), "run scripts/tables.py"
