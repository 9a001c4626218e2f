"""A test run that leaves something behind fails, and says what it is."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import leftovers
import waiting
from drivecast.supervisor import dying

LEAVES = """
import os, socket, subprocess, sys, tempfile

def test(tmp_path):
    (tmp_path / "file").touch()  # its own folder may keep files
    tempfile.mkstemp(prefix="left-")
    os.mkdir(os.environ["XDG_RUNTIME_DIR"] + "/drivecast-disk-1")
    sleep = [sys.executable, "-c", "import time; time.sleep(300)"]
    for more, environment in (["marked"], None), ([tmp_path / "named"], {}):
        subprocess.Popen([*sleep, *more], env=environment, start_new_session=True)
    (bound := socket.socket(socket.AF_UNIX)).bind(str(tmp_path / "bound"))
    bound.detach()
"""
TIDY = "import tempfile\n\ndef test():\n    with tempfile.TemporaryDirectory(): pass\n"


def run(folder: Path, test: str, *options: str) -> "subprocess.CompletedProcess[str]":
    """A run of one test, watched as all are."""
    (folder / "test_it.py").write_text(test)
    path = os.pathsep.join([str(Path(leftovers.__file__).parent), *sys.path])
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "leftovers", "--basetemp=base", *options, "test_it.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_tidy_run_is_left_alone(tmp_path: Path) -> None:
    done = run(tmp_path, TIDY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "left behind" not in done.stdout


@pytest.mark.needs("proc")
@pytest.mark.parametrize("options", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "workers"])
def test_what_is_left_behind_fails_the_run(options: tuple[str, ...], tmp_path: Path) -> None:
    done = run(tmp_path, LEAVES, *options)
    left = done.stdout.partition("left behind by this run")[2]
    for pid, marked in re.findall(r"process (\d+):.*?(marked)?$", left, re.M):
        if marked:
            waiting.until(lambda pid=pid: dying(int(pid)), "it was killed")
        else:
            os.kill(int(pid), signal.SIGKILL)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    kinds = [r"process .* marked", r"process .*/named", r"file .*/drivecast-disk-1"]
    if not options:  # a worker's are closed with it
        kinds.append("socket .*/bound")
    for kind in kinds:
        assert len(re.findall(kind, left)) == 1, left
    assert left.count("\n") == len(kinds) + 1, left
