"""The shipped rules and units, checked by the programs that will read them: each alert fires for its reason only."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from drivecast.health import metrics, shipped
from drivecast.health.exporter import EXPORTER_HELP
from needs import needs

RULES = "drivecast.rules.yml"
GROUPS = ["drivecast-recorded", "drivecast-drives", "drivecast-exporter"]
DAY_S = 86_400
STEP_S = 6 * 3600
STEPS = 32
"""Eight days of samples: errors are looked at over seven."""
END_S = STEPS * STEP_S

WELL = {
    "drive_status": "0",
    "drive_concern": "0",
    "drive_media_end_low_timestamp_seconds": f"{END_S + 91 * DAY_S}",
    "drive_media_errors_total": "7",
    "drive_reallocated_sectors_total": "2",
    "exporter_up": "1",
    "exporter_drives": "2",
    "exporter_duplicate_serials": "0",
    "place_unreadable": "0",
    "build_info": "1",
}
"""One drive and its exporter without anything to report, as promtool writes series."""

TROUBLE: dict[str, dict[str, str | None]] = {
    "DriveToReplace": {"drive_concern replace": "1"},
    "DriveToWatch": {"drive_concern watch": "1"},
    "DriveWarranty": {"drive_concern warranty": "1"},
    "DrivesSilent": {"drive_concern silent": "1"},
    "DrivesNotRead": {"drive_concern silent": "1", "other_concern silent": "1"},
    "DriveUnreadable": {"place_unreadable": "1"},
    "DrivecastFailing": {"exporter_up": "0"},
    "DrivecastEmpty": {"exporter_drives": "0"},
    "DrivecastSerialTwice": {"exporter_duplicate_serials": "1"},
    "DrivecastAbsent": {"build_info": None},
}
SILENT: dict[str, dict[str, str | None]] = {
    "well": {},
    "tells little": dict.fromkeys(name for name in WELL if name.startswith("drive_")),
    "without a date": {"drive_concern no date": "1"},
    "reallocated is unknown": {"drive_reallocated_sectors_total": None},
}
CONCERNS = {"replace": "errors grow", "watch": "new errors", "warranty": "warranty ends", "silent": "stale"}


def series(change: dict[str, str | None]) -> list[dict[str, str]]:
    """A drive in trouble or none, beside another that is well."""
    rows = {"drive_info": "1", **WELL, **change}
    found = []
    for key, value in rows.items():
        name, _, status = key.partition(" ")
        serial = "other" if name.startswith("other") else "s"
        name = name.replace("other_", "drive_")
        more = f',serial="{serial}"' if name.startswith("drive_") else ""
        if name == "drive_info":
            more += ',model="M",host="h",device="/dev/sda"'
        if name == "drive_concern":
            more += f',concern="{CONCERNS.get(status, "too young")}",status="{status or "no date"}"'
        if name == "place_unreadable":
            more += ',place="/dev/sdz"'
        if value is not None:
            found.append((name, more, value))
    found.append(("drive_info", ',serial="other",model="M",host="h",device="/dev/sdb"', "1"))
    return [
        {"series": f'drivecast_{name}{{job="d",instance="i"{more}}}', "values": filled(value)}
        for name, more, value in found
    ]


def filled(value: str) -> str:
    """A value for every step; `7x100 8` changes it after a hundred."""
    first, _, last = value.partition(" ")
    return f"{first}x{STEPS}" if not last else f"{first} {last}x{STEPS - int(first.partition('x')[2])}"


def case(name: str, change: dict[str, str | None], alert: str | None) -> dict[str, Any]:
    """What fires after eight days: one alert and no other, or none."""
    firing = [{"labels": f'{{alertname="{alert}"}}', "value": 1}] if alert else []
    expected = {
        "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
        "eval_time": f"{END_S}s",
        "exp_samples": firing,
    }
    return {"name": name, "interval": "6h", "input_series": series(change), "promql_expr_test": [expected]}


def test_each_alert_fires_for_its_reason_and_no_other_does(tmp_path: Path) -> None:
    text = shipped.text(RULES)
    assert {line.split()[-1] for line in text.splitlines() if "- alert:" in line} == {*TROUBLE}
    tests = [case(alert, change, alert) for alert, change in TROUBLE.items()]
    tests += [case(name, change, None) for name, change in SILENT.items()]
    evaluated = {"rule_files": [RULES], "evaluation_interval": "6h", "group_eval_order": GROUPS}
    (tmp_path / RULES).write_text(text)
    (tmp_path / "tests.yml").write_text(json.dumps({**evaluated, "tests": tests}))
    for command in (["check", "rules", "--lint=all", "--lint-fatal", RULES], ["test", "rules", "tests.yml"]):
        promtool = [needs("promtool"), *command]
        done = subprocess.run(
            promtool, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_rules_and_dashboard_ask_for_metrics_that_exist() -> None:
    known = {metric.family for metric in metrics.DRIVE_METRICS} | {*EXPORTER_HELP}
    known |= {"drivecast_drive_info", "drivecast_drive_status", "drivecast_drive_concern"}
    for name in (RULES, "drivecast.dashboard.json"):
        asked = {*re.findall(r"(?<![:\w])drivecast_\w+", shipped.text(name))}
        assert asked <= known, asked - known
        assert len(asked) > 8


@pytest.mark.parametrize("unit", [name for name in shipped.WHAT if not name.endswith((".yml", ".json"))])
def test_the_units_are_units(unit: str, tmp_path: Path) -> None:
    verify = needs("systemd-analyze")
    program = tmp_path / "a 100% newcomer"
    program.symlink_to("/bin/true")
    for name in shipped.WHAT:
        (tmp_path / name).write_text(shipped.text(name, str(program)))
    command = [verify, "verify", "--recursive-errors=one", str(tmp_path / unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize(
    ("unit", "most"), [("drivecast-serve.service", 2.0), ("drivecast-read.service", 3.0)]
)
def test_the_units_expose_little(unit: str, most: float, tmp_path: Path) -> None:
    analyze = needs("systemd-analyze")
    (tmp_path / unit).write_text(shipped.text(unit, "/bin/true"))
    command = [analyze, "security", "--offline=true", "--no-pager", str(tmp_path / unit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    level = float(done.stdout.rpartition("service: ")[2].split()[0])
    assert level <= most, done.stdout


def test_units_start_options_that_exist(drivecast: Any) -> None:
    for unit in ("drivecast-serve.service", "drivecast-read.service"):
        command = next(
            line.partition("=")[2]
            for line in shipped.text(unit).splitlines()
            if line.startswith("ExecStart=")
        ).split()
        verbs = [word for word in command[1:] if not word.startswith("-")][:2]
        told = drivecast(*verbs, "--help").out
        assert all(word in told for word in command if word.startswith("--")), unit
