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
    ("row", "column"),
    [
        (ROW.replace("randread", "randrw"), "rw"),
        (ROW.replace(",489,", ",700,"), "read_p95_us"),
        (ROW.replace(",499,", ",4990,"), "read_lat_mean_us"),
        (ROW.replace(",63860,", ",0,"), "read_iops"),
        (ROW.replace(",4,8,", ",4,0.5,"), "numjobs"),
        (ROW.replace(",63860,", ",638,"), "read_lat_mean_us"),
        (ROW.replace(",8,,", ",8,-1,"), "size_bytes"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, row: str, column: str) -> None:
    with pytest.raises(InputError) as refused:
        depth_table.depths(table(tmp_path, row))
    assert f", line 2: {column}: " in str(refused.value)


def test_missing_columns_and_rows_are_refused(tmp_path: Path) -> None:
    lacking = table(tmp_path, ROW, head=HEAD.replace("numjobs", "jobs"))
    with pytest.raises(InputError) as refused:
        depth_table.depths(lacking)
    assert " numjobs;" in str(refused.value)
    with pytest.raises(InputError) as refused:
        depth_table.depths(table(tmp_path))
    assert f"{lacking}: " in str(refused.value), "no line of it"
