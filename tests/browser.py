"""Chromium, driven by Playwright over the system's own program: pages, what they complain of, what a reader sees."""

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, FrameLocator, Page, sync_playwright

from needs import needs

Show = Callable[..., Page]
"""A fixture of `asked_report`: opens a report with the what-if page."""
SCRIPTS = Path(__file__).parent
AXE = SCRIPTS.parent / "web/node_modules/axe-core/axe.min.js"
"""Installed with the tools of the pages, by `make web`."""
PAGES = SCRIPTS.parent / "python/drivecast/serve/pages"
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
EXPECTED = ("Failed to load resource",)
"""What the console says of an answer that is no success: it is shown in the page, and tested there."""
PLAYED = 120_000
"""Milliseconds within which a page has played a design, on a machine that does other things, too."""
WIDTHS = (360, 800, 1440, 2560)
"""Windows in which no text is cut."""
NARROW_AND_WIDE = (360, 1440)  # what is side by side in one is one below the other in the other
HIDE = "display => { for (const e of document.querySelectorAll('.hidden, .skip')) e.style.display = display }"
"""What is for screen readers alone is cut for all others."""


@contextmanager
def running(chromium: str) -> Iterator[Browser]:
    """The browser, for as long as the block lasts."""
    needs("axe", "pages")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser, url: str, width: int = 1280, dark: bool = False, before: str = "", **more: Any
) -> Iterator[Page]:
    """A page in a profile of its own; the test fails where its scripts do, or its content policy forbids something.

    `before` is a script that runs before those of the page.
    """
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light", **more
    )
    if before:
        context.add_init_script(before)
    page = context.new_page()
    page.set_default_timeout(30_000)
    complaints: list[str] = []

    def said(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            complaints.append(message.text)

    page.on("console", said)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(url)
    try:
        yield page
    finally:
        context.close()
    assert not complaints


def at_widths(page: Page) -> Iterator[int]:
    """The widths, each once the page has it."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        yield width


def violations(page: Page, within: str = "html") -> list[str]:
    """What axe finds against accessibility: each rule with the first elements that break it."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "within => axe.run(document.querySelector(within), {resultTypes: ['violations'], iframes: false})",
        within,
    )
    return [
        f"{rule['id']}: {[node['html'][:160] for node in rule['nodes'][:3]]}" for rule in found["violations"]
    ]


def cut(page: Page) -> list[str]:
    """The texts that a reader cannot read whole, everything that folds being open."""
    script = (SCRIPTS / "text_boxes.js").read_text(encoding="utf-8")
    page.evaluate(HIDE, "none")
    found = page.evaluate(
        f"(() => {{ {script}; return inspect({{ contentWindow: window, name: '', title: '' }}) }})()"
    )
    page.evaluate(HIDE, "")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    scrolled = page.evaluate(
        "[...document.querySelectorAll('.scrolled')].filter(e => e.scrollWidth > e.clientWidth).map(e => e.ariaLabel)"
    )
    return [
        *(f"{fault['text']} {fault['what']}" for fault in found),
        *([f"the page is {wide} px wider than its window"] if wide > 0 else []),
        *(f"{label} is to be scrolled sideways" for label in scrolled),
    ]


WIDER = """() => [...document.querySelectorAll('#what-if *')]
  .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
  .filter(one => !one.matches('.hidden, input, select, .wi-scroll'))
  .map(one => `${one.tagName}.${one.className}: ${one.textContent.slice(0, 60)}`)"""


def clipped(page: Page) -> list[str]:
    """The elements of the what-if page whose text is cut, and "the window" where the report is wider than it."""
    found: list[str] = page.evaluate(WIDER)
    root = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    return [*found, *(["the window"] if page.evaluate(root) else [])]


def exported(page: Page, shown: Page | FrameLocator, folder: Path) -> list[dict[str, str]]:
    """The rows of the designs that the what-if page shown gives out as CSV; JSON has the same, and the PNG is one."""
    files = {}
    for name in ("JSON", "CSV", "PNG"):
        with page.expect_download() as saved:
            shown.get_by_role("button", name=name, exact=True).click()
        files[name] = folder / saved.value.suggested_filename
        saved.value.save_as(files[name])
    rows = list(csv.DictReader(files["CSV"].read_text(encoding="utf-8").splitlines()))
    document = json.loads(files["JSON"].read_text(encoding="utf-8"))
    assert [row["line"] for row in rows] == [design["line"] for design in document["designs"]]
    assert files["PNG"].read_bytes().startswith(b"\x89PNG")
    return rows
