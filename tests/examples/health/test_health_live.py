"""Drives of this machine: a smartctl that answers as told, and the real one's own errors."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import smart_reports as reports
from agreed import agreed_refusals
from conftest import Run
from drivecast.document.record import Record, Unread
from drivecast.health.read import Smartctl, records
from drivecast.health.read import smartctl as live


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose programs come first."""
    monkeypatch.setenv("PATH", reports.path_with(tmp_path))
    return tmp_path


def failed(message: str, device: str = "/dev/sdb", status: int = 2) -> dict[str, Any]:
    said = {
        "messages": [{"string": message, "severity": "error"}],
        "exit_status": status,
        "argv": ["smartctl", device],
    }
    return {"smartctl": said}


def test_all_drives_are_read_though_one_is_gone(path: Path, drivecast: Callable[..., Run]) -> None:
    listed = [
        {"name": "/dev/sda", "type": "sat"},
        {"name": "/dev/gone", "type": "scsi"},
        {"name": "/dev/bus/0", "type": "sat+megaraid,14"},
        {"name": "/dev/sdz", "type": "scsi", "open_error": "Permission denied"},
    ]
    behind = reports.intel(model="INTEL SSDSC2BB800G4")
    behind["device"] |= {"name": "/dev/bus/0", "type": "sat+megaraid,14"}
    reports.fake_smartctl(path, {"/dev/sda": reports.intel(), "/dev/bus/0": behind}, listed)
    done = drivecast("health", "read", "--output-format", "json")
    assert done.code == 1
    assert [drive["device"] for drive in done.json["drives"]] == ["/dev/sda", "/dev/bus/0 sat+megaraid,14"]
    assert done.json["drives"][0]["host"]
    assert [unread["place"] for unread in done.json["unread"]] == ["/dev/gone", "/dev/sdz"]
    assert "--sudo" in done.json["unread"][1]["hint"]
    calls = (path / "calls").read_text().splitlines()
    assert "-x -j -n standby -d sat+megaraid,14 /dev/bus/0" in calls
    text = drivecast("health", "read")
    assert text.code == 1
    assert "5.000 %" in text.out
    assert "unread: /dev/gone" in text.err


OPEN = "Smartctl open device: /dev/sdb failed: "


@pytest.mark.parametrize(
    ("message", "reason", "hint"),
    [
        (f"{OPEN}Permission denied", "not permitted", "`drivecast health read /dev/sdb --sudo`"),
        ("Device is in STANDBY mode, exit(2)", "asleep, and left so", "wakes it"),
        (f"{OPEN}MegaRaid controller, please try adding '-d megaraid,N'", "of unknown type", "--type"),
        ("Read Device Identity failed: Input/output error", "Input/output error", "smartctl -x /dev/sdb"),
    ],
)
def test_drives_that_do_not_answer(message: str, reason: str, hint: str, path: Path) -> None:
    reports.fake_smartctl(path, {"/dev/sdb": failed(message)})
    (found,) = list(records(["/dev/sdb"]))
    assert isinstance(found, Unread)
    assert reason in found.reason
    assert hint in found.hint


def test_types_are_handed_on(path: Path) -> None:
    reports.fake_smartctl(path, {"/dev/sda": reports.intel()})
    assert len(list(records(["/dev/sda"], kinds=["megaraid,0", "megaraid,1"]))) == 2
    calls = sorted((path / "calls").read_text().splitlines())
    assert calls == [f"-x -j -n standby -d megaraid,{n} /dev/sda" for n in (0, 1)]


def test_a_type_without_a_device(drivecast: Callable[..., Run]) -> None:
    done = drivecast("health", "read", "--type", "megaraid,0")
    assert done.code == 2
    assert "--type" in done.err


def test_a_smartctl_that_does_not_answer(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It hangs, it is too old, it answers by half; asked of one drive, which is unread, and of all."""
    monkeypatch.setattr(live, "TIMEOUT_S", 0.2)

    def asked(script: str, *drives: str) -> None:
        reports.script(path, "smartctl", script)
        (found,) = list(records([*drives]))
        assert isinstance(found, Unread)
        raise found.error

    old = (
        'echo "smartctl 6.6 2016-05-31 r4324 [x86_64-linux]"; echo "=======> UNRECOGNIZED OPTION: j"; exit 1'
    )
    half = "printf '{\"smartctl\": {'; exit 2"
    tries = [partial(asked, script, "/dev/sda") for script in ("exec sleep 20", old, half)]
    agreed_refusals("smartctl.txt", [*tries, partial(asked, old), lambda: missing(tmp_path, monkeypatch)])


def missing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder / "none"))
    monkeypatch.setattr("drivecast.files._OF_ROOT", "")
    list(records())


def test_sudo_never_asks_and_says_what_to_permit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports.fake_smartctl(path, {"/dev/sda": reports.intel()})
    reports.script(path, "sudo", f'printf "%s\\n" "$*" >> {path}/sudone; shift; exec "$@"')
    (found,) = list(records(["/dev/sda"], smartctl=Smartctl(sudo=True)))
    assert isinstance(found, Record)
    assert (path / "sudone").read_text() == "-n smartctl -x -j -n standby /dev/sda\n"
    reports.script(path, "sudo", 'echo "sudo: a password is required" >&2; exit 1')
    (refused,) = list(records(["/dev/sda"], smartctl=Smartctl(sudo=True)))
    assert isinstance(refused, Unread)
    assert "NOPASSWD" in refused.hint
    (path / "sudo").unlink()
    monkeypatch.setenv("PATH", str(path))
    (lacking,) = list(records(["/dev/sda"], smartctl=Smartctl(sudo=True)))
    assert isinstance(lacking, Unread)
    assert "`--sudo`" in (lacking.hint or "")


@pytest.mark.needs("smartctl")
def test_the_real_program_says_why(drivecast: Callable[..., Run]) -> None:
    done = drivecast("health", "read", "/dev/null", "/dev/sdnone")
    assert done.code == 2
    assert "/dev/null: " in done.err
    assert "/dev/sdnone: " in done.err


def test_csv_and_text(tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    (tmp_path / "a.json").write_text(json.dumps(reports.nvme(130, gb=100)))
    rows = drivecast("health", "read", tmp_path, "--output-format", "csv").out.splitlines()
    assert rows[0].startswith("time,host,device,model,serial,capacity_bytes,passed,host_written_bytes")
    assert ",1.3," in rows[1]
    done = drivecast("health", "read", tmp_path)
    assert done.code == 0
    assert "130 %" in done.out
    assert "51.2 TB" in done.out
