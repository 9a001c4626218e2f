"""In a browser, on the real server: a token, a server that goes away, two who edit one plan, events that are lost."""

import os
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import browser as browsers
from served import Served, serving, start, tiny

pytest_plugins = ["served_once"]
AWAY = "The server does not answer."
TOKEN = "a token of thirty-two characters"  # noqa: S105


@pytest.fixture
def plan(server: Served, trace: str) -> Iterator[str]:
    """A plan that takes longer than a test."""
    asked = {
        "traces": [trace],
        "options": {"peak_window": 1.0, "where": "any"},
        "name": "ours",
    }
    found = str(server.ask("POST", "/plans", 202, json=asked)["id"])
    yield found
    server.client.delete(f"/api/v1/plans/{found}")  # a test may have


def address(server: Served, place: str = "") -> str:
    return f"http://127.0.0.1:{server.port}/{place}"


def test_a_token_is_asked_once(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path / "data", token=TOKEN) as server,
        browsers.opened(browser, address(server, "#/plans")) as page,
    ):
        page.get_by_label("This server wants its token").fill("wrong")
        page.get_by_role("button", name="Open").click()
        expect(page.locator("#token-wrong")).to_be_visible()
        assert not browsers.violations(page)
        page.get_by_label("This server wants its token").fill(TOKEN)
        page.get_by_role("button", name="Open").click()
        expect(page.get_by_text("No plan yet.")).to_be_visible()
        page.reload()
        expect(page.get_by_text("No plan yet.")).to_be_visible()


def test_a_server_that_goes_away_loses_nothing_but_the_plan_it_was_making(
    browser: Browser, tmp_path: Path
) -> None:
    server = start(tmp_path / "data")
    port = server.port
    try:
        trace = server.upload("tiny.blktrace", tiny(tmp_path))["id"]
        server.ended(f"/traces/{trace}")
        plan = server.ask("POST", "/plans", 202, json={"traces": [trace]})["id"]
        with (
            browsers.opened(browser, address(server, f"#/plans/{plan}")) as follows,
            browsers.opened(browser, address(server, f"#/plans/new?traces={trace}")) as types,
        ):
            follows.get_by_role("progressbar").wait_for()
            types.get_by_label("Usable capacity").fill("300GB")
            expect(types.get_by_role("button", name="Plan", exact=True)).to_be_enabled()
            server.end()
            types.get_by_role("button", name="Plan", exact=True).click()
            for page in (types, follows):
                expect(page.get_by_text(AWAY)).to_be_visible(timeout=60_000)
            assert not browsers.violations(types)
            expect(types.get_by_label("Usable capacity")).to_have_value("300GB")
            types.get_by_role("link", name="Plans").click()
            server = start(tmp_path / "data", port=port)
            types.get_by_role("button", name="Try now").click()
            types.get_by_role("link", name="New plan").click()
            expect(types.get_by_label("Usable capacity")).to_have_value("300GB")
            state = follows.locator(".plan-state .state")
            expect(state).to_contain_text("interrupted", timeout=60_000)
            expect(state).to_contain_text("the server ended while it ran")
            for page in (types, follows):
                expect(page.get_by_text(AWAY)).to_have_count(0)
            follows.get_by_role("button", name="Run again").click()
            expect(follows.get_by_role("progressbar")).to_be_visible()
            server.ask("DELETE", f"/plans/{plan}", 204)
    finally:
        server.end()


SLOW = """
const quick = window.fetch
window.fetch = (path, init) => new Promise(resolve => setTimeout(resolve, 3000)).then(() => quick(path, init))
"""
"""A server that takes longer to answer than the two seconds between two polls."""


NEWS = """first => {
  const what = document.querySelector('.job-what')
  return !what || what.textContent !== first
}"""


def test_progress_is_polled_where_no_event_comes_through(browser: Browser, server: Served, plan: str) -> None:
    """The plan waits until its page is there, however long that takes."""
    with (
        held(server.working(plan)) as resume,
        browsers.opened(browser, address(server), before=SLOW) as page,
    ):
        page.route("**/api/v1/events", lambda route: route.abort())
        page.goto(address(server, f"#/plans/{plan}"))
        page.reload()
        page.get_by_role("progressbar").wait_for()
        first = page.locator(".job-what").inner_text()
        resume()
        page.wait_for_function(NEWS, arg=first, timeout=60_000)
        server.client.post(f"/api/v1/plans/{plan}/cancel")
        ended = re.compile("cancelled|done")  # a quick machine may be first
        expect(page.locator(".plan-state .state")).to_have_text(ended, timeout=30_000)


@contextmanager
def held(pid: int) -> Iterator[Callable[[], None]]:
    """A process that is stopped until it is resumed, or the block ends."""

    def resume() -> None:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)

    os.kill(pid, signal.SIGSTOP)
    try:
        yield resume
    finally:
        resume()


def test_a_plan_that_says_nothing_is_said_to_work_still(browser: Browser, server: Served, plan: str) -> None:
    with (
        held(server.working(plan)) as resume,
        browsers.opened(browser, address(server, f"#/plans/{plan}")) as page,
    ):
        quiet = page.locator(".quiet")
        expect(quiet).to_have_text(re.compile(r"^still working, last news \d+ s ago$"), timeout=30_000)
        seconds = said(quiet.inner_text())
        page.reload()
        expect(quiet).to_be_visible()
        assert said(quiet.inner_text()) >= seconds, "another page knows it, too"
        assert not browsers.violations(page)
        resume()
        expect(quiet).to_have_count(0)


def said(text: str) -> int:
    """The seconds of a sentence."""
    return int(re.sub(r"\D", "", text))


def test_two_browsers_see_what_either_does(browser: Browser, server: Served, plan: str) -> None:
    place = address(server, f"#/plans/{plan}")
    with browsers.opened(browser, place) as hers, browsers.opened(browser, place) as his:
        his.get_by_role("progressbar").wait_for()
        his.get_by_text("raid").first.wait_for()  # which design is being tried
        assert not browsers.violations(his)
        edit(hers, "hers")
        hers.get_by_role("button", name="Save").click()
        expect(his.locator(".notes")).to_have_text("hers")
        hers.get_by_role("button", name="Cancel", exact=True).click()
        expect(his.locator(".plan-state .state")).to_have_text("cancelled")
        assert server.state(f"/plans/{plan}") == "cancelled"
        his.get_by_role("button", name="Run again").click()
        expect(hers.get_by_role("progressbar")).to_be_visible()
        edit(his, "half a sent")
        hers.get_by_role("button", name="Delete").click()
        hers.get_by_role("group", name="Delete this plan?").get_by_role("button", name="Delete").click()
        expect(hers.get_by_role("heading", level=1)).to_have_text("Plans")
        expect(his.get_by_text(f"there is no plan `{plan}`")).to_be_visible()


def test_two_who_edit_one_plan_both_see_what_was_written(browser: Browser, server: Served, plan: str) -> None:
    with browsers.opened(browser, address(server, f"#/plans/{plan}")) as page:
        edit(page, "mine")
        theirs = {"If-Match": server.client.get(f"/api/v1/plans/{plan}").headers["etag"]}
        server.ask("PATCH", f"/plans/{plan}", json={"notes": "<b>theirs</b>"}, headers=theirs)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("the notes, to “<b>theirs</b>”")).to_be_visible()
        assert not browsers.violations(page)
        assert server.ask("GET", f"/plans/{plan}")["notes"] == "<b>theirs</b>"
        expect(page.get_by_label("Notes")).to_have_value("mine")
        page.get_by_role("button", name="Load theirs").click()
        expect(page.get_by_label("Notes")).to_have_value("<b>theirs</b>")
        page.get_by_label("Notes").fill("both")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".notes")).to_have_text("both")


def edit(page: Page, notes: str) -> None:
    page.get_by_role("button", name="Name and notes").click()
    page.get_by_label("Notes").fill(notes)
