"""Every page of the server in a browser: readable at each width, in both themes, by keyboard, clean to axe."""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

import browser as browsers
from measured_runs import VOLUME, point, written
from served import SHORT, Served
from small_traces import READ, mixed, write
from smart_reports import ata, attribute

pytest_plugins = ["served_once"]
LINE = "random(4KiB, read=0.7, iodepth=4)"
POINTS = 100_000


@pytest.fixture(scope="module")
def pages(server: Served, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The address of each page, all of them with something to show."""
    folder = tmp_path_factory.mktemp("logs")
    trace = server.upload("long.blktrace", write(folder, mixed(POINTS)).read_bytes())["id"]
    server.ended(f"/traces/{trace}")
    tiny = server.upload("tiny.blktrace", write(folder, mixed(100)).read_bytes())["id"]
    server.ended(f"/traces/{tiny}")
    plans = [ended_plan(server, tiny, {**SHORT, **more}) for more in ({}, {"budget": "400"})]
    for days in (60, 30, 0):
        server.ask("POST", "/health/samples?name=a.json&host=db1", content=drive(days))
    results = [result(server, folder, name, seed) for name, seed in (("first", 1), ("second", 2))]
    compared = {"measured": results[0], "result": results[1]}
    comparison = server.ask("POST", "/comparisons", 202, json=compared)["id"]
    assert server.ended(f"/comparisons/{comparison}")["state"] == "done"
    return {
        "traces": "traces",
        "trace": f"traces/{trace}",
        "new plan": f"plans/new?traces={trace}",
        "plans": "plans",
        "plan": f"plans/{plans[0]}",
        "plan without an answer": f"plans/{plans[1]}",
        "plans compared": f"plans/compare?ids={','.join(plans)}",
        "fleet": "fleet",
        "drive": "fleet/PHDV1",
        "bench": "bench",
        "result": f"bench/{results[0]}",
        "comparison": f"comparisons/{comparison}",
    }


def ended_plan(server: Served, trace: str, options: dict[str, object]) -> str:
    found = server.ask("POST", "/plans", 202, json={"traces": [trace], "options": options})["id"]
    assert server.ended(f"/plans/{found}")["state"] == "done"
    return str(found)


def drive(days_ago: int) -> bytes:
    """A reading of a drive that writes as much every day."""
    now = {"local_time": {"time_t": int(time.time()) - 3600 - 86_400 * days_ago, "asctime": ""}}
    counters = [attribute(233, 0, 20), attribute(241, 10**6 - 5000 * days_ago)]
    return json.dumps({**ata("INTEL SSDSC2BB480G7", counters, **now), "serial_number": "PHDV1"}).encode()


def result(server: Served, folder: Path, name: str, seed: int) -> str:
    path = written(folder / f"{name}.json", [point(VOLUME, LINE, seed, iodepth=4)])
    return str(server.ask("POST", f"/results?name={name}.json", 201, content=path.read_bytes())["id"])


def shown(page: Page, server: Served, place: str) -> None:
    """Open a page and wait until all of it is there."""
    page.goto("about:blank")
    page.goto(f"http://127.0.0.1:{server.port}/#/{place}")
    page.locator("main h1").wait_for()
    expect(page.get_by_text("Loading …")).to_have_count(0)
    if place.startswith("traces/"):
        page.locator(".heat canvas").wait_for()


def test_every_page_is_clean_to_axe_and_cuts_no_text(
    browser: Browser, server: Served, pages: dict[str, str]
) -> None:
    found: dict[str, list[str]] = {}
    with browsers.opened(browser, f"http://127.0.0.1:{server.port}/") as page:
        for name, place in pages.items():
            shown(page, server, place)
            for width in browsers.at_widths(page):
                found[f"{name}, {width} px"] = browsers.cut(page)
                if width in browsers.NARROW_AND_WIDE:
                    found[f"{name}, {width} px, axe"] = browsers.violations(page)
            page.emulate_media(color_scheme="dark")
            found[f"{name}, dark, axe"] = browsers.violations(page)
            page.emulate_media(color_scheme="light")
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_a_window_of_time_is_brushed_and_zoomed(
    browser: Browser, server: Served, pages: dict[str, str]
) -> None:
    with browsers.opened(browser, f"http://127.0.0.1:{server.port}/") as page:
        shown(page, server, pages["trace"])
        window = page.get_by_role("group", name="Window of time")
        expect(window).to_contain_text("0:00 to 8:20")
        over = page.locator(".overview .u-over")
        box = over.bounding_box()
        page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 20)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 20, steps=4)
        page.mouse.up()
        expect(window).to_contain_text("1:40 to 3:20")
        rates = page.get_by_role("application", name="Requests a second, from")
        rates.focus()
        page.keyboard.press("+")
        expect(window).to_contain_text("2:05 to 2:55")
        page.keyboard.press("ArrowRight")
        expect(window).to_contain_text("2:10 to 3:00")
        counted = page.get_by_role("region", name="Latency in this window")
        reads = sum(request.op == READ for request in mixed(POINTS)[26_000:36_000])  # 200 a second, from 2:10
        rounded = f"reads{reads:,}"[:-2]  # the brush is as fine as a pixel: half a second
        expect(counted.get_by_role("row").nth(1)).to_contain_text(rounded)
        page.get_by_role("button", name="All").click()
        expect(window).to_contain_text("0:00 to 8:20")
        page.mouse.move(0, 0)
        page.get_by_role("application", name="Requests by time and address").focus()
        page.keyboard.press("ArrowUp")
        expect(page.locator(".heat .reading")).to_contain_text("requests at")
        with page.expect_response(lambda response: f"points={POINTS}" in response.url) as answer:
            page.get_by_label("Points").select_option(str(POINTS))
        assert len(answer.value.json()["time_s"]) == POINTS


def test_pages_are_walked_by_keyboard(browser: Browser, server: Served, pages: dict[str, str]) -> None:
    with browsers.opened(browser, f"http://127.0.0.1:{server.port}/") as page:
        shown(page, server, pages["plans"])
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="New plan")).to_be_visible()
        page.get_by_role("link", name="Fleet").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1, name="Fleet")).to_be_focused()
        assert page.title() == "Fleet · Drivecast"
        page.get_by_role("link", name="PHDV1").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Drive PHDV1")
        expect(page.locator(".legend")).to_contain_text("written")


def test_the_report_in_its_sandbox_ranks_tries_out_exports_and_is_opened_by_its_link(
    browser: Browser, server: Served, pages: dict[str, str], tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{server.port}/#/{pages['plan']}"
    with browsers.opened(browser, address, accept_downloads=True) as page:
        page.get_by_role("button", name="Show the report here").click()
        report = page.frame_locator("iframe.report")
        report.locator(".wi-answer").wait_for(timeout=60_000)
        ranks(report)
        tries_out(report)
        assert browsers.exported(page, report, tmp_path)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        report.get_by_label("Years of service", exact=True).fill("3")
        report.get_by_role("button", name="Copy link").click()
        expect(report.get_by_role("status").first).to_contain_text("The link is on the clipboard")
        link = page.evaluate("navigator.clipboard.readText()")
        assert f"/{pages['plan']}/report#what-if=" in link
        page.goto(link)
        expect(page.get_by_label("Years of service", exact=True)).to_have_value("3")


def ranks(report: FrameLocator) -> None:
    answer = report.locator(".wi-answer")
    expect(answer).to_contain_text("Cheapest that fits")
    before = answer.inner_text()
    report.get_by_label("Budget", exact=True).fill("50")
    expect(answer).to_contain_text("Nothing fits")
    report.get_by_role("button", name="Undo").click()
    expect(answer).to_have_text(re.compile(re.escape(before.split("\n")[0])))


def tries_out(report: FrameLocator) -> None:
    line = report.locator(".wi-editor code")
    before = line.inner_text()
    report.get_by_label("Level").select_option("raid10")
    expect(line).not_to_have_text(before, timeout=browsers.PLAYED)
    expect(line).to_have_text(re.compile(r"^raid10\("))
    expect(report.locator("progress")).to_have_count(0, timeout=browsers.PLAYED)
    expect(report.get_by_role("alert")).to_have_count(0)
