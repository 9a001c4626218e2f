"""The report as a plan's page shows it, in a sandbox: its what-if section answers, tries designs out and exports."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

import browser as browsers
from served import SHORT, Served

pytest_plugins = ["served_once"]


@pytest.fixture(scope="module")
def plan(server: Served, trace: str) -> str:
    """A plan of designs that fit."""
    options = {**SHORT, "budget": "1500"}
    made = server.ask("POST", "/plans", 202, json={"traces": [trace], "options": options})
    found = server.ended(f"/plans/{made['id']}")
    assert found["state"] == "done", found
    return str(found["id"])


@pytest.fixture
def page(browser: Browser, server: Served, plan: str) -> Iterator[Page]:
    """The plan's page with the report in it."""
    address = f"http://127.0.0.1:{server.port}/#/plans/{plan}"
    with browsers.opened(browser, address, accept_downloads=True) as found:
        found.get_by_role("button", name="Show the report here").click()
        found.frame_locator("iframe.report").locator(".wi-answer").wait_for(timeout=60_000)
        yield found


@pytest.fixture
def report(page: Page) -> FrameLocator:
    return page.frame_locator("iframe.report")


def test_it_ranks_again(report: FrameLocator) -> None:
    answer = report.locator(".wi-answer")
    expect(answer).to_contain_text("Cheapest that fits")
    before = answer.inner_text()
    budget = report.get_by_label("Budget", exact=True)
    budget.fill("50")
    expect(answer).to_contain_text("Nothing fits")
    report.get_by_role("button", name="Undo").click()
    expect(answer).to_have_text(re.compile(re.escape(before.split("\n")[0])))


def test_it_tries_a_design_out(report: FrameLocator) -> None:
    line = report.locator(".wi-editor code")
    before = line.inner_text()
    report.get_by_label("Level").select_option("raid10")
    expect(line).not_to_have_text(before, timeout=browsers.PLAYED)
    expect(line).to_have_text(re.compile(r"^raid10\("))
    expect(report.locator("progress")).to_have_count(0, timeout=browsers.PLAYED)
    expect(report.get_by_role("alert")).to_have_count(0)


def test_it_exports(page: Page, report: FrameLocator, tmp_path: Path) -> None:
    assert browsers.exported(page, report, tmp_path)


def test_its_link_opens_the_report_with_what_was_set(page: Page, report: FrameLocator, plan: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    report.get_by_label("Years of service", exact=True).fill("3")
    report.get_by_role("button", name="Copy link").click()
    expect(report.get_by_role("status").first).to_contain_text("The link is on the clipboard")
    link = page.evaluate("navigator.clipboard.readText()")
    assert f"/plans/{plan}/report#what-if=" in link
    page.goto(link)
    expect(page.get_by_label("Years of service", exact=True)).to_have_value("3")
