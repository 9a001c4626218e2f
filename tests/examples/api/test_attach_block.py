"""`dc.attach`: a design as a disk for as long as a block lasts."""

import os
import subprocess
from pathlib import Path

import pytest

import drivecast as dc
from attached import DESIGN, fio

pytestmark = pytest.mark.needs("attached")


@pytest.mark.needs("fio")
def test_a_block_has_the_disk_and_its_outcome_comes_after() -> None:
    with dc.attach(DESIGN, state="fresh", size="64MiB") as disk:
        assert disk.size_bytes == 64 << 20
        assert disk.socket is not None
        socket: Path = disk.socket
        assert socket.is_socket()
        with pytest.raises(dc.InputError):
            assert disk.outcome
        environment = {**os.environ, "DRIVECAST_NBD": str(disk.uri)}
        subprocess.run(fio(rw="write", bs="64k"), env=environment, check=True, capture_output=True)
        assert disk.rebuild(1e9).refused is not None
        assert disk.fail(1).refused is None
        subprocess.run(fio(rw="read", bs="64k"), env=environment, check=True, capture_output=True)
        with pytest.raises(dc.InputError):
            disk.fail(2)
    assert not socket.exists()
    run = disk.outcome
    assert run.read.requests == run.write.requests == 256
    assert run.write_amplification == pytest.approx(1.0)
    assert run.lateness is not None
    assert [event.what for event in run.attached.events] == ["rebuild", "fail"]


def test_what_cannot_be_attached_is_said_when_the_block_begins(tmp_path: Path) -> None:
    for options, place in (
        ({"size": "9TB"}, "--size"),
        ({"fail": ["7@1s"]}, "--fail"),
        ({"nbd": tmp_path / ("x" * 120)}, "x" * 120),
    ):
        with pytest.raises(dc.InputError) as refused, dc.attach(DESIGN, **options):  # type: ignore[arg-type]
            pass
        assert place in str(refused.value)
    assert not [*tmp_path.iterdir()]


def test_an_error_in_the_block_takes_the_disk_down(tmp_path: Path) -> None:
    socket = tmp_path / "nbd.sock"

    def fail() -> None:
        with dc.attach(DESIGN, state="fresh", nbd=socket):
            assert socket.is_socket()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert not socket.exists()


@pytest.mark.needs("fio")
def test_power_is_cut_where_that_was_prepared() -> None:
    with dc.attach(DESIGN, state="fresh", cut=True) as disk:
        environment = {**os.environ, "DRIVECAST_NBD": str(disk.uri)}
        subprocess.run(fio(rw="write", bs="64k"), env=environment, check=True, capture_output=True)
        assert disk.cut().refused is None
        done = subprocess.run(fio(rw="read"), env=environment, check=False, capture_output=True)
        assert done.returncode != 0
    with dc.attach(DESIGN, state="fresh") as disk, pytest.raises(dc.InputError) as refused:
        disk.cut()
    assert "`cut=True`" in str(refused.value.hint)
