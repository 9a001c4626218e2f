"""axe finds nothing on any printed page, from its head to its foot, with all that folds open, in both themes."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import browser
import compared
import database_result
import measured
import real_plan
from conftest import ROOT, Run
from drivecast.present import page, result_page, side_by_side_page
from small_traces import mixed, write

pytest_plugins = ["asked_report"]
Program = Callable[..., Run]
DISK = "raid1(2 * seagate-exos-15e900-300gb)"
LINE = "random(4KiB, read=0.7, iodepth=4)"
SPREAD = "for (const one of document.querySelectorAll('details')) one.open = true"


RENDERED: dict[str, Callable[[], str]] = {
    "plan": lambda: page.render(real_plan.plan()),
    "plan with rented volumes": lambda: page.render(real_plan.with_rented()),
    "plan that nothing fits": real_plan.page_that_nothing_fits,
    "profile": real_plan.page_of_profile,
    "versus": lambda: side_by_side_page.render(compared.found()),
    "result": lambda: result_page.render(database_result.made()),
}


def _violations(running: Browser, at: Path) -> dict[str, list[str]]:
    with browser.opened(running, at.as_uri()) as shown:
        shown.evaluate(SPREAD)
        found = {"light": browser.violations(shown)}
        shown.emulate_media(color_scheme="dark")
        return {**found, "dark": browser.violations(shown)}


NONE: dict[str, list[str]] = {"light": [], "dark": []}


@pytest.mark.parametrize("name", RENDERED)
def test_axe_finds_nothing(name: str, chromium_running: Browser, tmp_path: Path) -> None:
    at = tmp_path / "page.html"
    at.write_text(RENDERED[name](), encoding="utf-8")
    assert _violations(chromium_running, at) == NONE


def test_axe_finds_nothing_in_a_comparison(
    drivecast: Program, chromium_running: Browser, tmp_path: Path
) -> None:
    ours = measured.run(tmp_path / "result.json", DISK, [LINE], seeds=(11, 12))
    run = drivecast("compare", ours, DISK, "-o", tmp_path / "page.html", "--history", "none")
    assert run.code in (0, 1), run.err
    assert _violations(chromium_running, tmp_path / "page.html") == NONE


def test_axe_finds_nothing_in_curves_of_a_cache(
    drivecast: Program, chromium_running: Browser, tmp_path: Path
) -> None:
    run = drivecast("cache", write(tmp_path, mixed(500)), "--report", tmp_path / "page.html")
    assert run.code == 0, run.err
    assert _violations(chromium_running, tmp_path / "page.html") == NONE


@pytest.fixture(scope="module")
def history(drivecast: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty drives in service, three of them to replace."""
    folder = tmp_path_factory.mktemp("fleet")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["make.py", str(folder / "readings")])
        runpy.run_path(str(ROOT / "examples/drives-in-service/make.py"), run_name="__main__")
    kept = folder / "fleet.db"
    run = drivecast(
        "health", "import", folder / "readings", "--host-from", "{host}/*/*.json", "--history", kept
    )
    assert run.code == 0, run.err
    return kept


@pytest.mark.parametrize(
    "verb", [("report",), ("fleet",), ("forecast", "--drive", "MADE21172962")], ids=lambda verb: verb[0]
)
def test_axe_finds_nothing_in_pages_of_drives(
    drivecast: Program, history: Path, chromium_running: Browser, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    now = ("--history", history, "--now", "2026-03-31", "-o", tmp_path / "page.html")
    run = drivecast("health", *verb, *now)
    assert run.code == 0, run.err
    assert _violations(chromium_running, tmp_path / "page.html") == NONE
