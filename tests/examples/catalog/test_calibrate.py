"""A drive calibrated from tables, and tables of drives reproduced: without simulating."""

import re
import tomllib
from pathlib import Path

import pytest

from bundled import CATALOG
from drivecast.calibration import ssd_calibrate
from drivecast.calibration.load_table import QUANTILES, Load, Steady
from drivecast.catalog import device_spec
from drivecast.catalog.calibrated import Calibrated
from drivecast.catalog.command_time import full_drive_amplification
from drivecast.document.measured_drives import MeasuredFigure
from drivecast.errors import InputError
from drivecast.reproduce import nvme_tables, real_drives

RATE = 70_000.0


def _data(rates: tuple[float, ...] = (10_000.0, 40_000.0)) -> ssd_calibrate.Data:
    reads = dict(zip(QUANTILES, (64.0, 95.0, 250.0, 400.0, 550.0), strict=True))
    writes = dict.fromkeys(QUANTILES, 11.0)
    loads = [Load("d", 894.0, "uniform", rate, 5000.0, rate, reads, writes) for rate in rates]
    return ssd_calibrate.Data(loads, [Steady("d", 894.0, "uniform", "", RATE)], "lab")


def test_the_time_of_a_program_is_found_by_the_rate_of_steady_writes() -> None:
    asked = []

    def rate(table: Calibrated) -> float:
        asked.append(table.program_us.value)
        return 150e6 / table.program_us.value

    table = ssd_calibrate.calibrate(_data(), 1024, 8.0, rate)
    assert table.program_us.value == pytest.approx(150e6 / RATE, rel=0.01)
    assert len(asked) <= 4
    assert table.batch is None
    assert table.full.value == "reads-first"
    assert table.full.assumed, "no run was saturated, and the table says so"


def test_the_table_reads_back() -> None:
    table = ssd_calibrate.calibrate(_data(), 1024, 8.0, lambda _: RATE)
    assert Calibrated.model_validate(tomllib.loads(ssd_calibrate.toml(table))["calibrated"]) == table


def test_without_steady_writes_nothing_is_calibrated() -> None:
    data = ssd_calibrate.Data(_data().loads, [], "lab")
    with pytest.raises(InputError, match="expected a steady run of uniform writes"):
        ssd_calibrate.calibrate(data, 1024, 8.0, lambda _: RATE)


def test_spare_follows_from_writes_on_less_than_the_drive() -> None:
    steady = [
        Steady("d", region, "uniform", "", 330_000 / full_drive_amplification(1060 / region))
        for region in (894.0, 745.0, 596.0, 447.0)
    ]
    assert ssd_calibrate.effective_gib(steady, 1024) == pytest.approx(1060, rel=0.005)
    assert ssd_calibrate.effective_gib(steady[:2], 1024) is None


def test_a_calibrated_drive_has_what_was_measured() -> None:
    spec, plain = (device_spec(CATALOG.get(f"samsung-pm9a3-{size}")) for size in ("960gb", "1.92tb"))
    assert spec["full_holds_reads"] is True
    assert spec["suspend_wait_ns"] == 66_600
    assert "full_holds_reads" not in plain
    assert spec["read_overhead_ns"] < plain["read_overhead_ns"], "a lone read is faster than its sheet says"
    assert CATALOG.get("samsung-pm9a3-960gb").latency_measured
    assert not CATALOG.get("samsung-pm9a3-1.92tb").latency_measured


def test_an_unknown_drive_of_a_table_is_named(tmp_path: Path) -> None:
    head = "drive,region_gib,pattern,details,write_iops_last_third"
    path = tmp_path / nvme_tables.WRITES.file
    path.write_text(f"{head}\nSamsung PM9A4 960 GB,894,uniform,,70000\n")
    with pytest.raises(InputError, match=re.escape("did you mean `samsung-pm9a3-960gb`")):
        real_drives.run(tmp_path, CATALOG)
    with pytest.raises(InputError, match="found none"):
        real_drives.run(tmp_path / "none", CATALOG)


def _figure(drive: str, ratio: float, *, fitted: bool = False) -> MeasuredFigure:
    return MeasuredFigure(
        source=nvme_tables.LATENCY.file,
        drive=drive,
        workload="w",
        quantity="read p99",
        measured=100.0,
        predicted=100.0 * ratio,
        low=None,
        high=None,
        ratio=ratio,
        calibrated=True,
        fitted=fitted,
    )


def test_an_interval_comes_from_the_other_drives() -> None:
    figures = [_figure("a", 0.1), _figure("b", 0.5), _figure("b", 1.0), _figure("c", 2.0)]
    found = real_drives.with_interval(figures[0], figures)
    assert found.low is not None
    assert found.high is not None
    assert found.low / found.predicted == pytest.approx(0.6)  # of 0.5, 1, 2: a fifth of the way
    assert found.high / found.predicted == pytest.approx(1.8)


def test_only_what_was_not_fitted_is_judged() -> None:
    figures = [_figure("a", 1.1), _figure("a", 0.8), _figure("a", 9.0, fitted=True)]
    found = real_drives.agreement(nvme_tables.LATENCY.file, nvme_tables.LATENCY.kinds[0], figures)
    assert found is not None
    assert found.figures == 2
    assert found.error_median == pytest.approx((1.1 + 1.25) / 2 - 1)
    assert found.factor_worst == pytest.approx(1.25)
    assert found.passed
    assert real_drives.agreement(nvme_tables.WRITES.file, nvme_tables.WRITES.kinds[0], figures) is None
