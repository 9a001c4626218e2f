"""Purging real files: what is given back, and what is said where it is not."""

import os
from pathlib import Path

import pytest

from drivecast.bench.pts.purge import purge
from drivecast.bench.target import Target, opened

SIZE = 16 << 20


def nothing(_share: float, _what: str) -> None:
    pass


@pytest.mark.needs("fallocate")
def test_the_blocks_of_a_made_file_are_given_back_and_taken_again(tmp_path: Path) -> None:
    with opened(str(tmp_path), need_bytes=SIZE, writes=True, destroy=None, update=nothing) as target:
        with target.path.open("rb") as file:
            assert any(file.read(4096))
        done = purge(target)
        assert done.method == "punch-hole", done.detail
        assert target.path.stat().st_size == SIZE
        assert target.path.stat().st_blocks * 512 >= SIZE
        with target.path.open("rb") as file:
            assert not any(file.read())


def test_a_target_that_may_only_be_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"a" * 8192)
    done = purge(Target(path, "data", 8192, may_write=False, made=False))
    assert done.method == "none"
    assert path.read_bytes() == b"a" * 8192


def test_without_the_program_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"a" * 8192)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("drivecast.files._OF_ROOT", "")
    done = purge(Target(path, "data", 8192, may_write=True, made=False))
    assert done.method == "none"
    assert done.detail.startswith("not purged: fallocate: No such file")
    assert path.read_bytes() == b"a" * 8192


def test_what_cannot_be_purged_is_called_by_its_name(tmp_path: Path) -> None:
    # A pipe has no blocks to give back.
    path = tmp_path / "pipe"
    os.mkfifo(path)
    holder = os.open(path, os.O_RDWR)
    try:
        done = purge(Target(path, "a pipe", 8192, may_write=True, made=False))
    finally:
        os.close(holder)
    assert done.method == "none"
    assert str(tmp_path) not in done.detail
