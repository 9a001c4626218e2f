"""A family is one file: what its capacities share is written once, and a row says what differs."""

import tomllib
from pathlib import Path

import pytest

from drive_file import copied
from drivecast.catalog import CatalogError, load
from drivecast.catalog.family import place, row_of, rows, with_table

FAMILY = "samsung-pm9a3"


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("nand", "interfaces", "failures", "latency", "prices"):
        copied(name, tmp_path)
    (tmp_path / "drives").mkdir()
    (tmp_path / f"drives/{FAMILY}.toml").write_text(load().get(f"{FAMILY}-960gb").file.read_text())
    return tmp_path


def test_a_row_is_laid_over_the_family() -> None:
    text = """
kind = "ssd"
[power]
idle_w = { value = 4, source = "sheet" }
active_w = { source = "sheet" }
[capacities."1tb"]
power.active_w = 9
[capacities."2tb"]
part_numbers = ["A"]
power.active_w = { value = 11, assumed = "as siblings" }
power.idle_w = { value = 5 }
"""
    small, large = rows("acme-x", tomllib.loads(text))
    assert [small[0], large[0]] == ["acme-x-1tb", "acme-x-2tb"]
    assert small[1]["power"] == {
        "idle_w": {"value": 4, "source": "sheet"},
        "active_w": {"value": 9, "source": "sheet"},
    }
    assert large[1]["power"] == {
        "idle_w": {"value": 5, "source": "sheet"},
        "active_w": {"value": 11, "assumed": "as siblings"},
    }
    assert large[1]["part_numbers"] == ["A"]
    assert small[1]["power"]["idle_w"] is not None


def test_drives_of_a_family_have_their_own_figures(base: Path) -> None:
    catalog = load(base=base)
    small, large = catalog.get(f"{FAMILY}-960gb"), catalog.get(f"{FAMILY}-3.84tb")
    assert (small.user_bytes, large.user_bytes) == (960e9, 3840e9)
    assert small.sheet.endurance.dwpd is large.sheet.endurance.dwpd, "what is shared is read once"
    assert small.sheet.calibrated is not None
    assert large.sheet.calibrated is None
    assert large.row == 'capacities."3.84tb"'


def test_what_is_wrong_in_a_row_is_named_with_its_line(base: Path) -> None:
    file = base / f"drives/{FAMILY}.toml"
    lines = file.read_text().splitlines()
    at = next(number for number, line in enumerate(lines, 1) if line == "endurance.tbw_tb = 7008")
    lines[at - 1] = 'endurance.tbw_tb = "7008"'
    file.write_text("\n".join(lines))
    with pytest.raises(CatalogError) as refused:
        load(base=base)
    (problem,) = refused.value.problems
    assert (problem.file, problem.line) == (str(file), at)
    assert problem.key == 'capacities."3.84tb".endurance.tbw_tb.value'


@pytest.mark.parametrize("rows", ["capacities = 3", "[capacities]\n1tb = 3"])
def test_rows_that_are_no_tables_are_refused(base: Path, rows: str) -> None:
    file = base / f"drives/{FAMILY}.toml"
    text = file.read_text()
    file.write_text(
        f"{rows}\n{text[: text.index('[capacities')]}"
        if "[" not in rows
        else f"{text[: text.index('[capacities')]}{rows}\n"
    )
    with pytest.raises(CatalogError) as refused:
        load(base=base)
    assert [problem.key for problem in refused.value.problems] == ["capacities"]


def test_a_place_is_that_of_the_row_or_else_of_the_family() -> None:
    text = '[power]\nidle_w = 1\n\n[capacities."1.92tb"]\npower.active_w = 2\n'
    row = row_of("x-1.92tb", Path("x.toml"))
    assert place(text, row, "power.active_w.value") == ('capacities."1.92tb".power.active_w.value', 5)
    assert place(text, row, "power.idle_w") == ("power.idle_w", 2)
    assert place(text, row, "flash.channels") == ("flash.channels", 4)
    assert row_of("x", Path("x.toml")) is None


def test_a_table_of_a_row_is_replaced_and_the_rest_stays() -> None:
    text = '[endurance]\n\n[capacities."1tb"]\na.b = 1\n\n# Next.\n[capacities."2tb"]\na.b = 2\n'
    row = 'capacities."1tb"'
    once = with_table(text, row, "[fitted]\nx = 1\n\n", "fitted")
    assert tomllib.loads(once)["capacities"]["1tb"]["fitted"] == {"x": 1}
    assert once.index("x = 1") < once.index("# Next.") < once.index('"2tb"')
    twice = with_table(once, row, "[fitted]\nx = 2\n\n", "fitted")
    assert tomllib.loads(twice)["capacities"]["1tb"] == {"a": {"b": 1}, "fitted": {"x": 2}}
    assert with_table(twice, row, "", "fitted") == text


def test_a_drive_file_is_found_anywhere_below(base: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    mine = tmp_path_factory.mktemp("mine")
    at_root = copied("seagate-exos-x20-20tb", mine)
    at_root.rename(mine / "acme-root-20tb.toml")
    copied("seagate-exos-x20-20tb", mine / "shelf/left").rename(mine / "shelf/left/acme-deep-20tb.toml")
    assert {"acme-root-20tb", "acme-deep-20tb"} <= load([mine], base=base).drives.keys()
    (mine / "notes.toml").write_text("a = 1")
    with pytest.raises(CatalogError) as refused:
        load([mine], base=base)
    assert [problem.file for problem in refused.value.problems] == [str(mine / "notes.toml")]
