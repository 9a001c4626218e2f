"""In a browser, on the real server: from a dropped trace to an exported design, and files that are no traces."""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

import browser as browsers
from served import SHORT, Served, serving, tiny

pytest_plugins = ["served_once"]
FITS = {**SHORT, "budget": "1300"}
"""Options of a plan of four designs that all fit."""
SCRIPT = "<script>document.title = 1</script>"
MB = 1_000_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("named")
    (folder / "tiny.blktrace").write_bytes(tiny(folder))
    with serving(
        tmp_path_factory.mktemp("data"), upload_bytes_max=MB, folders={"traces": str(folder)}
    ) as found:
        yield found


@pytest.fixture
def page(browser: Browser, server: Served) -> Iterator[Page]:
    with browsers.opened(browser, f"http://127.0.0.1:{server.port}/", accept_downloads=True) as found:
        yield found


def drop(page: Page, name: str, content: bytes, size: int | None = None) -> None:
    """Let a file fall on the place for it; `size` is what it says that it has."""
    page.locator(".drop").wait_for()
    page.get_by_text("up to").wait_for()
    data = page.evaluate_handle(
        """([name, content, size]) => {
            const file = new File([new Uint8Array(content)], name)
            if (size) Object.defineProperty(file, 'size', { value: size })
            const data = new DataTransfer()
            data.items.add(file)
            if (size) Object.defineProperty(data, 'files', { value: [file] })
            return data
        }""",
        [name, [*content], size],
    )
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": data})


def test_from_a_dropped_trace_to_an_exported_design(page: Page, server: Served, tmp_path: Path) -> None:
    drop(page, f"{SCRIPT}.blktrace", tiny(tmp_path))
    page.locator("td.name a").wait_for()
    page.get_by_role("checkbox", name="Choose").check()
    page.get_by_role("button", name="New plan of the chosen").click()
    page.get_by_label("Usable capacity").fill("plenty")
    page.get_by_role("button", name="Plan", exact=True).click()
    expect(page.get_by_label("Usable capacity")).to_be_focused()
    page.get_by_label("Usable capacity").fill(str(FITS["capacity"]))
    page.get_by_label("Budget, USD").fill(str(FITS["budget"]))
    page.get_by_label("Growth", exact=True).fill(str(FITS["growth"]))
    page.get_by_label("Drive failures tolerated").select_option(str(FITS["drive_losses"]))
    page.get_by_text("Workload", exact=True).click()
    page.get_by_label("Peak, seconds").fill("1")
    page.get_by_label("Name").fill(SCRIPT)
    page.get_by_label("Notes").fill("the first")
    assert "--budget 1300 --drive-losses 0" in page.locator("pre.command").inner_text()
    page.reload()
    expect(page.get_by_label("Budget, USD")).to_have_value("1300")  # nothing that was typed is lost
    page.get_by_role("button", name="Plan", exact=True).click()
    page.get_by_role("link", name="Open the report").wait_for(timeout=60_000)
    (plan,) = server.ask("GET", "/plans")["plans"]
    assert (plan["name"], plan["notes"]) == (SCRIPT, "the first")
    expect(page.get_by_role("heading", level=1)).to_have_text(SCRIPT)
    assert {key: plan["options"][key] for key in FITS} == FITS
    first = page.locator("tr.first")
    assert plan["answer"]["winner"] in first.inner_text()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="CSV").click()
    rows = [*csv.DictReader(Path(downloading.value.path()).read_text(encoding="utf-8").splitlines())]
    assert len(rows) < plan["answer"]["considered"], "of those ruled out a few of each reason are listed"
    assert {row["verdict"] for row in rows} == {"fits", "misses", "pruned"}
    assert [row["line"] for row in rows if row["rank"] == "1"] == [plan["answer"]["winner"]]
    assert not re.search(r'[<>"]', downloading.value.suggested_filename)
    with page.expect_download() as downloading:
        page.get_by_role("link", name="JSON").click()
    document = json.loads(Path(downloading.value.path()).read_text(encoding="utf-8"))
    assert document["winner"] == plan["answer"]["winner"]
    page.get_by_role("button", name="Show the report here").click()
    page.frame_locator("iframe.report").locator("h1").wait_for()


def test_a_trace_is_named_in_a_folder_of_the_server(page: Page, server: Served) -> None:
    before = len(server.ask("GET", "/traces")["traces"])
    page.get_by_role("button", name="Add tiny.blktrace").click()
    page.get_by_role("link", name=re.compile("^tiny")).wait_for()
    assert len(server.ask("GET", "/traces")["traces"]) == before + 1
    page.get_by_role("button", name="Remove").first.click()
    page.get_by_role("button", name="No").click()
    assert len(server.ask("GET", "/traces")["traces"]) == before + 1
    page.get_by_role("button", name="Remove").first.click()
    page.get_by_role("group", name=re.compile("^Remove tiny")).get_by_role("button", name="Remove").click()
    expect(page.get_by_role("link", name=re.compile("^tiny"))).to_have_count(0)


def test_what_is_no_trace_is_refused_in_a_sentence(page: Page, server: Served) -> None:
    before = server.ask("GET", "/traces")
    drop(page, "holiday.jpg", b"\xff\xd8\xff\xe0" + bytes(4000))
    failed = page.locator(".uploads [role=alert]")
    expect(failed).to_contain_text("holiday.jpg")
    page.get_by_role("button", name="Dismiss holiday.jpg").click()
    expect(failed).to_have_count(0)
    drop(page, "empty.csv", b"")
    expect(failed).to_contain_text("is empty")
    page.get_by_role("button", name="Dismiss empty.csv").click()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    drop(page, "large.blktrace", b"x", 10**10)
    expect(failed).to_contain_text("large.blktrace has 10 GB, and this server takes 1 MB at most")
    assert "POST" not in sent, "nothing of it was sent"
    assert server.ask("GET", "/traces") == before


def test_a_url_that_answers_nothing_says_so(page: Page) -> None:
    page.get_by_label("https://, s3:// or prometheus+http://").fill("http://127.0.0.1:9/a.blktrace")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert").or_(page.locator(".state.failed")).first).to_be_visible()


def test_nothing_of_the_pages_comes_from_elsewhere(page: Page, server: Served) -> None:
    home = httpx.URL(page.url)
    sources: list[str] = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert sources
    assert {httpx.URL(source).host for source in sources if not source.startswith("data:")} == {home.host}
    policy = server.client.get("/").headers["content-security-policy"]
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
