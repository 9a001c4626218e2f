"""The tables of metrics in the documentation are what the program tells."""

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_metrics_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts/metrics.py"))
    page = (ROOT / "docs/reference/health-metrics.md").read_text()
    assert page == script["render"](page), "run `make docs`"
