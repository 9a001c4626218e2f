"""What a what-if page is handed that is not as it should be: a sentence says so, and nothing is lost."""

import base64
import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browser import Show

pytest_plugins = ["asked_report"]


def fragment(document: object) -> str:
    return "#what-if=" + base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("#what-if=%%%", "damaged"),
        (fragment({"drivecast_what_if": 99, "plan": "", "state": {}}), "another version"),
        (fragment({"drivecast_what_if": 1, "plan": "0" * 16, "state": {}}), "another plan"),
    ],
)
def test_a_link_that_does_not_fit_is_refused(show: Show, link: str, words: str) -> None:
    page = show(fragment=link)
    expect(page.get_by_role("alert")).to_contain_text(words)
    expect(page.locator(".wi-answer")).to_contain_text("Cheapest that fits")


def test_a_file_that_is_none_is_refused(show: Show) -> None:
    page = show()
    before = page.inner_text(".wi-answer")
    for content, words in (
        (b"\x00\xff", "not JSON"),
        (b"{}", "does not say so"),
        (b"x" * 1_000_001, "too large"),
    ):
        page.set_input_files(
            "input[type=file]", {"name": "x.json", "mimeType": "application/json", "buffer": content}
        )
        expect(page.get_by_role("alert")).to_contain_text(words)
    assert page.inner_text(".wi-answer") == before


@pytest.mark.parametrize("lacks", ["WebAssembly", "Worker"])
def test_a_browser_that_lacks_something_is_said(show: Show, lacks: str) -> None:
    page = show(before=f"delete globalThis.{lacks}")
    expect(page.locator("#what-if")).to_contain_text(f"lacks {lacks}")
    assert page.is_visible("h1")


def test_without_scripts_the_report_is_whole(report: Path, chromium_running: Browser) -> None:
    context = chromium_running.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.is_visible("h1")
    assert not page.inner_text("#what-if")
    context.close()


def test_a_damaged_part_is_named(show: Show, report: Path, tmp_path: Path) -> None:
    text = report.read_text(encoding="utf-8")
    head, mark, rest = text.partition('id="what-if-carried">')
    broken = tmp_path / "broken.html"
    broken.write_text(head + mark + "AAAA" + rest, encoding="utf-8")
    page = show(broken)
    expect(page.locator("#what-if")).to_contain_text("“what-if-carried” cannot be read")


DYING = """
const Real = globalThis.Worker
let count = 0
globalThis.Worker = class extends Real {
  constructor(...given) {
    super(...given)
    count += 1
    if (count === 1) setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })), 900)
  }
}"""


def test_a_worker_that_dies_is_replaced(show: Show) -> None:
    page = show(before=DYING)
    page.get_by_label("Peak", exact=True).fill("1.5")
    expect(page.locator(".notice")).to_contain_text("was replaced", timeout=30_000)
    page.wait_for_timeout(500)
    expect(page.locator("progress")).to_have_count(0, timeout=60_000)
    expect(page.locator(".wi-answer")).not_to_contain_text("Not known yet")
