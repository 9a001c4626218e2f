"""NBD needs no privileges: the verb as a user that has none; a device and a mount say what they need."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import leftovers
from attached import NOW, fio, needs_attached
from conftest import PROGRAM, QUIET, program

pytestmark = [
    needs_attached,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user"),
]
NOBODY = 65534
# What a test runs may lie in a home directory that is closed to others: this one may read all, and nothing else.
READS_ALL = "-all,+dac_read_search"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A directory of that user's."""
    with leftovers.in_tmp("nobody") as name:
        os.chown(name, NOBODY, NOBODY)
        yield Path(name)


def as_nobody(folder: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    """The verb without rights."""
    setpriv = [
        program("setpriv", "util-linux"),
        f"--reuid={NOBODY}",
        f"--regid={NOBODY}",
        "--clear-groups",
        f"--inh-caps={READS_ALL}",
        "--ambient-caps=+dac_read_search",
        f"--bounding-set={READS_ALL}",
        "--no-new-privs",
    ]
    environment = {**os.environ, **QUIET, "TMPDIR": str(folder), "HOME": str(folder)}
    return subprocess.run(
        [*setpriv, PROGRAM, "attach", *NOW, *map(str, arguments)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_disk_by_nbd_is_its_user_s_alone(folder: Path) -> None:
    program("fio", "fio")
    script = 'stat -c "%U %a" "${DRIVECAST_NBD#*socket=}"; exec "$@"'
    done = as_nobody(folder, "-o", "o.json", "--", "sh", "-c", script, "x", *fio(verify="crc32c"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("nobody 600\n")
    assert "err= 0" in done.stdout
    assert [path.name for path in folder.iterdir() if path.suffix != ".state"] == ["o.json"]


@pytest.mark.parametrize("front", ["--device", "--mount"])
def test_a_device_says_that_it_needs_root(front: str, folder: Path) -> None:
    done = as_nobody(folder, front, *(["there"] if front == "--mount" else []), "--", "true")
    assert done.returncode == 2
    assert f"error: `{front}` needs root, to set up a loop device" in done.stderr
    assert f"hint: leave `{front}` out: NBD needs no privileges" in done.stderr
    assert not [*folder.iterdir()]
