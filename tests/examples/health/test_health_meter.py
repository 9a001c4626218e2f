"""The workload meter: two readings and what lies between them, without waiting an hour."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import smart_reports as reports
from agreed import agreed_refusals
from conftest import Run
from drivecast.document.meter import Measurement
from drivecast.health import warranty
from drivecast.health.live_meter import LiveMeter
from drivecast.health.meter import Reading, measure, reading
from drivecast.health.read.normalise import Origin
from drivecast.health.read.smartctl import Device, Smartctl
from drivecast.health.rules import load
from drivecast.health.smart_data import SmartData

YEAR_MINUTES = 365.25 * 24 * 60
MIB_32 = 32 << 20


def later(document: dict[str, Any], minutes: float) -> dict[str, Any]:
    document["local_time"] = {"time_t": reports.TIME_S + round(60 * minutes)}
    return document


def taken(document: dict[str, Any]) -> Reading:
    return reading(SmartData(document), Origin("x"), load())


def between(first: dict[str, Any], last: dict[str, Any], minutes: float) -> Measurement:
    return measure(taken(first), taken(later(last, minutes)))


def test_the_timer_tells_wear_reads_and_life() -> None:
    # Intel's own example: E2 16, E4 500 minutes, 30,000 units of 32 MiB.
    found = between(reports.intel(), reports.intel(16, 80, 500, host=1_030_000, nand=1_560_000), 500)
    assert found.method == "timer"
    assert found.read_ratio == 0.8
    assert found.wear_ratio.value == pytest.approx(16 / 1024 / 100)
    # 0.016 % in 500 minutes is a drive in 3.2 million minutes.
    assert found.life_years_media.value == pytest.approx(500 / (16 / 102_400) / YEAR_MINUTES)
    assert found.life_years_media.value == pytest.approx(6.084, abs=0.001)
    assert found.life_years_media.low == pytest.approx(500 / (17 / 102_400) / YEAR_MINUTES)
    assert found.life_years_media.high == pytest.approx(501 / (16 / 102_400) / YEAR_MINUTES)
    assert found.host_written_bytes.value == 30_000 * MIB_32
    assert found.write_amplification.value == pytest.approx(2.0)
    assert found.left_years_media.value == pytest.approx(0.95 * 6.084, abs=0.001)
    assert found.enough


def test_differences_of_a_timer_that_runs_on() -> None:
    first = reports.intel(5120, minutes=600_020)
    last = reports.intel(5120 + 100, minutes=600_020 + 360, hours=10_006, host=1_002_000, nand=1_503_000)
    found = between(first, last, 360)
    assert found.method == "differences"
    assert found.wear_ratio.value == pytest.approx(100 / 102_400)
    assert found.wear_ratio.low == pytest.approx(99 / 102_400)
    assert found.wear_ratio.high == pytest.approx(101 / 102_400)


def test_whole_percents_are_too_short_to_tell() -> None:
    found = between(reports.nvme(10, 10**8), reports.nvme(10, 10**8 + 2_000_000), 60)
    assert not found.enough
    assert found.life_years_media.value is None
    assert found.life_years_media.high is None
    # Less than one percent an hour: more than a hundred hours of life.
    assert found.life_years_media.low == pytest.approx(6000 / YEAR_MINUTES)
    step = between(reports.nvme(10, 10**8), reports.nvme(11, 10**8 + 2_000_000), 60)
    assert not step.enough
    assert step.life_years_media.value is None
    told = between(reports.nvme(10, 10**8), reports.nvme(14, 10**8 + 2_000_000), 600)
    assert told.enough
    assert told.life_years_media.value == pytest.approx(25 * 600 / YEAR_MINUTES)
    assert told.life_years_media.high == pytest.approx(600 / 0.03 / YEAR_MINUTES)


def test_amplification_from_wear_names_the_cycles_it_assumes() -> None:
    # No NAND counter on a 710; the catalog knows its flash.
    rows = [
        (reports.attribute(225, host, name="Host_Writes_32MiB"), left)
        for host, left in ((1000, 90), (501_000, 84))
    ]
    model = "INTEL SSDSA2BZ200G3"
    first, last = (
        reports.ata(model, [row, reports.attribute(233, 0, left, name="Media_Wearout_Indicator")], gb=200)
        for row, left in rows
    )
    found = between(first, last, 60 * 24 * 90)
    rated = warranty.rated(found.model, 200_049_647_616)
    assert rated.pe_cycles is not None
    assert rated.raw_bytes is not None
    expected = 0.06 * rated.pe_cycles * rated.raw_bytes / (500_000 * MIB_32)
    assert found.write_amplification.value == pytest.approx(expected)
    assert found.write_amplification.low is not None
    assert found.write_amplification.low < expected
    assert found.write_amplification_by
    assert "cycles" in found.write_amplification_by
    assert "intel-710-200gb" in found.write_amplification_by


def test_a_timer_that_ran_for_a_part_of_the_time() -> None:
    # An hour of a day: its rate is compared with the writes of the day.
    def drive(host: int, wear: int, minutes: int) -> dict[str, Any]:
        rows = [
            reports.attribute(225, host, name="Host_Writes_32MiB"),
            reports.attribute(226, wear, name="Workld_Media_Wear_Indic"),
            reports.attribute(227, 50, name="Workld_Host_Reads_Perc"),
            reports.attribute(228, minutes, name="Workload_Minutes"),
            reports.attribute(233, 0, 90, name="Media_Wearout_Indicator"),
        ]
        return reports.ata("INTEL SSDSA2BZ200G3", rows, gb=200)

    whole = between(drive(1000, 65535, 65535), drive(25_000, 2400, 1440), 1440)
    part = between(drive(1000, 65535, 65535), drive(25_000, 100, 60), 1440)
    assert (whole.method, part.method) == ("timer", "timer")
    assert part.write_amplification.value == pytest.approx(whole.write_amplification.value)
    assert any("1440" in note for note in part.notes)


def test_wear_that_goes_back_is_told_and_not_computed_with() -> None:
    found = between(reports.nvme(12), reports.nvme(10, 10**8 + 1000), 60)
    assert found.wear_ratio is None
    assert not found.enough
    assert any("0.12" in note for note in found.notes)


def test_the_warranty_by_writes() -> None:
    first, last = reports.intel(host=1_000_000), reports.intel(5220, host=1_030_000, minutes=600_040, left=95)
    found = between(first, last, 20)
    assert found.rated_bytes is not None
    rate = 30_000 * MIB_32 / 20
    assert found.life_years_warranty.value == pytest.approx(found.rated_bytes / rate / YEAR_MINUTES)


def test_readings_that_do_not_belong_together() -> None:
    tries = [
        lambda: between(reports.intel(), reports.intel(), -5),
        lambda: between(reports.intel(), reports.intel(), 0),
        lambda: between(reports.intel(), reports.nvme(), 5),
        lambda: between(reports.intel(host=2_000_000), reports.intel(), 5),
    ]
    agreed_refusals("meter-readings.txt", tries)


class Hour:
    """A clock that runs as fast as it is read, and may be interrupted."""

    def __init__(self, change: Callable[[float], None], interrupt_s: float = float("inf")) -> None:
        self.at_s = 0.0
        self.change = change
        self.interrupt_s = interrupt_s

    def monotonic(self) -> float:
        return self.at_s

    def sleep(self, seconds: float) -> None:
        self.at_s += seconds
        if self.at_s >= self.interrupt_s:
            raise KeyboardInterrupt
        self.change(self.at_s)


def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupt_s: float = float("inf")) -> Any:
    """An hour on a drive whose timer comes round a minute late."""
    monkeypatch.setenv("PATH", reports.path_with(tmp_path))
    reports.fake_smartctl(tmp_path, {"/dev/sda": reports.intel()})

    def change(at_s: float) -> None:
        if at_s % 600 and at_s < 3600:
            return
        minutes = int(at_s / 60) - 1
        tells = minutes >= 60
        now = reports.intel(
            *((40, 25, minutes) if tells else (65535, 65535, 65535)), host=1_010_000, nand=1_512_000
        )
        (tmp_path / "_dev_sda.json").write_text(json.dumps(later(now, at_s / 60)))

    watch = LiveMeter(Device("/dev/sda"), Smartctl(), load(), Hour(change, interrupt_s))
    seen: list[float] = []
    result = watch.run(watch.read()[1], 60, reset=True, progress=lambda share, _: seen.append(share))
    return (*result, seen, (tmp_path / "calls").read_text())


def test_an_hour_on_a_live_drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, interrupted, seen, calls = run(tmp_path, monkeypatch)
    assert not interrupted
    assert (found.method, found.read_ratio) == ("timer", 0.25)
    assert found.wear_ratio.value == pytest.approx(40 / 102_400)
    assert found.wear_minutes == 60
    assert seen == sorted(seen)
    assert seen[-1] > 0.99
    assert calls.splitlines().count("-t vendor,0x40 /dev/sda") == 1


def test_an_interruption_tells_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, interrupted, _, _ = run(tmp_path, monkeypatch, interrupt_s=1200)
    assert interrupted
    assert found.method == "differences"
    assert not found.enough
    assert found.write_amplification.value == pytest.approx(1.2)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "hint: `--yes /dev/sda` confirms"),
        (("--yes", "/dev/sdb"), "expected `/dev/sda` once more"),
        (("--minutes", "30", "--yes", "/dev/sda"), "reports nothing before 60 minutes"),
        (("--after", "x.json"), "`--after` needs `--before`"),
    ],
)
def test_nothing_is_reset_unasked(
    more: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    drivecast: Callable[..., Run],
) -> None:
    monkeypatch.setenv("PATH", reports.path_with(tmp_path))
    reports.fake_smartctl(tmp_path, {"/dev/sda": reports.intel()})
    done = drivecast("health", "meter", "/dev/sda", *more)
    assert done.code == 2
    assert message in done.err
    assert not (tmp_path / "calls").exists() or "vendor" not in (tmp_path / "calls").read_text()


def test_two_files(tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    for name, document in (
        ("a.json", reports.intel()),
        ("b.json", later(reports.intel(30, 10, 300, host=1_020_000, nand=1_530_000), 300)),
    ):
        (tmp_path / name).write_text(json.dumps(document))
    arguments = ("health", "meter", "--before", tmp_path / "a.json", "--after", tmp_path / "b.json")
    done = drivecast(*arguments)
    assert done.code == 0, done.err
    document = drivecast(*arguments, "--output-format", "json").json
    assert (document["method"], document["read_ratio"]) == ("timer", 0.1)
    assert document["write_amplification"]["value"] == 1.5
    assert document["life_years_media"]["low"] < document["life_years_media"]["value"]
    (tmp_path / "b.json").write_text('{"smartctl": {')
    assert "byte 14" in drivecast(*arguments).err
