"""Whatever is killed, and whenever: no loop device, mount, control group, file or process outlives an attached disk."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import attach_kills
import waiting


@pytest.mark.needs("root", "fuse", "loop", "mkfs.ext4")
@pytest.mark.parametrize("seed", range(5))
def test_nothing_outlives_an_attached_disk(seed: int, tmp_path: Path) -> None:
    """`benches/attach_mount.py` makes 50 tries."""
    tried = attach_kills.kill_once(tmp_path, seed)
    assert not tried.left, f"{tried.killed}, killed after {tried.after_s:.2f} s"


@pytest.mark.needs("root", "fuse", "loop", "mkfs.ext4")
def test_a_server_that_is_killed_with_its_own_file_open_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while it measures the way: the kernel closes the file before the descriptor that would answer."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    # Descriptors are closed in the order of their numbers.
    first = "first = os.open('/dev/null', os.O_RDONLY)\nwith disk_place("
    script = attach_kills.VICTIM.replace("with disk_place(", first).partition("    with place.device()")[
        0
    ] + (
        '    os.dup2(os.open(place.fuse / "disk", os.O_RDONLY), first)\n'
        '    print("open", flush=True)\n    time.sleep(300)\n'
    )
    victim = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path), "program"], stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout.readline() == "open\n"
    victim.kill()
    victim.wait(waiting.PATIENCE_S)
    victim.stdout.close()
    waiting.until(lambda: not os.listdir(tmp_path), "mount and directories are gone", 20)  # noqa: PTH208
