"""Whatever a file holds, loading it gives a catalog or a `CatalogError` that names the file."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drivecast.catalog import CatalogError, bundled, check, device_spec, load, volume_spec

NAMES = [
    "drives/samsung-pm893.toml",
    "drives/seagate-exos-x20-20tb.toml",
    "volumes/azure-p20-512gb.toml",
    "nand.toml",
    "interfaces.toml",
    "failures.toml",
    "prices.toml",
]
TOKENS = [
    *[
        "nan",
        "inf",
        "-inf",
        "-1",
        "0",
        "1e400",
        "9" * 5000,
        "true",
        '""',
        '"x"',
        "[]",
        "{}",
        "[1, 2]",
        "2026-01-01",
    ],
    *[
        "= ",
        "[[",
        "]]",
        "\n[power]\n",
        "\n[flash.extra]\nx = 1\n",
        "value",
        "source",
        "\x00",
        "é",
        "[" * 3000,
        "{ value = 1 }",
    ],
]


@pytest.fixture(scope="module")
def pristine() -> dict[str, str]:
    return {name: (bundled() / name).read_text() for name in NAMES}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("catalog")
    (folder / "drives").mkdir()
    (folder / "volumes").mkdir()
    for name in NAMES:
        shutil.copy(bundled() / name, folder / name)
    return folder


def load_or_refuse(place: Path, name: str, data: bytes, whole: str) -> None:
    (place / name).write_bytes(data)
    refusal: CatalogError | None = None
    try:
        catalog = load(base=place)
        check(catalog)
        for drive in catalog.drives.values():
            device_spec(drive)
        for volume in catalog.volumes.values():
            volume_spec(volume)
    except CatalogError as error:
        refusal = error
    finally:
        (place / name).write_text(whole)
    assert refusal is None or refusal.problems
    assert refusal is None or all(problem.file and problem.what for problem in refusal.problems)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), name=st.sampled_from(NAMES))
def test_a_mutated_file_loads_or_is_refused(
    place: Path, pristine: dict[str, str], data: st.DataObject, name: str
) -> None:
    text = pristine[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 60))
        token = data.draw(st.sampled_from(TOKENS) | st.text(max_size=20))
        text = text[:start] + token + text[start + length :]
    load_or_refuse(place, name, text.encode(errors="surrogatepass"), pristine[name])


@settings(max_examples=70, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), name=st.sampled_from(NAMES), token=st.sampled_from(TOKENS))
def test_a_replaced_value_loads_or_is_refused(
    place: Path, pristine: dict[str, str], data: st.DataObject, name: str, token: str
) -> None:
    lines = pristine[name].splitlines()
    line = data.draw(st.sampled_from([number for number, text in enumerate(lines) if " = " in text]))
    key = lines[line].split(" = ")[0]
    lines[line] = f"{key} = {token}"
    load_or_refuse(place, name, "\n".join(lines).encode(), pristine[name])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200), name=st.sampled_from(NAMES))
def test_any_bytes_load_or_are_refused(place: Path, pristine: dict[str, str], data: bytes, name: str) -> None:
    load_or_refuse(place, name, data, pristine[name])
