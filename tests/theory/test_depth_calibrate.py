"""A table made by simulating a drive of known figures gives these figures back, and says what it cannot give."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agreed import agreed_refusals
from bundled import CATALOG
from drivecast.calibration import calibrated_file, depth_calibrate, depth_run, path_calibrate, table_kind
from drivecast.calibration.depth_table import QUANTILES, Depth
from drivecast.catalog import Catalog, load
from drivecast.catalog.calibrated import Batch, Calibrated
from drivecast.catalog.family import rows
from drivecast.catalog.figure import Figure
from drivecast.catalog.sheet import SsdSheet
from drivecast.errors import InputError

DRIVE = "samsung-pm893-480gb"
FILE = CATALOG.get(DRIVE).file
TITLE = "Samsung PM893 480GB"
PATH = "ibm-m1015"
KEYS = {"p50": "q0.5", "p95": "q0.95", "p99": "q0.99", "p999": "q0.999"}
COUNTS = (1, 2, 4, 8, 16, 32)
HEAD = ",".join(
    ["device,array,rw,bs_bytes,iodepth,numjobs"]
    + [
        f"{op}_{what}"
        for op in ("read", "write")
        for what in ("iops", "lat_mean_us", *(f"{q}_us" for q in QUANTILES))
    ]
)


def _measured(value: float) -> Figure[float]:
    return Figure[float](value=value, measured="lab")


def _known(**figures: Any) -> Catalog:
    """Return the catalog with the drive as it is in truth."""
    drive = CATALOG.get(DRIVE)
    assert drive.nand is not None
    table = calibrated_file.start(drive, drive.sheet, drive.nand, "lab").model_copy(update=figures)
    true = replace(drive, sheet=drive.sheet.model_copy(update={"calibrated": table}))
    return replace(CATALOG, drives={**CATALOG.drives, DRIVE: true})


def _row(op: str, jobs: int, true: Catalog, path: str = PATH, depth: int = 1) -> str:
    """Return a line of the table, simulated."""
    blank = dict.fromkeys(QUANTILES, 1.0)
    asked = Depth("", TITLE, path, f"rand{op}", 4096, depth, jobs, 20_000.0, 1.0, blank, None)  # type: ignore[arg-type]
    outcome = depth_run.play(asked, DRIVE, true)
    own = [outcome.iops, asked.outstanding / outcome.iops * 1e6]
    own += [outcome.latency_of(op, key) / 1e3 for key in KEYS.values()]
    values, none = ",".join(f"{value:.3f}" for value in own), "," * (len(own) - 1)
    figures = f"{values},{none}" if op == "read" else f"{none},{values}"
    return f"{TITLE},{path},rand{op},4096,{depth},{jobs},{figures}"


def _table(folder: Path, rows: Sequence[str]) -> Path:
    path = folder / "depths.csv"
    path.write_text("\n".join([HEAD, *rows]) + "\n")
    return path


def _calibrated(text: str) -> Calibrated:
    table = dict(rows(FILE.stem, tomllib.loads(text)))[DRIVE]["calibrated"]
    return Calibrated.model_validate(table)


def test_what_was_put_in_comes_out(tmp_path: Path) -> None:
    """Lone requests and rates within 1 %, the spread of page types within 5 %; dies within the range that is stated."""
    true = _known(
        lone_read_us=_measured(140.0),
        read_type_spread_us=_measured(20.0),
        write_us=_measured(50.0),
        reads_per_s=_measured(60_000.0),
        writes_per_s=_measured(45_000.0),
        parallel_units=Figure[int](value=8, measured="lab"),
    )
    rows = [_row(op, jobs, true) for op in ("read", "write") for jobs in COUNTS]
    held_out = [_row("read", 4, true, depth=8), _row("write", 2, true, depth=4)]
    found, text = depth_calibrate.run(DRIVE, [_table(tmp_path, [*rows, *held_out])], CATALOG, by="lab")
    table = _calibrated(text)
    assert table.lone_read_us.value == pytest.approx(140.0, rel=0.01)
    assert table.write_us.value == pytest.approx(50.0, rel=0.01)
    assert table.read_type_spread_us.value == pytest.approx(20.0, rel=0.05)
    assert table.reads_per_s.value == pytest.approx(60_000.0, rel=0.01)
    assert table.writes_per_s.value == pytest.approx(45_000.0, rel=0.01)
    assert len(table.fitted_runs) == 2 * len(COUNTS)
    assert "over 2 runs held out" in found.error
    median = re.match(r"median (\d+)% of the rate and (\d+)% of p99", found.error)
    assert max(map(int, median.groups())) <= 5
    assert _units(table, found.undetermined)[0] <= 8 <= _units(table, found.undetermined)[1]


def _units(table: Calibrated, unknown: Sequence[str]) -> tuple[float, float]:
    """Return the range of dies, from the table or from what is said not to be determined."""
    if table.parallel_units is not None:
        assert table.parallel_units.low is not None
        assert table.parallel_units.high is not None
        return table.parallel_units.low, table.parallel_units.high
    said = next(
        found for line in unknown if (found := re.match(r"parallel_units: (\d+) to (\d+) agree", line))
    )
    return int(said[1]), int(said[2])


def test_few_dies_are_seen_where_reads_meet(tmp_path: Path) -> None:
    """Two dies cannot be taken for the sheet's, nor half or twice as many."""
    sheet = CATALOG.get(DRIVE).sheet
    assert isinstance(sheet, SsdSheet)
    dies = sheet.flash.channels.value * sheet.flash.dies_per_channel.value
    few = dies // 4
    true = _known(lone_read_us=_measured(140.0), parallel_units=Figure[int](value=few, measured="lab"))
    rows = [_row("read", jobs, true) for jobs in (1, 4, 8)]
    _, text = depth_calibrate.run(DRIVE, [_table(tmp_path, rows)], CATALOG, by="lab")
    units = _calibrated(text).parallel_units
    assert units.value == few


def test_a_path_that_is_the_limit_says_nothing_of_the_drive(tmp_path: Path) -> None:
    """The port carries 74,297 a second, and the drive would take 90,000."""
    true = _known(lone_read_us=_measured(120.0), reads_per_s=_measured(90_000.0))
    rows = [_row("read", jobs, true) for jobs in (1, 32)]
    found, text = depth_calibrate.run(DRIVE, [_table(tmp_path, rows)], CATALOG, by="lab")
    assert _calibrated(text).reads_per_s is None
    said = next(line for line in found.undetermined if line.startswith("reads_per_s"))
    assert "the path carries 74,297 reads a second" in said


def test_batches_that_hold_writes_up_come_out(tmp_path: Path) -> None:
    """64 pages each 8 ms, one batch behind the other: 8,000 writes a second at any depth."""
    batch = Batch(
        every_mb=_measured(0.004096),
        time_ms=_measured(8.0),
        slack_kb=_measured(63 * 4.096),
        without_reads=Figure[bool](value=True, measured="lab"),
    )
    true = _known(write_us=_measured(40.0), batch=batch)
    rows = [_row("read", 1, true), _row("write", 4, true), _row("write", 32, true)]
    _, text = depth_calibrate.run(
        DRIVE,
        [_table(tmp_path, rows)],
        CATALOG,
        by="lab",
        fit=[f"{PATH} randread 1x1", f"{PATH} randwrite *"],
    )
    found = _calibrated(text).batch
    assert found.slack_kb.value == pytest.approx(63 * 4.096)
    assert found.time_ms.value == pytest.approx(8.0, rel=0.02)


def test_programs_are_seen_with_the_write_cache_off(tmp_path: Path) -> None:
    true = _known(write_us=_measured(40.0), program_us=_measured(1_500.0))
    off = f"single; {PATH}; IBM M1015; write cache disabled"
    rows = [_row("read", 1, true), _row("write", 1, true), _row("write", 1, true, path=off)]
    _, text = depth_calibrate.run(DRIVE, [_table(tmp_path, rows)], CATALOG, by="lab")
    assert _calibrated(text).program_us.value == pytest.approx(1_500.0, rel=0.02)


def test_a_port_is_what_a_full_queue_leaves_besides_data(tmp_path: Path) -> None:
    """A drive that takes more than its path: 6.2 us a read, 8.4 us a write of the bundled path come out."""
    true = _known(
        lone_read_us=_measured(90.0), reads_per_s=_measured(95_000.0), writes_per_s=_measured(95_000.0)
    )
    table = _table(tmp_path, [_row(op, 32, true) for op in ("read", "write")])
    made, text = table_kind.calibrate(PATH, [table], CATALOG, by="lab", hold_out=[], fit=[f"{DRIVE} *"])
    controller = CATALOG.controller(PATH)
    found = tomllib.loads(made.table)
    assert found["port_read_us"]["value"] == pytest.approx(controller.port_read_us.value, abs=0.15)
    assert tomllib.loads(text)["controllers"][PATH]["port_read_us"] == found["port_read_us"]
    assert tomllib.loads(text)["controllers"]["hp-p420i-hba"]["port_read_us"]["value"] > 10
    with pytest.raises(InputError) as error:
        path_calibrate.run(PATH, [table], CATALOG, fit=["nothing*"])
    assert "32" in str(error.value)


def test_the_file_with_the_result_is_a_drive_of_the_catalog(tmp_path: Path) -> None:
    """It names the table as its source, says that its latency was measured, and reads as it was found."""
    true = _known(lone_read_us=_measured(140.0))
    table = _table(tmp_path, [_row("read", 1, true), _row("read", 2, true), _row("read", 2, true, depth=2)])
    found, text = depth_calibrate.run(DRIVE, [table], CATALOG, by="lab")
    path = tmp_path / FILE.name
    path.write_text(text)
    drive = load([path]).get(DRIVE)
    assert drive.latency_measured
    assert drive.sheet.sources["lab"] == "measurements of this drive: depths.csv"
    assert found.table.replace("[calibrated]", f"[{drive.row}.calibrated]") in text
    again, same = depth_calibrate.run(DRIVE, [table], load([path]), by="lab")
    assert same == text, "what was found once is found again"
    assert again == found


def test_data_that_cannot_carry_the_fit_are_refused(tmp_path: Path) -> None:
    """The last: 20 us on flash that takes 50 and more; whatever is added, the drive stays slower."""
    true = _known(lone_read_us=_measured(140.0))

    def calibrate(lines: list[str], *fit: str) -> None:
        depth_calibrate.run(DRIVE, [_table(tmp_path, lines)], CATALOG, by="lab", fit=fit)

    read = [_row("read", 1, true)]
    tries = [
        partial(calibrate, [_row("read", jobs, true) for jobs in (8, 32)]),
        partial(calibrate, [_row("write", 1, true)]),
        partial(calibrate, read, "ibm-m1015 randread 1x2"),
        partial(calibrate, read, "hp-p420i-raid *"),
        partial(calibrate, [f"{TITLE},{PATH},randread,4096,1,1,50000,20,19,20,21,30,,,,,,"]),
    ]
    agreed_refusals("depth-calibrate.txt", tries, {str(tmp_path): "FOLDER"})


def test_tables_of_two_kinds_and_strange_drives_are_refused(tmp_path: Path) -> None:
    depths = _table(tmp_path, [f"{TITLE},{PATH},randread,4096,1,1,10000,100,90,110,120,130,,,,,,"])
    threads = tmp_path / "threads.csv"
    threads.write_text("device,total_iops\nx,1\n")

    def calibrate(name: str, tables: list[Path], fit: Sequence[str] = ()) -> None:
        table_kind.calibrate(name, tables, CATALOG, by="lab", hold_out=[], fit=fit)

    other = tmp_path / "other.csv"
    other.write_text(depths.read_text().replace(PATH, "ibm-m1016"))
    tries = [
        partial(calibrate, DRIVE, [depths, threads]),
        partial(calibrate, DRIVE, [threads], ["x"]),
        partial(calibrate, "intel-dc-s3500-480gb", [depths]),
        partial(calibrate, "seagate-exos-x20-20tb", [depths]),
        partial(calibrate, DRIVE, [other]),
    ]
    agreed_refusals("calibrate-tables.txt", tries, {str(tmp_path): "FOLDER"})
