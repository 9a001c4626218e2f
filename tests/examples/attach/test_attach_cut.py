"""What was flushed outlives a power cut, a killed server and a killed application; what was not goes with the power.

`benches/attach_integrity.py` makes a hundred tries.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

import attach_tries
from attach_tries import Tried
from needs import needs

pytestmark = pytest.mark.needs("attached")

CONSUMER = "intel-x25-m-g2-80gb"
ENTERPRISE = "samsung-pm893-480gb"
DISK = "hdd(capacity=73GB, rpm=15000, write_cache=on)"


def cut(
    folder: Path, design: str, front: str, enough: Callable[[Tried], object], *, protected: bool = False
) -> Tried:
    """A cut that came neither before the first flush on a busy machine, nor just after one: others prove less."""
    for seed in range(6):
        (place := folder / str(seed)).mkdir()
        tried = attach_tries.cut_once(place, seed, design, front=front, protected=protected)
        assert not tried.broken
        assert not (place / "mount").exists()
        if tried.flushes and enough(tried):
            break
    return tried


@pytest.mark.parametrize("design", [f"raid1(2 * {CONSUMER})", DISK])
def test_drives_without_protection_lose_what_was_not_flushed(design: str, tmp_path: Path) -> None:
    tried = cut(tmp_path, design, "nbd", lambda tried: tried.lost)
    assert tried.flushes
    assert tried.lost, "a cut that takes nothing proves nothing"
    assert tried.bytes_lost


@pytest.mark.parametrize(
    "design",
    [ENTERPRISE, f"raid5(4 * {DISK}, controller=iop348-bbu)"],
)
def test_protected_drives_keep_all_that_was_answered(design: str, tmp_path: Path) -> None:
    """So does a controller with a battery, whatever the disks behind it are."""
    tried = cut(tmp_path, design, "nbd", lambda tried: tried.written > tried.flushes, protected=True)
    assert tried.bytes_lost == tried.lost == 0
    assert tried.written > tried.flushes


@pytest.mark.needs("root", "fuse", "loop")
@pytest.mark.parametrize(
    ("fs", "how"), [*((fs, "cut") for fs in attach_tries.CHECKS), ("ext4", "server"), ("ext4", "application")]
)
def test_a_file_system_is_whole_and_has_what_was_flushed(fs: str, how: str, tmp_path: Path) -> None:
    needs(attach_tries.CHECKS[fs][0], f"mkfs.{fs}")
    tried = (
        cut(tmp_path, CONSUMER, fs, lambda _tried: True)
        if how == "cut"
        else attach_tries.kill_once(tmp_path, 1, CONSUMER, front=fs, what=how)
    )
    assert not tried.broken
    assert tried.flushes
    assert not (tmp_path / "mount").exists()


def test_a_server_that_is_killed_leaves_all_that_was_answered_in_its_file(tmp_path: Path) -> None:
    tried = attach_tries.kill_once(tmp_path, 1, CONSUMER, front="nbd", what="server")
    assert not tried.broken
    assert tried.lost == 0
