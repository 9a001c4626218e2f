"""A disk whose supervisor is killed is given up: nothing would take it down after us."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

import drivecast as dc
import waiting
from attached import DESIGN, NOW
from conftest import PROGRAM, QUIET
from drivecast import supervisor
from drivecast.attach import kernel

pytestmark = pytest.mark.needs("attached")
GIVEN_UP = "error: the disk was given up: the process that takes it down"


def guards(server: int, *, words: str = "supervisor.py") -> list[int]:
    """Processes of a server that take its disk down, the first that was started first."""
    found = []
    for process in supervisor._descendants(server):
        command = Path(f"/proc/{process}/cmdline").read_bytes().decode()
        if words in command:
            found.append(process)
    return sorted(found)


def begun(*arguments: str | Path) -> "subprocess.Popen[str]":
    """The program in the background."""
    return subprocess.Popen(
        [PROGRAM, "attach", *NOW, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **QUIET},
    )


def test_a_socket_without_its_supervisor(tmp_path: Path) -> None:
    socket = tmp_path / "nbd.sock"
    with begun("--nbd", socket) as process:
        waiting.until(socket.is_socket, "the socket")
        waiting.until(lambda: len(guards(process.pid)) == 1, "its supervisor")
        os.kill(guards(process.pid)[0], signal.SIGKILL)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 2
    assert GIVEN_UP in said
    assert not socket.exists()


@pytest.mark.needs("root", "fuse", "loop", "mkfs.ext4")
@pytest.mark.parametrize("killed", ["supervisor of the mount", "mount_helper"])
def test_a_mount_without_its_supervisor_ends_and_is_written_back(killed: str, tmp_path: Path) -> None:
    mount, data = tmp_path / "mount", tmp_path / "data"
    script = 'echo words > "$DRIVECAST_MOUNT/file"; touch "$0"; exec sleep 300'
    options = ("--size", "64MB", "--data", "file", "--file", data, "--mount", mount)
    with begun(*options, "--", "sh", "-c", script, tmp_path / "ready") as process:
        waiting.until((tmp_path / "ready").exists, "the command is there")
        found = (
            guards(process.pid, words="mount_helper") if killed == "mount_helper" else guards(process.pid)[1:]
        )
        os.kill(found[-1] if killed == "mount_helper" else found[0], signal.SIGKILL)
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 2, said
        assert GIVEN_UP in said
    waiting.until(lambda: not mount.exists(), "the mount is gone")
    assert not [place for place, _, _ in kernel.mounts() if place.startswith(str(tmp_path))]
    assert b"words" in data.read_bytes()


def test_a_block_ends_with_the_error() -> None:
    sockets = []

    def run() -> None:
        with dc.attach(DESIGN, state="fresh") as disk:
            sockets.append(disk.socket)
            (guard,) = guards(os.getpid())
            os.kill(guard, signal.SIGKILL)
            waiting.until(lambda: disk._guards[0].poll() is not None, "it is dead")

    with pytest.raises(dc.InputError, match="was given up"):
        run()
    (socket,) = sockets
    assert not socket.exists()
