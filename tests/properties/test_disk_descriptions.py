"""Whatever a description holds, reading it gives a catalog file that loads, or an `InputError` that says where."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivecast.catalog.disk_file import catalog_file
from drivecast.catalog.disksim import describe
from drivecast.errors import InputError

TEXTS = {path.name: path.read_text() for path in sorted((Path(__file__).parents[1] / "data/disk").iterdir())}
TOKENS = [
    "{",
    "}",
    "[",
    "]",
    ",",
    "=",
    "#",
    "\n",
    "source x",
    "nan",
    "inf",
    "-1",
    "0",
    "1e400",
    "9" * 400,
    "[" * 500,
    "é",
    "\0",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("description")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_reading_never_fails_otherwise(place: Path, data: st.DataObject) -> None:
    texts = dict(TEXTS)
    name = data.draw(st.sampled_from(sorted(texts)))
    text = texts[name]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 12))
        text = text[:at] + data.draw(st.sampled_from([*TOKENS, ""])) + text[at + cut :]
    texts[name] = text
    for file, content in texts.items():
        (place / file).write_text(content)
    try:
        made = catalog_file(
            describe([place / file for file in texts]), vendor="v", model="m", interface="SAS 3G"
        )
    except InputError as error:
        said = str(error)
        made = ""
    assert made.startswith('kind = "hdd"') or "expected" in said or "cannot be read" in said
