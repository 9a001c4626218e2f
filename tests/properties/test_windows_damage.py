"""Whatever an archive of windows holds, it is played or refused by name, in little memory."""

import io
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import small_windows
from drivecast.errors import InputError
from drivecast.stage import windows_file, windows_pass

SETTINGS = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class Sound(bytes):
    """Bytes that a failing test does not print."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Sound(…)"


@pytest.fixture(scope="module")
def sound() -> Sound:
    """An archive of ten windows of ten requests, of which two are kept."""
    return Sound(windows_file.content(small_windows.archive()))


def _tried(path: Path, data: bytes) -> windows_file.Archive | None:
    """The archive of these bytes where it can be played; none where it is refused with a reason."""
    path.write_bytes(data)
    try:
        found = windows_file.read(path)
        load = windows_pass.workload(found)
    except InputError as error:
        reason = str(error)
    else:
        assert load.rows() is not None
        return found
    assert reason, "a refusal has a reason"
    return None


def test_the_archive_itself_is_sound(sound: Sound, tmp_path: Path) -> None:
    found = _tried(tmp_path / "a.windows", sound)
    assert found is not None
    assert len(windows_pass.whole(found)) == 100


@SETTINGS
@given(data=st.data())
def test_damaged_bytes(sound: Sound, tmp_path: Path, data: st.DataObject) -> None:
    broken = bytearray(sound)
    for _ in range(data.draw(st.integers(1, 4))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(1, len(broken)) | st.just(len(broken)))
    _tried(tmp_path / "a.windows", bytes(broken[:end]))


NUMBERS = st.sampled_from(
    [0, 1, -1, 2, 9, 10, 11, 1e-9, 0.5, 1e3, 1e18, 2**40, 2**64, float("inf"), float("nan")]
)
VALUES: st.SearchStrategy[Any] = NUMBERS | st.just("x") | st.lists(NUMBERS, max_size=3) | st.booleans()
FIELDS = (
    "windows",
    "window_s",
    "duration_s",
    "span_bytes",
    "map_rate",
    "error",
    "requests",
    "clusters",
)
OF_CLUSTER = ("weight", "windows", "leads_s", "iops", "name")


@SETTINGS
@given(data=st.data())
def test_edited_headers(sound: Sound, tmp_path: Path, data: st.DataObject) -> None:
    with zipfile.ZipFile(io.BytesIO(sound)) as archive:
        header = tomllib.loads(archive.read(windows_file.HEADER).decode())
    if data.draw(st.booleans()):
        header[data.draw(st.sampled_from(FIELDS))] = data.draw(VALUES)
    else:
        cluster = data.draw(st.sampled_from(header["clusters"]))
        cluster[data.draw(st.sampled_from(OF_CLUSTER))] = data.draw(VALUES)
    _tried(tmp_path / "a.windows", _with(sound, windows_file.HEADER, tomli_w.dumps(header).encode()))


@SETTINGS
@given(data=st.data())
def test_edited_tables(sound: Sound, tmp_path: Path, data: st.DataObject) -> None:
    name = data.draw(
        st.sampled_from([windows_file.ROWS, windows_file.ORDER, windows_file.MAP, windows_file.PASS])
    )
    with zipfile.ZipFile(io.BytesIO(sound)) as archive:
        table = pl.read_parquet(archive.read(name))
    column = data.draw(st.sampled_from(table.columns))
    values = table[column].to_list()
    for _ in range(data.draw(st.integers(1, 3))):
        wrong = st.sampled_from(
            [None, 0, 1, -1, 2**16, 2**32 - 1, 2**40, 2**63, 2**64 - 1, 0.5, "flush", "x", True]
        )
        values[data.draw(st.integers(0, len(values) - 1))] = data.draw(wrong)
    cut = data.draw(st.integers(0, len(values)) | st.just(len(values)))
    try:
        edited = table.with_columns(pl.Series(column, values, strict=False))[:cut]
    except (pl.exceptions.PolarsError, OverflowError, TypeError):
        return
    packed = io.BytesIO()
    edited.write_parquet(packed)
    _tried(tmp_path / "a.windows", _with(sound, name, packed.getvalue()))


def _with(sound: Sound, name: str, data: bytes) -> bytes:
    """The archive with another member of this name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sound)) as before, zipfile.ZipFile(packed, "w") as after:
        for member in before.namelist():
            after.writestr(member, data if member == name else before.read(member))
    return packed.getvalue()
