"""Tables of measured drives: what is read, and what is refused, with line and column."""

from pathlib import Path

import pytest

from drivecast.calibration import load_table
from drivecast.errors import InputError, MissingError

QUANTILES = ["p50", "p90", "p99", "p999", "p9999"]
HEAD = ",".join(
    ["drive,region_gib,pattern,offered_per_s,reads_per_s,writes_per_s"]
    + [f"{op}_{name}_us" for op in ("read", "write") for name in ["mean", *QUANTILES]]
)
ROW = "Samsung PM9A3 960 GB,894,uniform,10000,5050,9954,75,64,99,237,393,522,11,11,12,14,17,20"


def _table(folder: Path, *rows: str, head: str = HEAD) -> Path:
    path = folder / "nvme-latency-under-load.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def test_a_row_is_read(tmp_path: Path) -> None:
    (row,) = load_table.loads(_table(tmp_path, ROW))
    assert row.drive == "Samsung PM9A3 960 GB"
    assert (row.offered_per_s, row.writes_per_s) == (10_000, 9_954)
    assert (row.read_us["p99"], row.write_us["p9999"]) == (237, 20)


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (ROW.replace(",237,", ",63,"), "read_p99_us"),
        (ROW.replace(",9954,", ",0,"), "writes_per_s"),
        (ROW.replace(",9954,", ",,"), "writes_per_s"),
        (ROW.replace(",894,", ",inf,"), "region_gib"),
        (ROW.replace(",75,64,", ",75000,64,"), "read_mean_us"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, row: str, column: str) -> None:
    with pytest.raises(InputError) as refused:
        load_table.loads(_table(tmp_path, row))
    assert f", line 2: {column}: " in str(refused.value)


def test_missing_columns_rows_and_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: expected the columns writes_per_s; found drive"):
        load_table.loads(_table(tmp_path, ROW, head=HEAD.replace("writes_per_s", "w")))
    with pytest.raises(InputError, match="expected at least one row"):
        load_table.loads(_table(tmp_path))
    with pytest.raises(MissingError):
        load_table.steady(tmp_path / "none.csv")
