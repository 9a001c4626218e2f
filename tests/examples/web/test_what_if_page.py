"""The what-if page of a report, by mouse and by keyboard: each question has an answer, and each step a way back."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import real_plan
from browser import PLAYED, Show, exported
from drivecast.present.reason import miss_text

pytest_plugins = ["asked_report"]


def answer(page: Page) -> str:
    return page.inner_text(".wi-answer")


def settle(page: Page) -> None:
    """Wait until nothing is tried out any more."""
    page.wait_for_timeout(500)  # longer than a try-out waits for the next change
    expect(page.locator("progress")).to_have_count(0, timeout=PLAYED)


def dollars(text: str) -> float:
    found = re.search(r"\$([\d,]+)", text)
    assert found, text
    return float(found[1].replace(",", ""))


def test_a_newcomer_finds_what_twice_the_headroom_costs(show: Show) -> None:
    page = show()
    before = dollars(answer(page))
    page.get_by_role("button", name="Twice the headroom").click()
    settle(page)
    assert "Cheapest that fits" in answer(page)
    assert dollars(answer(page)) >= before
    page.keyboard.press("Control+z")
    settle(page)
    assert dollars(answer(page)) == before


LABELS = [
    "Headroom required",
    "Growth",
    "Years of service",
    "Peak",
    "Hours a day like the log",
    "Usable capacity",
    "p99 of reads, at most",
    "p99 of writes, at most",
    "Budget",
    "Power, at most",
    "Drive failures tolerated",
    "Data loss, at most 1 in",
    "Scrub every",
    "Price of flash",
    "Price of disks",
    "Electricity",
]


CANCEL = """() => {
  const button = [...document.querySelectorAll('#what-if button')].find(each => each.textContent === 'Cancel')
  button?.click()
  return button !== undefined
}"""
"""Cancels what is tried out, if anything is: it may end between a look and a click."""


def test_each_slider_answers_at_both_ends_and_undo_goes_back(show: Show) -> None:
    page = show()
    before = answer(page)
    undo = page.get_by_role("button", name="Undo")
    for label in LABELS:
        slider, field = page.get_by_label(f"{label}, slider"), page.get_by_label(label, exact=True)
        was = field.input_value()
        for key, rest_ms in (("Home", 200), ("End", 1000)):  # a move of its own in the history
            slider.press(key)
            page.wait_for_timeout(rest_ms)
            page.evaluate(CANCEL)
            expect(page.locator(".wi-answer")).not_to_be_empty()
            assert page.get_by_role("alert").count() == 0, label
        assert undo.is_enabled(), label
        while undo.is_enabled():
            undo.click()
        page.wait_for_timeout(100)
        assert field.input_value() == was, label
        assert answer(page).startswith(before), label


def test_a_field_takes_a_number_and_says_what_is_none(show: Show) -> None:
    page = show()
    before = dollars(answer(page))
    field = page.get_by_label("Budget", exact=True)
    field.fill("a lot")
    expect(page.get_by_role("alert")).to_have_text("“a lot” is no number")
    field.fill("50")
    expect(page.locator(".wi-answer")).to_contain_text("Nothing fits")
    expect(page.locator(".wi-answer")).to_contain_text("over budget")
    field.fill("")
    expect(page.locator(".wi-answer")).to_contain_text("Cheapest that fits")
    page.get_by_label(re.compile("^Price of .*, slider"), exact=False).last.press("Home")
    page.wait_for_timeout(300)
    assert dollars(answer(page)) < before, "the price of one drive moves the designs with it"


def test_figures_have_an_origin_under_the_pointer_and_by_keyboard(show: Show) -> None:
    page = show()
    note = page.get_by_role("tooltip")
    page.hover(".wi-answer .figure >> nth=0")
    expect(note).to_contain_text("bought for")
    page.focus(".wi-grid tbody [role=rowheader]")
    heads = set()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
        expect(note).to_be_visible()
        heads.add(note.inner_text().split("\n")[0])
    assert heads <= {"Derived", "Simulated", "Measured", "Published", "Fitted", "Assumed"}
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()


def test_pins_are_side_by_side(show: Show) -> None:
    page = show()
    page.locator(".wi-grid tbody tr").nth(1).get_by_role("button", name=re.compile("^Pin ")).click()
    title = page.locator(".wi-grid tbody th").nth(1).inner_text()
    expect(page.locator(".wi-side thead")).to_contain_text(
        title.split("\n")[0].lstrip("0123456789 ").split(",")[0][2:]
    )
    page.get_by_role("button", name=re.compile("^Unpin ")).first.click()
    expect(page.get_by_role("button", name=re.compile("^Unpin "))).to_have_count(0)


def test_a_design_with_another_count_is_played(show: Show) -> None:
    page = show()
    before = page.inner_text(".wi-editor code")
    page.get_by_label("Level").select_option("raid10")
    page.wait_for_function(
        "before => document.querySelector('.wi-editor code')?.textContent !== before",
        arg=before,
        timeout=PLAYED,
    )
    smaller = page.inner_text(".wi-editor code")
    page.get_by_role("button", name="More drives").click()
    page.wait_for_function(
        "before => document.querySelector('.wi-editor code')?.textContent !== before",
        arg=smaller,
        timeout=PLAYED,
    )
    assert page.inner_text(".wi-editor code").startswith("raid10(")
    page.keyboard.press("Control+z")
    settle(page)
    assert page.get_by_role("alert").count() == 0


def test_a_heavier_peak_is_tried_out_with_progress(show: Show) -> None:
    page = show()
    field = page.get_by_label("Peak", exact=True)
    field.fill("1.5")
    expect(page.locator(".wi-trying")).to_contain_text("tried out at this load")
    settle(page)
    expect(page.locator(".wi-answer")).not_to_contain_text("Not known yet")
    field.fill("3")
    page.wait_for_function(CANCEL)
    expect(page.locator(".wi-trying")).to_contain_text("not known at this load")
    expect(page.get_by_role("button", name=re.compile("^Try (it|them) out$"))).to_be_visible()


def test_the_address_and_a_saved_file_hold_the_state(show: Show, tmp_path: Path) -> None:
    page = show()
    years = page.get_by_label("Years of service", exact=True)
    years.fill("3")
    page.wait_for_function("() => location.hash.startsWith('#what-if=')")
    page.reload()
    page.wait_for_selector(".wi-answer")
    assert years.input_value() == "3"
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save", exact=True).click()
    saved.value.save_as(tmp_path / "what-if.json")
    page.get_by_role("button", name="As in the plan").click()
    expect(years).not_to_have_value("3")
    page.set_input_files("input[type=file]", tmp_path / "what-if.json")
    expect(years).to_have_value("3")


def test_the_answer_goes_out_in_each_form_and_in_the_words_of_the_report(show: Show, tmp_path: Path) -> None:
    page = show()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy design line").click()
    expect(page.get_by_role("status").first).to_contain_text("on the clipboard")
    assert page.evaluate("navigator.clipboard.readText()") == page.inner_text(".wi-editor code")
    rows = exported(page, page, tmp_path)
    assert rows[0]["rank"] == "1"
    reasons = {row["line"]: row["reason"].split("; ")[0] for row in rows}
    missing = [design for design in real_plan.plan().designs if design.verdict == "misses"]
    assert len(missing) >= 3
    for design in missing:
        assert reasons[design.line] == miss_text(design.misses[0], design.currency), "as the report words it"
    origins = {row["drive_price_origin"].split(":")[0] for row in rows}
    assert origins <= {"published", "assumed", "measured", "derived", "fitted"}, "none was set"


def test_memory_is_flat_over_two_hundred_changes(show: Show) -> None:
    """A leak adds as much in each round; what the browser compiles and caches comes to an end."""
    page = show()
    used = []
    for _ in range(6):
        page.evaluate(CHANGES)
        used.append(used_bytes(page))
        if len(used) > 1 and used[-1] < 1.02 * used[-2]:
            return
    pytest.fail(f"each round of 200 changes adds more than 2 %: {used} bytes")


def used_bytes(page: Page) -> float:
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    return session.send("Runtime.getHeapUsage")["usedSize"]


CHANGES = """async () => {
  const slider = document.querySelector('input[aria-label="Growth, slider"]')
  for (let at = 0; at < 200; at += 1) {
    slider.value = String((at * 7) % 100)
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise(settle => requestAnimationFrame(settle))
  }
}"""
