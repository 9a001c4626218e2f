"""NBD needs no privileges: the verb as a user that has none; a device and a mount say what they need."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import leftovers
from attached import NOW, fio
from conftest import PROGRAM, QUIET
from needs import needs

pytestmark = [
    pytest.mark.needs("attached", "root"),
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
        needs("setpriv"),
        f"--reuid={NOBODY}",
        f"--regid={NOBODY}",
        "--clear-groups",
        f"--inh-caps={READS_ALL}",
        "--ambient-caps=+dac_read_search",
        f"--bounding-set={READS_ALL}",
        "--no-new-privs",
    ]
    environment = {**os.environ, **QUIET, "TMPDIR": str(folder), "HOME": str(folder)}
    environment["XDG_STATE_HOME"] = "/proc/none"  # where nothing can be kept, nothing is
    return subprocess.run(
        [*setpriv, PROGRAM, "attach", *NOW, *map(str, arguments)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.needs("fio")
def test_a_disk_by_nbd_is_its_user_s_alone(folder: Path) -> None:
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
    assert f"error: `{front}` " in done.stderr
    assert "root" in done.stderr
    assert not [*folder.iterdir()]
