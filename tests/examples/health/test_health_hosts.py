"""Which machine a drive is in: stated by the user, by names of files, by labels; what is said where nobody knows."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import smart_reports as reports
from agreed import agreed_refusals
from conftest import Run
from drive_samples import START, opened, steady
from drivecast.document.record import Record, Unread
from drivecast.health.read import HostNames, records
from drivecast.health.read.host_name import without_port


def keep(folder: Path, name: str, document: dict[str, Any]) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    return path


def two_machines(folder: Path) -> Path:
    """Two machines whose drives have the same device names."""
    for host in ("db001", "db002.example"):
        for number in range(2):
            drive = reports.nvme() | {"serial_number": f"{host}-{number}"}
            drive["device"] = drive["device"] | {"name": f"/dev/nvme{number}"}
            keep(folder, f"{host}/nvme{number}.json", drive)
    return folder


@pytest.mark.parametrize(
    ("pattern", "path", "host", "device"),
    [
        ("{host}/{device}.json", "reports.tgz/db1/nvme0.json", "db1", "nvme0"),
        ("{host}/*/*.json", "db1.example/2026-11-21/smart.json", "db1.example", None),
        ("{host}-{device}.json", "rack-7-db1-nvme0.json", "rack-7-db1", "nvme0"),
        (r"(?P<host>db\d+)[./]", "x/y/db17.example/z.json", "db17", None),
        ("{host}/{device}.json", "nvme0.json", None, None),
        ("{host}.json", "db1.jsonl", None, None),
    ],
)
def test_a_pattern_names_the_machine(pattern: str, path: str, host: str | None, device: str | None) -> None:
    hosts = HostNames.of(None, pattern)
    named = hosts.named(path)
    assert (named.host, named.device) == (host, device)
    assert hosts.unmatched == ([] if host else [path])


def test_patterns_that_are_none() -> None:
    patterns = ("*.json", "{hostname}/*.json", "(?P<host>db", "(?P<name>db)", "{host}/{host}.json")
    agreed_refusals("host-patterns.txt", [partial(HostNames.of, None, pattern) for pattern in patterns])


@pytest.mark.parametrize(
    ("instance", "host"),
    [
        ("[2001:db8::7]:9633", "2001:db8::7"),
        ("2001:db8::7", "2001:db8::7"),
        ("localhost:9633", None),
        ("[::1]:9633", None),
        ("", None),
    ],
)
def test_a_port_is_taken_off_and_loopback_is_no_machine(instance: str, host: str | None) -> None:
    assert without_port(instance) == host


def exposition(labels: str, serial: str) -> str:
    """One NVMe drive as Prometheus gives it, with the labels of its target."""
    own = f'device="nvme0"{labels}'
    identity = (
        f'{own},protocol="NVMe",interface="nvme",model_name="M",serial_number="{serial}",firmware_version="1"'
    )
    values = {"percentage_used": 7, "available_spare": 98, "available_spare_threshold": 10, "media_errors": 2}
    lines = [f"smartctl_device{{{identity}}} 1"]
    return "\n".join(
        [*lines, *(f"smartctl_device_{name}{{{own}}} {value}" for name, value in values.items())]
    )


@pytest.mark.parametrize(
    ("labels", "label", "host"),
    [
        (',instance="db1:9633"', None, "db1"),
        (',instance="10.1.2.3:9633",node="db1"', None, "db1"),
        (',instance="localhost:9633",host="db1"', None, "db1"),
        (',instance="gateway:9091",exported_instance="db1:9633"', None, "db1"),
        (',instance="10.1.2.3:9633",fqdn="db1.example"', "fqdn", "db1.example"),
        (',instance="localhost:9633"', None, None),
    ],
)
def test_labels_name_the_machine(labels: str, label: str | None, host: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.prom"
    path.write_text(exposition(labels, "S1") + "\n")
    (found,) = records([path], hosts=HostNames.of(None, None, label))
    assert isinstance(found, Record)
    assert (found.host, found.device, found.value("spare_threshold_ratio")) == (host, "nvme0", 0.1)


def test_two_machines_behind_one_instance_are_two_drives(tmp_path: Path) -> None:
    path = tmp_path / "a.prom"
    parts = [exposition(f',instance="gateway:9091",host="db{number}"', f"S{number}") for number in (1, 2)]
    path.write_text("\n".join(parts) + "\n")
    found = [(drive.host, drive.serial) for drive in records([path]) if isinstance(drive, Record)]
    assert found == [("db1", "S1"), ("db2", "S2")]


def test_what_is_stated_comes_before_labels(tmp_path: Path) -> None:
    path = tmp_path / "db7.prom"
    path.write_text(exposition(',instance="10.0.0.7:9633"', "S1") + "\n")
    for hosts in (HostNames.of("db7", None), HostNames.of(None, "{host}.prom")):
        (found,) = records([path], hosts=hosts)
        assert isinstance(found, Record)
        assert found.host == "db7"


def test_a_drive_without_serial_number_is_known_by_its_place_or_ambiguous(tmp_path: Path) -> None:
    drive = {name: value for name, value in reports.nvme().items() if name not in ("serial_number", "wwn")}
    path = keep(tmp_path, "db1/a.json", drive)
    (found,) = records([path])
    assert isinstance(found, Unread)
    assert "--host" in (found.hint or "")
    (found,) = records([path], hosts=HostNames.of(None, "{host}/*.json"))
    assert isinstance(found, Record)
    assert found.serial == f"no-serial:db1:{found.device}"
    assert any("db1" in note for note in found.notes)


def test_a_table_without_serial_numbers_is_known_by_place(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "serial": ["", None, None, "S4"],
            "model": "M1",
            "time": START,
            "host": ["db1", "db2", None, None],
            "device": ["sda", "sda", "sda", "sda"],
            "power_on_hours": 9.0,
        }
    )
    with opened(str(tmp_path / "h.sqlite3")) as history:
        added = history.add_table(table)
        assert len(added.refused) == 1
        assert history.drives()["serial"].to_list() == ["S4", "no-serial:db1:sda", "no-serial:db2:sda"]


def test_the_verbs_take_hosts_from_names_and_say_where_none_is(
    drivecast: Callable[..., Run], tmp_path: Path
) -> None:
    folder = two_machines(tmp_path / "reports")
    plain = drivecast("health", "read", folder, "--output-format", "json")
    assert [drive["host"] for drive in plain.json["drives"]] == [None] * 4
    assert "--host-from '{host}/{device}.json'" in plain.err
    pattern = ("--host-from", "{host}/{device}.json")
    read = drivecast("health", "read", folder, *pattern)
    assert read.code == 0
    assert "--host-from" not in read.err
    assert all(
        f"{host}:/dev/nvme{number}" in read.out for host in ("db001", "db002.example") for number in (0, 1)
    )
    history = ("--history", tmp_path / "h.db")
    shutil.copy(folder / "db001/nvme0.json", folder / "stray.json")
    taken = drivecast("health", "import", folder, *pattern, *history)
    assert taken.code == 0
    other = drivecast("health", "import", folder, "--host-from", "{host}/nvme*.json", *history)
    assert "stray.json" in other.err
    with opened(str(tmp_path / "h.db")) as found:
        assert found.placed() == (4, 4)
    both = drivecast("health", "read", folder, "--host", "a", *pattern)
    assert (both.code, "--host-from" in both.err) == (2, True)


def test_a_reading_without_a_host_does_not_forget_where_a_drive_is(tmp_path: Path) -> None:
    with opened(str(tmp_path / "h.db")) as history:
        history.add(steady("A", range(3), host=None))
        history.add(steady("A", [1], host="db1"))
        assert history.drives()["host"].to_list() == ["db1"], "an older sample completes the place"
        history.add(steady("A", [4], host=None))
        assert history.drives()["host"].to_list() == ["db1"], "a newer one that names none leaves it"
        history.add(steady("A", [3], host="db0"))
        assert history.drives()["host"].to_list() == ["db1"], "an older one does not move it"
        history.add(steady("A", [9], host="db2"))
        assert history.drives()["host"].to_list() == ["db2"], "it moved"


def test_a_table_is_of_the_host_that_is_stated(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as history:
        history.add(steady("A", range(3), host=None))
    drivecast("health", "export", "-o", tmp_path / "db9.csv", "--history", tmp_path / "a.db")
    done = drivecast(
        "health", "import", tmp_path / "db9.csv", "--host-from", "{host}.csv", "--history", tmp_path / "b.db"
    )
    assert done.code == 0
    with opened(str(tmp_path / "b.db")) as history:
        assert history.drives().select("serial", "host").rows() == [("A", "db9")]
