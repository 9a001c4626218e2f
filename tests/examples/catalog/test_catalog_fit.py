"""`catalog check --simulate` and `catalog fit` as a person runs them, and the table that a fit writes."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drive_file import alone, copied
from drivecast.calibration.fitting import table
from drivecast.catalog import load
from drivecast.catalog.family import with_table
from drivecast.catalog.sheet import Fitted

Program = Callable[..., Any]
DISK = "seagate-exos-15e900-600gb"
OLD = "intel-x25-e-32gb"


def test_a_drive_within_its_sheet_is_exit_code_0(drivecast: Program) -> None:
    done = drivecast("catalog", "check", "--simulate", DISK, "--output-format", "csv")
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [row["test"] for row in rows] == [
        "sequential read, outer zone",
        "random read access",
        "random write access",
    ]
    assert all(row["drive"] == DISK and row["verdict"] == "within" for row in rows)


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
