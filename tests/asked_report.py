"""Fixtures of the what-if page, a plugin of the tests that name it: a report with the page in it, open in Chromium."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import browser
import real_plan
from drivecast.present import page
from needs import needs


@pytest.fixture(scope="module")
def chromium_running(chromium: str) -> Iterator[Browser]:
    """Chromium; without what `make web` builds, there would be nothing to open."""
    needs("pages", "wasm")
    with browser.running(chromium) as found:
        yield found


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a small plan, with the what-if page inside."""
    found = tmp_path_factory.mktemp("report") / "report.html"
    found.write_text(page.render(real_plan.plan().carrying(real_plan.carried())), encoding="utf-8")
    return found


@pytest.fixture
def show(chromium_running: Browser, report: Path) -> Iterator[browser.Show]:
    """Open the report, or a page in its place; whatever it complains of fails the test."""
    with ExitStack() as stack:

        def opened(at: Path = report, *, fragment: str = "", width: int = 1440, **options: Any) -> Page:
            found = stack.enter_context(
                browser.opened(chromium_running, at.as_uri() + fragment, width, **options)
            )
            found.wait_for_selector("#what-if section")
            return found

        yield opened
