"""Fixtures of the what-if page, a plugin of the tests that name it: a report with the page in it, open in Chromium."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import browser
import cached_plan
import made_once
import real_plan
from drivecast.document.plan import Plan
from drivecast.document.report_payload import ReportPayload
from drivecast.present import page
from needs import needs


@pytest.fixture(scope="module")
def chromium_running(chromium: str) -> Iterator[Browser]:
    with browser.running(chromium) as found:
        yield found


def written(name: str, plan: Callable[[], Plan], carried: Callable[[], ReportPayload]) -> Path:
    """The report of a plan with the what-if page inside, written once a test run."""
    needs("pages", "wasm")  # of `make web`
    return made_once.file(name, lambda: page.render(plan().carrying(carried())))


@pytest.fixture(scope="session")
def report() -> Path:
    """The report of a small plan."""
    return written("report.html", real_plan.plan, real_plan.carried)


@pytest.fixture(scope="session")
def rented() -> Path:
    """A report of drives and volumes."""
    return written("rented.html", real_plan.with_rented, real_plan.carried_rented)


@pytest.fixture(scope="session")
def cached() -> Path:
    """The report of a plan in which a cache wins."""
    return written("cached.html", cached_plan.plan, cached_plan.carried)


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
