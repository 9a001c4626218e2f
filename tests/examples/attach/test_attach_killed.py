"""Whatever is killed, and whenever: no loop device, mount, control group, file or process outlives an attached disk."""

import os
from pathlib import Path

import pytest

import attach_kills


@pytest.mark.slow
@pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/dev/fuse").exists() or not Path("/dev/loop-control").exists(),
    reason="only root makes loop devices, on files by FUSE",
)
@pytest.mark.parametrize("seed", range(8))
def test_nothing_outlives_an_attached_disk(seed: int, tmp_path: Path) -> None:
    """`benches/attach_mount.py` makes 50 tries."""
    tried = attach_kills.kill_once(tmp_path, seed)
    assert not tried.left, f"{tried.killed}, killed after {tried.after_s:.2f} s"
