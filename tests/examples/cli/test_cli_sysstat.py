"""sysstat's logs through the program: the bundled day in five formats, and files made by the real tools."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Run
from needs import needs

DAY = ROOT / "examples" / "day-of-mysql"
FORMS = ("iostat12.txt.xz", "iostat-old.txt.xz", "sar-d.txt.xz", "sadf-d.csv.xz", "sadf.json.xz")


def test_a_day_in_five_formats_is_one_day(drivecast: Callable[..., Run]) -> None:
    days = [
        drivecast("profile", DAY / form, "--disk", "sdb", "--output-format", "json").json for form in FORMS
    ]
    first = days[0]
    assert first["bytes_written"] == pytest.approx(1.18e12, rel=0.01)
    for day in days:
        assert (day["interval_s"], day["duration_s"]) == (60.0, 86_400.0)
        assert (day["log"]["start"], day["log"]["disk"]) == ("2026-11-17 23:59:00", "sdb")
        assert day["peak_window"]["start_s"] == first["peak_window"]["start_s"]
        for key in ("requests", "bytes_read", "bytes_written", "queue_depth_mean", "iops_peak_1s"):
            assert day[key] == pytest.approx(first[key], rel=1e-5), key
        # What sar has only together is split by the bytes: exact where reads and writes are equally large.
        for key in ("reads", "writes", "read_fraction"):
            assert day[key] == pytest.approx(first[key], rel=0.02), key


def test_a_minute_is_no_second(drivecast: Callable[..., Run]) -> None:
    text = drivecast("profile", DAY / "sar-d.txt.xz", "--disk", "sdb").out
    assert "busiest sample of 60 s: 8," in text
    assert "busiest second" not in text


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three seconds of this machine, as sar's collector writes them."""
    path = tmp_path_factory.mktemp("sar") / "sa22"
    needs("sadf")
    subprocess.run([needs("sar"), "-o", path, "-d", "1", "3"], check=True, stdout=subprocess.DEVNULL)
    return path


def exported(path: Path, out: str, *command: str) -> Path:
    """What a command of sysstat prints of a recording."""
    found = subprocess.run(
        [*command], check=True, capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    )
    (path.parent / out).write_text(found.stdout)
    return path.parent / out


def test_what_the_real_tools_print_is_one_log(drivecast: Callable[..., Run], recorded: Path) -> None:
    name = str(recorded)
    forms = (
        exported(recorded, "sar.txt", "sar", "-d", "-f", name),
        exported(recorded, "pretty.txt", "sar", "-p", "-d", "-f", name),
        exported(recorded, "human.txt", "sar", "-h", "-d", "-f", name),
        exported(recorded, "all.txt", "sar", "-A", "-f", name),
        exported(recorded, "sadf.csv", "sadf", "-d", name, "--", "-d"),
        exported(recorded, "wide.csv", "sadf", "-d", "-h", name, "--", "-d"),
        exported(recorded, "epoch.csv", "sadf", "-d", "-U", name, "--", "-d"),
        exported(recorded, "sadf.json", "sadf", "-j", name, "--", "-d"),
    )
    logs = [drivecast("profile", form, "--output-format", "json").json["log"] for form in forms]
    disks = {disk["disk"] for disk in logs[0]["disks"]}
    assert disks
    for log in logs:
        # sar itself leaves out a record that its collector wrote late.
        assert log["rows"] in {2, 3}, log["files"]
        # A busy machine wakes the collector late, and each tool rounds to seconds in its own way.
        assert log["duration_ns"] == pytest.approx(logs[0]["duration_ns"], abs=2e9)
        assert {disk["disk"] for disk in log["disks"]} == disks


def test_a_binary_file_says_the_command_that_exports_it(
    drivecast: Callable[..., Run], recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = drivecast("profile", recorded)
    assert run.code == 2
    command = run.err.split("`")[-2]
    monkeypatch.chdir(recorded.parent)
    subprocess.run(["sh", "-c", command], check=True)
    assert drivecast("profile", "sa22.json").code == 0


def test_iostat_without_an_interval_is_the_average_since_boot(
    drivecast: Callable[..., Run], tmp_path: Path
) -> None:
    path = tmp_path / "iostat.txt"
    path.write_bytes(subprocess.check_output([needs("iostat"), "-x", "-d", "-t"]))
    run = drivecast("plan", path, "--capacity", "100GB")
    assert run.code == 2
    assert " -y " in run.err, "which leaves out the average since boot"
