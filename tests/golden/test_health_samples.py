"""Reports of real drives: every one gives a record, and the figures are those worked out by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from drivecast.document.record import Record, Unread
from drivecast.health.read import records
from drivecast.health.smart_data import SmartData

MIB_32 = 32 << 20
UNIT = 512_000

# model -> what its report says, by hand: wear from E2 / 102400 or in whole points, bytes from counts and their units.
WORKED: dict[str, dict[str, float]] = {
    "INTEL SSDSC2BB016T4": {"wear_ratio": 0.85, "host_written_bytes": 62_594_010 * MIB_32},
    "INTEL SSDSC2BB240G6": {"wear_ratio": 51_917 / 102_400, "host_written_bytes": 10_301_402 * MIB_32},
    "INTEL SSDSC2BB240G7": {"wear_ratio": 58_818 / 102_400, "nand_written_bytes": 30_298_233 * MIB_32},
    "INTEL SSDSC2BB480G6": {"wear_ratio": 0.36, "nand_written_bytes": 18_148_965 * MIB_32},
    "INTEL SSDSC2BB480G7": {"wear_ratio": 2519 / 102_400},
    "INTEL SSDSC2BB800G7": {"wear_ratio": 18_780 / 102_400},
    "INTEL SSDSC2BB016T7": {"wear_ratio": 4075 / 102_400, "spare_ratio": 0.99, "reallocated_sectors": 1},
    "INTEL SSDSC2KB019T8": {"wear_ratio": 1781 / 102_400},
    "INTEL SSDSC2KB019TZ": {"wear_ratio": 1044 / 102_400},
    "INTEL SSDSC2KB480G8": {"wear_ratio": 51 / 102_400},
    "SSDSCKJB240G7R": {"wear_ratio": 0.0, "host_written_bytes": 129_493 * MIB_32},
    "Micron_5300_MTFDDAK480TDS": {
        "wear_ratio": 0.0,
        "host_written_bytes": 7_916_536_962 * 512,
        "nand_written_bytes": 7_916_536_962 * 512 * (255_173_508 + 24_600_708) / 255_173_508,
    },
    "KINGSTON SA400M8120G": {"wear_ratio": 0.02, "host_written_bytes": 398 << 30, "nand_written_bytes": 979 << 30},
    "SAMSUNG MZ7WD240HAFV-00003": {"wear_ratio": 0.09, "host_written_bytes": 216_456_537_880 * 512},
    "SAMSUNG MZ7L3240HCHQ-00A07": {"wear_ratio": 0.02, "nand_written_bytes": 993_815_616 * 512},
    "Samsung SSD 860 EVO 500GB": {"wear_ratio": 0.19, "host_written_bytes": 64_777_770_148 * 512},
    "INTEL SSDPE2KX010T8": {"wear_ratio": 0.73, "host_written_bytes": 5_165_815_292 * UNIT, "spare_ratio": 0.99},
    "INTEL SSDPEDMD800G4": {"wear_ratio": 0.51, "spare_ratio": 0.93},
    "Samsung SSD 970 EVO 500GB": {"wear_ratio": 0.03, "media_errors": 7},
    "HITACHI H109060SESUN600G": {"host_written_bytes": 127_551_260_000_000, "power_cycles": 70},
    "SEAGATE ST1200MM0088": {"host_read_bytes": 386_568_000_000, "reallocated_sectors": 0},
    "MTFDDAK128MAM-1J1": {"wear_ratio": 0.02, "host_written_bytes": 13_843_916_035 * 512},
    "ST6000NM0115-1YZ110": {"host_written_bytes": 28_111_553_262 * 512, "temperature_c": 25, "power_on_hours": 44_316},
}  # fmt: skip


@pytest.fixture(scope="module")
def found(corpus: Path) -> list[Record | Unread]:
    return list(records([corpus / "smart"]))


def test_every_report_gives_a_record(found: list[Record | Unread], corpus: Path) -> None:
    assert len(found) == len(list((corpus / "smart").glob("*.json"))) >= 36
    assert [entry for entry in found if isinstance(entry, Unread)] == []
    flash = [entry for entry in found if isinstance(entry, Record) and not entry.rotating]
    assert len(flash) >= 33
    assert all(drive.value("wear_ratio") is not None and drive.value("host_written_bytes") for drive in flash)


def test_the_figures_are_those_worked_out_by_hand(found: list[Record | Unread]) -> None:
    by_model = {entry.model: entry for entry in found if isinstance(entry, Record)}
    assert set(WORKED) <= set(by_model)
    for model, figures in WORKED.items():
        for name, expected in figures.items():
            assert by_model[model].value(name) == pytest.approx(expected, rel=1e-9), (model, name)


def test_the_gauge_agrees_with_the_indicator_on_drives_never_reset(corpus: Path) -> None:
    agreed = 0
    for path in (corpus / "smart").glob("*INTEL_SSDSC2*.json"):
        said: dict[str, Any] = json.loads(path.read_text())
        attributes = SmartData(said).attributes
        gauge, left = attributes[226].raw, attributes[233].normalized
        assert gauge is not None
        assert left is not None
        if gauge == 65535:
            continue
        assert abs(gauge / 1024 - (100 - left)) < 1, path.name
        agreed += 1
    assert agreed == 8


def test_only_a_thermometer_that_is_none_is_doubtful(found: list[Record | Unread]) -> None:
    doubtful = {
        (entry.model, name)
        for entry in found
        if isinstance(entry, Record)
        for name, figure in entry.figures.items()
        if figure.trust == "doubtful"
    }
    assert doubtful == {("MTFDDAK128MAM-1J1", "temperature_c")}


def test_lifetime_amplification_is_in_the_range_that_was_seen(found: list[Record | Unread]) -> None:
    ratios = {}
    for entry in found:
        if (
            isinstance(entry, Record)
            and (nand := entry.value("nand_written_bytes"))
            and (host := entry.value("host_written_bytes"))
        ):
            ratios[entry.model] = nand / host
    intel = [ratio for model, ratio in ratios.items() if model.startswith("INTEL")]
    assert min(intel) == pytest.approx(1.2846, abs=1e-4)
    assert max(intel) == pytest.approx(6.674, abs=1e-3)
    micron = [ratio for model, ratio in ratios.items() if model.startswith("Micron")]
    assert all(1.05 <= ratio <= 1.125 for ratio in micron)
    assert len(ratios) == 15
