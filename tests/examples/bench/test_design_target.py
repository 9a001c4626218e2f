"""Designs as targets of `bench database`: what the user may name, and what is refused before anything is made."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from drivecast.bench.database.configure import Request, planned
from drivecast.bench.database.design_target import Design, target
from drivecast.bench.database.matrix import Plan
from drivecast.bench.database.session import checked
from drivecast.bench.journal import plan_hash
from drivecast.cli import complete
from drivecast.errors import HintedError, InputError, NoRoomError

X25E = "raid10(4 * intel-x25-e-32gb)"


def plan(*on: str | Path | Design, **options: object) -> Plan:
    return planned(Request("sysbench", on, **{"size": "64MiB", "buffer": "16MiB", **options}))  # type: ignore[arg-type]


def test_designs_and_directories_are_mixed() -> None:
    assert target(f"design:{X25E}") == Design(X25E)
    assert target("/mnt/a") == target(Path("/mnt/a")) == Path("/mnt/a")
    found = plan(f"design:{X25E}", "/mnt/a", log_on=["design: intel-x25-e-32gb "])
    assert [site.name for site in found.sites] == [
        f"design:{X25E}, log on design:intel-x25-e-32gb",
        "/mnt/a, log on design:intel-x25-e-32gb",
    ]
    data_bytes, log_bytes = found.need_bytes
    assert found.sites[0].needs(data_bytes, log_bytes) == [
        (Design(X25E), "data", data_bytes),
        (Design("intel-x25-e-32gb"), "log", log_bytes),
    ]
    alone = plan(f"design:{X25E}").sites[0]
    assert alone.needs(data_bytes, log_bytes) == [(Design(X25E), "data and log", data_bytes + log_bytes)]


def test_the_same_design_twice_is_refused() -> None:
    with pytest.raises(InputError) as error:
        plan("design:intel-x25-e-32gb", "design:intel-x25-e-32gb")
    assert str(error.value).startswith("--on: ")


def test_a_plan_is_another_where_its_drives_are_described_otherwise(tmp_path: Path) -> None:
    """A result is resumed by the same plan alone, and a drive with other figures is another drive."""
    mine = plan(f"design:{X25E}")
    again = plan_hash(plan(f"design:{X25E}").described())
    assert plan_hash(mine.described()) == again
    assert plan_hash(plan(Design(X25E, state="fresh")).described()) != again
    catalog = mine.drives()
    other = {**catalog.drives, "intel-x25-e-32gb": catalog.drives["intel-710-100gb"]}
    assert plan_hash(replace(mine, catalog=replace(catalog, drives=other)).described()) != again
    assert "designs" not in plan(tmp_path).described()


@pytest.mark.needs("root", "fuse", "loop", "sysbench", "mariadbd", "mkfs.ext4")
@pytest.mark.parametrize(("line", "column"), [("no-such-drive", None), ("raid10(4 * ", 11), ("", 1)])
def test_what_cannot_be_attached_is_said_before_anything_is_made(line: str, column: int | None) -> None:
    with pytest.raises(InputError) as error:
        checked(plan(f"design:{line}"))
    assert error.value.column == column


@pytest.mark.needs("root", "fuse", "loop", "sysbench", "mariadbd", "mkfs.ext4")
def test_a_design_too_small_is_refused() -> None:
    with pytest.raises(NoRoomError) as error:
        checked(plan("design:ssd(logical=512MiB, spare_factor=0.2)"))
    assert error.value.free_bytes == 512 << 20


@pytest.mark.needs("root", "fuse", "loop", "sysbench", "mariadbd", "mkfs.ext4")
def test_a_machine_needs_fuse(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("drivecast.attach.attach_options.FUSE", tmp_path / "no-fuse")
    with pytest.raises(HintedError) as error:
        checked(plan(f"design:{X25E}"))
    assert "no-fuse" in error.value.reason


@pytest.mark.needs("root", "fuse", "loop", "sysbench", "mariadbd", "mkfs.ext4")
def test_data_that_memory_does_not_hold_are_refused() -> None:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    large = plan("design:raid0(64 * samsung-pm9a3-3.84tb)", size=f"{memory // 10**6}MB")
    with pytest.raises(NoRoomError):
        checked(large)


@pytest.mark.needs("sysbench", "mariadbd")
def test_another_user_than_root_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(HintedError) as error:
        checked(plan("design:intel-x25-e-32gb"))
    assert "root" in error.value.reason


def test_a_shell_completes_designs_after_their_mark() -> None:
    assert complete.targets("des") == ["design:"]
    assert f"design:{X25E[:-1]}" in complete.targets("design:raid10(4 * intel-x25-e")
    assert complete.targets("design:no-such") == []
