"""Counter logs through the program, made by the real tools where they are installed."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Run
from needs import lacks


def perfmon(path: Path, depth: float = 20.0, seconds: int = 120) -> Path:
    """A log of one disk: quiet, then a minute of 3 reads to 7 writes of 16 KiB."""
    names = (
        "Disk Reads/sec",
        "Disk Writes/sec",
        "Disk Read Bytes/sec",
        "Disk Write Bytes/sec",
        "Avg. Disk Queue Length",
    )
    paths = ",".join(f'"\\\\DB1\\PhysicalDisk(1 D:)\\{name}"' for name in names)
    lines = [f'"(PDH-CSV 4.0) (UTC)(0)",{paths}']
    for second in range(seconds):
        load = 1000.0 if 30 <= second < 90 else 100.0
        values = (
            load * 0.3,
            load * 0.7,
            load * 0.3 * 16384,
            load * 0.7 * 16384,
            depth if load == 1000 else 0.5,
        )
        row = ",".join(f'"{value}"' for value in values)
        lines.append(f'"11/21/2026 14:{second // 60:02d}:{second % 60:02d}.000",{row}')
    path.write_bytes("\r\n".join(lines).encode("utf-16"))
    return path


def test_the_measures_of_a_disk_array(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    log = perfmon(tmp_path / "log.csv")
    run = drivecast("profile", log, "--spindles", "8", "--output-format", "json")
    assert run.code == 0, run.err
    found = run.json
    assert found["log"]["format"] == "perfmon"
    assert found["read_fraction"] == pytest.approx(0.3, abs=1e-6)
    assert found["block_size_mean_bytes"] == pytest.approx(16384)
    assert found["throughput_mean_bytes_per_s"] / found["iops_mean"] == pytest.approx(16384)
    window = found["peak_window"]
    assert (window["start_s"], window["length_s"], window["iops_mean"]) == (30.0, 60.0, 1000.0)
    assert window["iops_over_mean"] == pytest.approx(1000 / 550)
    assert found["spindles"]["queue_depth_peak_window"] == pytest.approx(2.5)
    assert found["spindles"]["above_rule_longest_s"] == 60
    assert found["spindles"]["verdict"] == "above"
    kept = drivecast("profile", log, "--spindles", "16", "--output-format", "json").json["spindles"]
    assert kept["verdict"] == "within"


def test_a_plan_from_perfmon(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    run = drivecast(
        "plan",
        perfmon(tmp_path / "log.csv"),
        "--capacity",
        "10GB",
        "--budget",
        "1700",
        "--output-format",
        "json",
    )
    assert run.code == 0, run.err
    assert run.json["workload"]["profile"]["source"] == "counters"
    assert run.json["winner"] is not None


@pytest.mark.needs("iostat")
def test_the_same_figures_from_text_and_json(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    """One run of iostat cannot print both, so the text is made of the JSON's figures."""
    log = tmp_path / "iostat.json"
    command = ["iostat", "-x", "-d", "-t", "-o", "JSON", "1", "2"]
    log.write_bytes(subprocess.run(command, capture_output=True, check=True, timeout=30).stdout)
    reports = json.loads(log.read_text())["sysstat"]["hosts"][0]["statistics"]
    if not reports[0]["disk"]:
        lacks("disk of sysstat")
    keys = [key for key in reports[0]["disk"][0] if key != "disk_device"]
    lines = ["Linux 6.1 (vm) 11/21/26 _x86_64_ (2 CPU)", ""]
    for report in reports:
        lines += [report["timestamp"], " ".join(["Device", *keys]).replace(" util", " %util")]
        lines += [
            " ".join([row["disk_device"], *(f"{row[key]}".replace(".", ",") for key in keys)])
            for row in report["disk"]
        ]
        lines.append("")
    text = tmp_path / "iostat.txt"
    text.write_text("\n".join(lines))
    runs = [drivecast("profile", path, "--output-format", "json") for path in (log, text)]
    assert [run.code for run in runs] == [0, 0], runs[1].err
    first, second = ({k: v for k, v in run.json.items() if k != "log"} for run in runs)
    assert first == second


@pytest.mark.needs("iostat")
def test_every_form_of_the_real_iostat(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    running = {}
    for options in ("-x", "-xm", "-xh", "-x --human", "-d", "-xky -t"):
        command = ["iostat", *options.split(), "1", "2"]
        running[options] = subprocess.Popen(command, stdout=subprocess.PIPE)
    for options, process in running.items():
        printed, _ = process.communicate(timeout=30)
        if b"/s" not in printed.split(b"Device")[-1] and printed.count(b"\n") < 12:
            lacks("disk of sysstat")
        log = tmp_path / f"iostat {options}.txt"
        log.write_bytes(printed)
        run = drivecast("profile", log, "--output-format", "json")
        assert run.code == 0, (options, run.err)
        assert run.json["log"]["format"] == "iostat"


def test_a_folder_of_public_logs(drivecast: Callable[..., Run], corpus: Path) -> None:
    logs = sorted((corpus / "counters").glob("*.out"))
    assert logs
    for log in logs:
        run = drivecast("profile", log, "--interval", "60", "--output-format", "json")
        assert run.code == 0, run.err
        assert run.json["log"]["disk"] in {"sda", "dm-0"}
        # All but one hold the average since boot alone.
        alone = drivecast("profile", log)
        assert alone.code == (0 if log.name == "iostat-1.out" else 2), alone.err
    first = drivecast(
        "profile", corpus / "counters/iostat-1.out", "--skip-first", "--output-format", "json"
    ).json
    assert first["requests"] == 0
    assert first["log"]["rows"] == 2
