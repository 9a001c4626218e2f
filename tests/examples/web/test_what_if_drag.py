"""A design dragged on the what-if page, by mouse, finger and keys: figures follow, and undo takes back a whole drag."""

from playwright.sync_api import Locator, Page, expect

from browser import PLAYED, Show

pytest_plugins = ["asked_report"]


def edge(page: Page) -> Locator:
    return page.get_by_role("slider", name="Edge of the array")


def level(page: Page) -> Locator:
    return page.get_by_role("slider", name="From cheap to safe")


def line(page: Page) -> str:
    return page.inner_text(".wi-editor code")


def taken(page: Page) -> tuple[float, float, float]:
    """Take hold of the edge: where it is, and how wide a bay."""
    edge(page).scroll_into_view_if_needed()
    grip, shelf = edge(page).bounding_box(), page.locator(".wi-shelf").bounding_box()
    x, y = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return x, y, shelf["width"] / 24


def test_a_drag_plays_where_it_rests_and_is_one_step_of_undo(show: Show) -> None:
    page = show()
    before = line(page)
    x, y, bay = taken(page)
    for bays in (1, 2, 3):
        page.mouse.move(x + bays * bay, y)
    expect(edge(page)).to_have_attribute("aria-valuetext", "5 drives: 1 data, 4 mirror")
    expect(page.locator(".wi-editor code")).to_be_visible(timeout=PLAYED)  # played, and still held
    assert page.get_by_role("button", name="Undo").is_disabled()
    changed = page.locator(".wi-change", has_text="$")
    expect(changed).to_contain_text("+$")
    expect(changed).to_contain_text("worse")
    page.mouse.up()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    assert line(page).startswith("raid1(5 * ")
    expect(edge(page)).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    assert line(page) == before
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert page.locator(".wi-change").count() == 0


def test_keys_move_the_edge_and_the_focus_stays(show: Show) -> None:
    page = show()
    edge(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "() => document.querySelector('.wi-editor code')?.textContent.startsWith('raid1(4 ')"
    )
    expect(edge(page)).to_be_focused()
    assert edge(page).get_attribute("aria-valuenow") == "4"
    page.keyboard.press("Control+z")
    assert line(page).startswith("raid1(2 ")


def test_the_level_is_a_rail_and_a_known_design_shows_at_once(show: Show) -> None:
    page = show()
    level(page).press("Home")
    expect(level(page)).to_have_attribute("aria-valuetext", "RAID 0, survives no failure")
    level(page).press("End")
    expect(level(page)).to_have_attribute("aria-valuenow", "8")
    drive = page.get_by_role("slider", name="By price per TB")
    drive.focus()
    texts = set()
    drive.press("Home")
    for _ in range(int(drive.get_attribute("aria-valuemax") or 0)):
        texts.add(drive.get_attribute("aria-valuetext"))
        drive.press("ArrowRight")
    assert len(texts) == int(drive.get_attribute("aria-valuemax") or 0) > 5
    prices = [
        float(text.split("$")[1].split(" ")[0].replace(",", "")) for text in texts if text and "$" in text
    ]
    assert len(prices) > 5


def test_a_finger_drags_too_and_escape_takes_it_back(show: Show) -> None:
    page = show(width=360, has_touch=True)
    before = line(page)
    edge(page).scroll_into_view_if_needed()
    track = page.locator(".wi-track").first.bounding_box()
    session = page.context.new_cdp_session(page)

    def touch(kind: str, x: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": track["y"] + track["height"] / 2}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", track["x"] + track["width"] * 5.5 / 8)
    touch("touchMove", track["x"] + track["width"] * 4.6 / 8)
    touch("touchMove", track["x"] + track["width"] * 4.5 / 8)
    expect(level(page)).to_have_attribute("aria-valuenow", "5")
    touch("touchEnd", 0)
    page.wait_for_function(
        "() => document.querySelector('.wi-editor code')?.textContent.startsWith('raid10(')"
    )
    taken(page)
    page.mouse.move(350, 400)
    page.keyboard.press("Escape")
    page.mouse.up()
    assert line(page).startswith("raid10(")
    page.keyboard.press("Control+z")
    assert line(page) == before
