"""The notebooks of examples/notebooks run from the first cell to the last, with public names alone."""

import re
from pathlib import Path

import nbformat
import pytest

import drivecast as dc

FOLDER = Path(__file__).parents[3] / "examples/notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
OUTPUT_MAX = 100_000
"""Characters of HTML in one cell's output."""


def test_there_are_three() -> None:
    assert len(NAMES) == 3


@pytest.mark.needs("loopback")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs(name: str) -> None:
    from nbclient import NotebookClient  # noqa: PLC0415 (a tenth of a second, for every run of the tests)

    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": FOLDER}}
    ).execute()
    for cell in book.cells:
        outputs = list(cell.get("outputs", []))
        assert all(
            len(str(output.get("data", {}).get("text/html", ""))) < OUTPUT_MAX for output in outputs
        ), cell.source
    shown = [output for cell in book.cells for output in cell.get("outputs", []) if "data" in output]
    assert len(shown) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_only_public_names_and_no_output(name: str) -> None:
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    code = "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")
    assert set(re.findall(r"\bdc\.(\w+)", code)) <= set(dc.__all__)
    assert not re.search(r"\._|from drivecast|import drivecast\.", code)
    assert not [cell for cell in book.cells if cell.get("outputs")]
