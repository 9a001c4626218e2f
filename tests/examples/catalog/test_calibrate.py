"""A drive calibrated from tables, and tables of drives reproduced."""

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from bundled import CATALOG
from drivecast.calibration import calibrated_file, ssd_calibrate, ssd_tail
from drivecast.calibration.load_table import QUANTILES, Load, Steady, any_drive
from drivecast.catalog import device_parameters, device_spec
from drivecast.catalog.calibrated import Calibrated
from drivecast.catalog.full_amplification import full_drive_amplification
from drivecast.catalog.latency_error import LatencyFile
from drivecast.document.measured_drives import MeasuredFigure
from drivecast.errors import HintedError, InputError, NoAnswer
from drivecast.reproduce import (
    latency_file,
    leave_one_out,
    measured_run,
    nvme_tables,
    real_drives,
    sata_table,
)
from drivecast.reproduce.measured_run import Run
from measured_runs import point, written

RATE = 70_000.0
SMALL = {
    "kind": "ssd",
    "logical_bytes": 1 << 33,
    "physical_bytes": 5 << 31,
    "page_bytes": 16384,
    "pages_per_block": 256,
    "channels": 4,
    "dies_per_channel": 2,
    "planes": 2,
    "queue_depth": 64,
    "buffer_bytes": 1 << 22,
    "read_ns": 50_000,
    "program_ns": 500_000,
    "erase_ns": 3_000_000,
    "suspend_ns": 5_000,
    "channel_bytes_per_s": 1e9,
    "link_bytes_per_s": 3e9,
}


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
    assert Calibrated.model_validate(tomllib.loads(calibrated_file.toml(table))["calibrated"]) == table


def test_without_steady_writes_nothing_is_calibrated() -> None:
    data = ssd_calibrate.Data(_data().loads, [], "lab")
    with pytest.raises(HintedError):
        ssd_calibrate.calibrate(data, 1024, 8.0, lambda _: RATE)


def test_spare_follows_from_writes_on_less_than_the_drive() -> None:
    steady = [
        Steady("d", region, "uniform", "", 330_000 / full_drive_amplification(1060 / region))
        for region in (894.0, 745.0, 596.0, 447.0)
    ]
    assert ssd_calibrate.effective_gib(steady, 1024) == pytest.approx(1060, rel=0.005)
    assert ssd_calibrate.effective_gib(steady[:2], 1024) is None


def test_a_calibrated_drive_has_what_was_measured() -> None:
    spec, plain = (device_spec(CATALOG.get(name)) for name in ("samsung-pm9a3-960gb", "sandisk-sn650-7.68tb"))
    assert spec["full_holds_reads"] is True
    assert spec["suspend_wait_ns"] == 66_600
    assert "full_holds_reads" not in plain
    assert spec["read_overhead_ns"] < plain["read_overhead_ns"], "a lone read is faster than its sheet says"
    assert CATALOG.get("samsung-pm9a3-960gb").latency_measured
    assert not CATALOG.get("samsung-pm9a3-1.92tb").latency_measured


def test_a_drive_of_a_measured_platform_has_what_that_decides() -> None:
    """Twice the flash: a batch is about twice as large and takes as long. More of a MAX is free after one."""
    measured, twice, mixed = (
        device_spec(CATALOG.get(f"micron-7450-{name}")) for name in ("pro-960gb", "pro-1.92tb", "max-800gb")
    )
    spare = full_drive_amplification(1060 / 894) / full_drive_amplification(1024 / 894)
    for key, times in (
        ("gc_batch_bytes", 2 * spare),
        ("gc_batch_slack_bytes", 2),
        ("gc_batch_ns", 1),
        ("gc_batch_valid", 1),
        ("suspend_wait_ns", 1),
    ):
        assert twice[key] == pytest.approx(times * measured[key], rel=1e-3), key
    assert mixed["gc_batch_bytes"] > 1.5 * measured["gc_batch_bytes"]
    assert CATALOG.get("micron-7450-pro-1.92tb").latency_known == "platform"
    rows = device_parameters(CATALOG.get("micron-7450-pro-1.92tb"))
    (batch,) = (row for row in rows if row.name == "gc_batch_ns")
    assert (batch.provenance, "micron-7450-pro-960gb" in batch.source) == ("assumed", True)


def test_an_unknown_drive_of_a_table_is_named(tmp_path: Path) -> None:
    head = "drive,region_gib,pattern,details,write_iops_last_third"
    path = tmp_path / nvme_tables.WRITES.file
    path.write_text(f"{head}\nSamsung PM9A4 960 GB,894,uniform,,70000\n")
    with pytest.raises(InputError) as refused:
        real_drives.run(tmp_path, CATALOG)
    assert "`samsung-pm9a3-960gb`" in str(refused.value)
    path.write_text(f"{head}\nSamsung PM9A4 960 GB,894,uniform,,70000\nIntel 320 160 GB,99,uniform,,9000\n")
    found = real_drives.run(tmp_path, CATALOG)
    assert {each.drive for each in found.figures} == {"intel-320-160gb"}
    assert ["PM9A4" in each for each in found.skipped] == [True]
    with pytest.raises(InputError) as refused:
        real_drives.run(tmp_path / "none", CATALOG)
    assert str(tmp_path / "none") in str(refused.value)


def _figure(drive: str, ratio: float, **changed: object) -> MeasuredFigure:
    figure = MeasuredFigure(
        source=nvme_tables.LATENCY.file,
        drive=drive,
        design=drive,
        workload="w",
        quantity="read p99",
        measured=100.0,
        predicted=100.0 * ratio,
        low=None,
        high=None,
        ratio=ratio,
        calibrated=True,
        saturated=False,
        fitted=False,
    )
    return figure.model_copy(update=changed)


def test_an_interval_comes_from_the_other_drives() -> None:
    figures = [_figure("a", 0.1), _figure("b", 0.8), _figure("b", 1.0), _figure("c", 1.25)]
    aside = [
        _figure("c", 0.9, saturated=True),
        _figure("c", 0.9, calibrated=False),
        _figure("c", 0.9, quantity="write p99"),
    ]
    found = real_drives.with_interval(figures[0], [*figures, *aside])
    assert found.low is not None
    assert found.high is not None
    # ln 1.25, 0 and -ln 1.25: mean 0, deviation 0.2231; two drives, so t = 3.078, and the root of 3/2.
    half = 0.22314 * 3.0777 * 1.5**0.5
    assert found.low / found.predicted == pytest.approx(math.exp(-half), rel=1e-4)
    assert found.high / found.predicted == pytest.approx(math.exp(half), rel=1e-4)
    alone = real_drives.with_interval(figures[0], [figures[0], *figures[1:3]])
    assert alone.low is None, "one other drive says nothing of how drives differ"


def test_only_what_was_not_fitted_is_judged() -> None:
    figures = [
        _figure("a", 1.1),
        _figure("a", 0.8),
        _figure("a", 9.0, fitted=True),
        _figure("a", 9.0, calibrated=False),
    ]
    found = real_drives.agreement(nvme_tables.LATENCY.file, nvme_tables.LATENCY.kinds[0], figures)
    assert found.figures == 2
    assert found.error_median == pytest.approx((1.1 + 1.25) / 2 - 1)
    assert found.factor_worst == pytest.approx(1.25)
    assert found.passed
    assert real_drives.agreement(nvme_tables.WRITES.file, nvme_tables.WRITES.kinds[0], figures) is None


def test_drives_left_out_are_judged_by_their_intervals() -> None:
    blind = nvme_tables.LATENCY.blind
    assert blind is not None
    inside = _figure("a", 0.5, calibrated=False, low=40.0, high=120.0)
    outside = _figure("b", 0.5, calibrated=False, low=40.0, high=90.0)
    found = real_drives.coverage(nvme_tables.LATENCY.file, blind, [inside, outside, _figure("a", 0.1)])
    assert found.figures == 2
    assert found.coverage == 0.5
    assert found.width_reads == pytest.approx(3.0)
    assert not found.passed
    assert real_drives.coverage(nvme_tables.LATENCY.file, blind, [_figure("a", 1.0)]) is None


def test_a_drive_left_out_is_known_from_its_sheet_and_the_others() -> None:
    name = "kioxia-cm7-r-3.84tb"
    found = leave_one_out.catalog_without(CATALOG, name).get(name)
    assert not found.latency_measured
    others = ("samsung-pm9a3-960gb", "micron-7450-pro-960gb", "sk-hynix-pe8110-960gb")
    measured = [CATALOG.get(other).calibrated for other in others]
    waits = [each.suspend_wait_us.value for each in measured if each is not None]
    assert found.nand.suspend_wait_us.value == pytest.approx(math.prod(waits) ** (1 / len(waits)))
    assert CATALOG.get(name).latency_measured, "the catalog itself is as it was"


def _carried(*drives: str) -> list[MeasuredFigure]:
    return [
        _figure(drive, 0.8, calibrated=calibrated, quantity=nvme_tables.CARRIED, saturated=True)
        for drive in drives
        for calibrated in (True, False)
    ]


def test_errors_become_the_file_of_the_catalog() -> None:
    figures = [
        _figure(drive, ratio, calibrated=calibrated, quantity=f"{op} {quantile}", saturated=saturated)
        for drive, ratio in (("a", 1.25), ("b", 0.2))
        for calibrated in (True, False)
        for op in ("read", "write")
        for quantile in ("p50", "p99", "p999")
        for saturated in (False, True)
    ]
    figures += _carried("a", "b")
    found = LatencyFile.model_validate(tomllib.loads(latency_file.toml(figures)))
    spread = found.sheet_only.of("write", "p99")
    assert [(each.ratios, each.excess_us) for each in spread.drives] == [([0.8], []), ([], [80.0])]
    assert found.measured.capacity is not None
    assert [each.ratios for each in found.measured.capacity.drives] == [[1.25], [1.25]]
    assert found.measured.without("a") is None, "the errors of one drive alone are no spread"
    assert found.of_interface("SATA 6G") is found, "without SATA drives they have the errors of the others"
    with pytest.raises(NoAnswer):
        latency_file.toml(figures[: len(figures) // 2])


def test_sata_drives_are_a_class_of_their_own() -> None:
    """Theirs alone decide but for the tails of reads, which wait for programs: no table of theirs has any."""
    figures = [
        _figure(
            drive,
            ratio,
            calibrated=calibrated,
            quantity=f"{op} {quantile}",
            source=source,
            saturated=saturated,
        )
        for source, drive, ratio in (
            (nvme_tables.LATENCY.file, "a", 0.8),
            (nvme_tables.LATENCY.file, "b", 0.8),
            (sata_table.SATA.file, "c", 0.5),
            (sata_table.SATA.file, "d", 0.5),
        )
        for calibrated in (True, False)
        for op in ("read", "write")
        for quantile in ("p50", "p99", "p999")
        for saturated in (False, True)
    ]
    figures += _carried("a", "b")
    figures.append(_figure("e", 0.1, calibrated=False, source=sata_table.SATA.file, saturated=True))
    found = LatencyFile.model_validate(tomllib.loads(latency_file.toml(figures)))
    sata, nvme = found.of_interface("SATA 6G").sheet_only, found.of_interface("PCIe 4.0 x4").sheet_only
    assert [each.drive for each in sata.of("write", "p99").drives] == ["c", "d"]
    assert [each.drive for each in sata.of("read", "p50").drives] == ["c", "d"]
    assert [each.drive for each in sata.of("read", "p99").drives] == ["a", "b", "c", "d"]
    assert [each.drive for each in nvme.of("read", "p99").drives] == ["a", "b"]
    drives = {
        name: CATALOG.get(name).latency_errors for name in ("samsung-pm893-480gb", "samsung-pm9a3-1.92tb")
    }
    assert drives["samsung-pm893-480gb"] != drives["samsung-pm9a3-1.92tb"]


def test_how_writes_vary_is_a_line_through_their_quantiles() -> None:
    fixed, jitter = 10.0, 0.9
    writes = {name: fixed - jitter * math.log(1 - share) for name, share in QUANTILES.items()}
    reads = dict.fromkeys(QUANTILES, 100.0)
    loads = [Load("d", 894.0, "uniform", 10_000.0, 5000.0, 10_000.0, reads, writes)]
    found = ssd_tail.writes(loads)
    assert (found.fixed_us, found.jitter_us) == (pytest.approx(fixed), pytest.approx(jitter))
    stalled = {**writes, "p99": 5000.0, "p999": 9000.0}
    found = ssd_tail.writes([replace(loads[0], write_us=stalled)])
    assert found.jitter_us == pytest.approx(jitter), "what waits for cleaning is left aside"


def test_only_rows_that_were_used_are_fitted(tmp_path: Path) -> None:
    head = "drive,region_gib,pattern,details,write_iops_last_third"
    path = tmp_path / nvme_tables.WRITES.file
    rows = ("894,uniform,", "500,uniform,", "894,zones,s0.8 f0 s0.2 f1", "894,zones,s0.6 f0 s0.4 f1")
    path.write_text("\n".join([head, *(f"Samsung PM9A3 960 GB,{row},70000" for row in rows)]))
    runs = list(nvme_tables.WRITES.runs(path, CATALOG, any_drive))
    assert [run.fitted for run in runs] == [True, False, True, False]
    quantiles = ",".join(f"{op}_{q}_us" for op in ("read", "write") for q in ("mean", *QUANTILES))
    path = tmp_path / nvme_tables.LATENCY.file
    figures = ",".join(["10"] * 12)
    rates = (10_000, 20_000, 60_000)
    lines = [f"Samsung PM9A3 960 GB,894,uniform,{rate},5000,{rate},{figures}" for rate in rates]
    columns = f"drive,region_gib,pattern,offered_per_s,reads_per_s,writes_per_s,{quantiles}"
    path.write_text("\n".join([columns, *lines]))
    assert [run.fitted for run in nvme_tables.LATENCY.runs(path, CATALOG, any_drive)] == [True, False, False]


def test_results_of_bench_are_rows_as_tables_are(tmp_path: Path) -> None:
    lines = (
        "random(4KiB, read=0.2, rate=20000iops, arrivals=fixed)",
        "random(4KiB, read=0, iodepth=64)",
        "random(16KiB, read=0.2, rate=20000iops)",
        "sequential(128KiB, read=1, iodepth=4)",
    )
    points = [point(SMALL, line, 1) for line in lines]
    path = written(tmp_path / "bench.json", points)
    loads, steady = ssd_calibrate.load_rows(path, "d")
    (load,), (run,) = loads, steady
    assert (load.offered_per_s, load.offered_reads_per_s) == (16_000, 4_000)
    assert load.line(load.region_gib * 2**30) == (
        "random(4KiB, read=0.2, rate=20000iops, iodepth=384, arrivals=fixed)"
    )
    assert load.read_us["p99"] == pytest.approx(points[0].outcome.latency_of("read", "q0.99") / 1e3)
    assert run.writes_per_s == points[1].outcome.write.iops
    with pytest.raises(InputError) as refused:
        ssd_calibrate.load_rows(written(tmp_path / "other.json", points[2:]), "d")
    assert "other.json" in str(refused.value)


def test_a_run_ends_whatever_rate_a_table_states() -> None:
    endless = Run("t.csv", "seagate-exos-x20-20tb", "random(4KiB, read=1, iodepth=1)", 1e15, False, [])
    outcome = endless.play(CATALOG, 0)
    assert outcome.duration_s <= measured_run.SECONDS_MAX
