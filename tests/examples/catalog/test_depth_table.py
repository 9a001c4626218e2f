"""The table of rates by depth and processes: what is read, and what is refused, with line and column."""

from pathlib import Path

import pytest

from drivecast.calibration import depth_table
from drivecast.errors import InputError

QUANTILES = ("lat_mean", "p50", "p95", "p99", "p999")
HEAD = ",".join(
    ["device,array,rw,bs_bytes,iodepth,numjobs,size_bytes"]
    + [f"{op}_iops," + ",".join(f"{op}_{name}_us" for name in QUANTILES) for op in ("read", "write")]
)
ROW = "Intel D3-S4610 480GB SATA,single; IBM M1015 HBA,randread,4096,4,8,,63860,499,489,618,676,750,,,,,,"


def table(folder: Path, *rows: str, head: str = HEAD) -> Path:
    """Write a table."""
    path = folder / "fio-sata-and-disks.csv"
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def test_a_row_is_read(tmp_path: Path) -> None:
    (row,) = depth_table.depths(table(tmp_path, ROW))
    assert (row.device, row.path) == ("Intel D3-S4610 480GB SATA", "single; IBM M1015 HBA")
    assert (row.name, row.op, row.outstanding) == ("randread 4x8", "read", 32)
    assert (row.iops, row.latency_us["p99"], row.file_bytes) == (63_860, 676, None)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (ROW.replace("randread", "randrw"), "line 2: rw: expected `randread` or `randwrite`, found `randrw`"),
        (ROW.replace(",489,", ",700,"), r"line 2: read_p95_us: expected at least the 700 of read_p50_us"),
        (
            ROW.replace(",499,", ",4990,"),
            r"read_lat_mean_us: expected at most the 750 of read_p999_us, found",
        ),
        (ROW.replace(",63860,", ",0,"), r"line 2: read_iops: expected a number above 0, found `0`"),
        (ROW.replace(",4,8,", ",4,0.5,"), r"line 2: numjobs: expected a whole number, found `0.5`"),
        (ROW.replace(",63860,", ",638,"), r"read_lat_mean_us: expected about 50156.7, for 32 outstanding"),
        (ROW.replace(",8,,", ",8,-1,"), r"line 2: size_bytes: expected a number above 0, found `-1`"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        depth_table.depths(table(tmp_path, row))


def test_missing_columns_and_rows_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 1: expected the columns numjobs; found device"):
        depth_table.depths(table(tmp_path, ROW, head=HEAD.replace("numjobs", "jobs")))
    with pytest.raises(InputError, match="expected at least one row"):
        depth_table.depths(table(tmp_path))
