"""`catalog check --simulate` and `catalog fit` as a person runs them, and the table that a fit writes."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drive_file import alone, copied
from drivecast.calibration.fitting import table
from drivecast.catalog import device_parameters, load
from drivecast.catalog.family import with_table
from drivecast.catalog.figure import NonNegative
from drivecast.catalog.sheet import Fitted, SsdSheet

Program = Callable[..., Any]
DISK = "seagate-exos-15e900-600gb"
OLD = "intel-x25-e-32gb"


def test_a_drive_within_its_sheet_is_exit_code_0(drivecast: Program) -> None:
    done = drivecast("catalog", "check", "--simulate", DISK)
    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == "3 tests of 1 drives: 3 within 10% of the sheet, 0 beyond, 0 excused"


def test_a_drive_beyond_its_sheet_is_exit_code_1(drivecast: Program, tmp_path: Path) -> None:
    """A disk said to stream at 300 MB/s, and to seek in no time at all that its track and full seeks allow."""
    text = alone(DISK)
    (tmp_path / "mine.toml").write_text(
        text.replace(
            "seek_mean_ms = {",
            'random_read_iops = { value = 9000, outstanding = 16, assumed = "made up" }\nseek_mean_ms = {',
        )
    )
    done = drivecast(
        "catalog",
        "check",
        "--simulate",
        "mine",
        "--catalog",
        tmp_path / "mine.toml",
        "--output-format",
        "json",
    )
    assert done.code == 1
    (far,) = [row for row in done.json["tests"] if row["verdict"] == "beyond"]
    assert (far["key"], far["stated"], far["unit"]) == ("disk.random_read_iops", 9000, "IOPS")
    assert far["ratio"] < 0.1


def test_csv_has_a_row_for_each_test(drivecast: Program) -> None:
    done = drivecast("catalog", "check", "--simulate", DISK, "--output-format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["test"] for row in rows] == [
        "sequential read, outer zone",
        "random read access",
        "random write access",
    ]
    assert all(row["drive"] == DISK and row["verdict"] == "within" for row in rows)


@pytest.mark.parametrize("verb", [("check", "--simulate"), ("fit",)])
def test_an_unknown_drive_is_refused_with_the_nearest(drivecast: Program, verb: tuple[str, ...]) -> None:
    done = drivecast("catalog", *verb, "seagate-exos-15e900-600g")
    assert done.code == 2
    assert f"`{DISK}`" in done.err


def test_names_without_simulate_are_refused(drivecast: Program) -> None:
    done = drivecast("catalog", "check", DISK)
    assert done.code == 2
    assert "--simulate" in done.err


def test_a_fit_is_written_into_the_file_and_read_back(drivecast: Program, tmp_path: Path) -> None:
    """The bundled file is fitted, so without its table the same table comes back, and all else stays."""
    bundle = load().get(OLD)
    mine = tmp_path / bundle.file.name
    mine.write_text(with_table(bundle.file.read_text(), bundle.row, table(Fitted()), "fitted"))
    assert f"[{bundle.row}.fitted]" not in mine.read_text()
    done = drivecast("catalog", "fit", OLD, "--write", "--catalog", mine)
    assert done.code == 0, done.err
    assert "copy_cost" in done.out
    assert mine.read_text() == bundle.file.read_text()


def test_a_fit_is_not_written_unless_asked(drivecast: Program, tmp_path: Path) -> None:
    mine = copied(DISK, tmp_path)
    before = mine.read_bytes()
    assert drivecast("catalog", "fit", DISK, "--catalog", mine).code == 0
    assert mine.read_bytes() == before


def test_the_table_replaces_itself_and_leaves_the_rest() -> None:
    text = alone(OLD)
    fitted = Fitted(copy_cost=None, read_overhead_ns=NonNegative(value=12.0, fitted="a «test»"))
    once = with_table(text, None, table(fitted), "fitted")
    assert once.count("[fitted]") == 1
    assert 'read_overhead_ns = { value = 12, fitted = "a «test»" }' in once
    assert with_table(once, None, "", "fitted") == with_table(text, None, "", "fitted")


def test_fitted_values_are_those_of_the_device() -> None:
    drive = load().get(OLD)
    assert isinstance(drive.sheet, SsdSheet)
    fitted = drive.sheet.fitted.copy_cost
    assert fitted is not None
    (used,) = [row for row in device_parameters(drive) if row.name == "copy_cost"]
    assert (used.value, used.provenance, used.source) == (fitted.value, "fitted", fitted.reason)
