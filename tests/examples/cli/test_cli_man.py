"""What is installed next to the program: manual pages that say what the help says, and completion scripts."""

import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import ROOT, invoke
from needs import needs

KEPT = ROOT / "python/drivecast.data/data"
"""Completion scripts, which do not change with the help."""


@pytest.fixture(scope="module")
def man() -> SimpleNamespace:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts/site")
        return SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/man.py")))


@pytest.fixture(scope="module")
def pages(man: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every manual page, in a folder."""
    folder = tmp_path_factory.mktemp("man")
    for place, text in man.files().items():
        if place.endswith(".1"):
            (folder / Path(place).name).write_text(text)
    return sorted(folder.iterdir())


def test_every_verb_has_a_page_and_every_shell_its_script(man: SimpleNamespace) -> None:
    files = man.files()
    assert sum(place.endswith(".1") for place in files) > 15
    assert {place: (KEPT / place).read_text() for place in man.COMPLETION.values()} == {
        place: text for place, text in files.items() if not place.endswith(".1")
    }, "run scripts/man.py"


def test_pages_are_without_fault(pages: list[Path]) -> None:
    """Apart from the date that no page has."""
    done = subprocess.run(
        [needs("mandoc"), "-T", "lint", "-W", "warning", *pages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert [line for line in done.stdout.splitlines() if 'missing date, using ""' not in line] == []


def test_a_page_is_read_as_people_read_it(pages: list[Path]) -> None:
    (page,) = (page for page in pages if page.name == "drivecast-simulate.1")
    command = [needs("mandoc"), "-T", "utf8", "-O", "width=100", page]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    plain = " ".join(
        "".join(shown[at] for at in range(len(shown)) if shown[at + 1 : at + 2] != "\b")
        .replace("\b", "")
        .split()
    )
    for option in ("-w, --workload <str>", "--state <fresh|laid-out|steady|idle>", "-v, --verbose"):
        assert option in plain
        assert option in invoke("simulate", "--help").out
    assert "drivecast simulate 'raid1(2 * samsung-pm9a3-1.92tb)' -w sar.txt --disk sdb,sdc" in plain
