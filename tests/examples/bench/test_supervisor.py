"""Programs under the supervisor: whatever ends, and however, nothing of them is left."""

import contextlib
import errno
import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import waiting
from drivecast.supervisor import dying, supervised
from marked import VARIABLE, alive

STUBBORN = """
import os, signal, subprocess, sys, time
for one in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(one, signal.SIG_IGN)
sleep = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)"
child = subprocess.Popen([sys.executable, "-c", sleep])
# A daemon: twice forked, in a session of its own.
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", sleep, "daemon"])
    os._exit(0)
os.wait()
time.sleep(300)
"""

PARENT = """
import pathlib, sys, time
from drivecast.supervisor import supervised
with supervised([sys.executable, "-c", sys.argv[1]], grace_s=0.2, remove=[pathlib.Path(sys.argv[2])]) as process:
    print(process.pid, flush=True)
    time.sleep(300)
"""


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """What marks the processes of a test: a variable that all of them inherit."""
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    yield str(tmp_path)
    for pid in alive(str(tmp_path)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def until(wanted: int, mark: str, patience_s: float = waiting.PATIENCE_S) -> list[int]:
    """Wait for so many processes; those that there are."""
    end = time.monotonic() + patience_s
    while len(found := alive(mark)) != wanted and time.monotonic() < end:
        time.sleep(0.02)
    return found


def test_leaving_the_block_ends_a_program_that_will_not(mark: str, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with supervised([sys.executable, "-c", STUBBORN], grace_s=0.2, remove=[scratch]) as process:
        assert len(until(4, mark)) == 4, "supervisor, program, child, daemon"
    assert alive(mark) == []
    assert process.returncode == 128 + signal.SIGKILL
    assert not scratch.exists()


def test_an_error_in_the_block_ends_the_program(mark: str) -> None:
    def fail() -> None:
        with supervised(["sleep", "300"]):
            until(2, mark)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert alive(mark) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_the_end_of_the_parent_ends_all(mark: str, tmp_path: Path, number: signal.Signals) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, STUBBORN, str(scratch)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert len(until(5, mark)) == 5, "parent, supervisor, program, child, daemon"
    parent.send_signal(number)
    parent.wait(waiting.PATIENCE_S)
    assert until(0, mark) == []
    assert not scratch.exists()
    parent.stdout.close()


def test_the_end_of_the_supervisor_ends_the_program_and_its_children(mark: str, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    family = "import subprocess, sys; subprocess.run(['sleep', '300'])"
    with supervised([sys.executable, "-c", family], remove=[scratch]) as process:
        assert len(until(3, mark)) == 3, "supervisor, program, child"
        process.kill()
        process.wait(waiting.PATIENCE_S)
        assert len(until(1, mark)) == 1, "the kernel ends the program; its child is left for us"
    assert alive(mark) == []
    assert process.returncode == -signal.SIGKILL
    assert not scratch.exists()


def test_a_socket_goes_with_the_program_and_standard_input_is_passed_on(tmp_path: Path) -> None:
    (name := tmp_path / "name.sock").touch()
    (tmp_path / "in").write_text("words")
    with (
        (tmp_path / "in").open("rb") as given,
        (tmp_path / "out").open("wb") as out,
        supervised(["cat"], stdin=given, stdout=out, remove=[name]) as process,
    ):
        assert process.wait(waiting.PATIENCE_S) == 0
    assert (tmp_path / "out").read_text() == "words"
    assert not name.exists()


def test_a_program_that_ends_by_itself_is_told_as_it_ended(mark: str, tmp_path: Path) -> None:
    with supervised(["sh", "-c", "exit 7"]) as process:
        assert process.wait(waiting.PATIENCE_S) == 7
    with supervised(["sh", "-c", "kill -SEGV $$"]) as process:
        assert process.wait(waiting.PATIENCE_S) == 128 + signal.SIGSEGV
    with (tmp_path / "words").open("wb") as words, supervised(["no-such-program"], stderr=words) as process:
        assert process.wait(waiting.PATIENCE_S) == 127
    assert (tmp_path / "words").read_text() == f"no-such-program: {os.strerror(errno.ENOENT)}\n"
    assert alive(mark) == []


def test_a_program_that_obeys_is_asked_and_not_killed(mark: str, tmp_path: Path) -> None:
    obeys = "trap 'touch {0}/asked; exit 0' {1}; touch {0}/ready; while :; do sleep 0.02; done"
    for number in (signal.SIGTERM, signal.SIGINT):
        for name in ("asked", "ready"):
            (tmp_path / name).unlink(missing_ok=True)
        script = obeys.format(tmp_path, number.name.removeprefix("SIG"))
        with supervised(["sh", "-c", script], stop=number) as process:
            waiting.until((tmp_path / "ready").exists, "the program is ready")
        assert (tmp_path / "asked").exists()
        assert process.returncode == 0
    assert alive(mark) == []


def test_a_directory_goes_although_somebody_still_writes_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is being killed by another supervisor does that; here after each of three passes."""
    (folder := tmp_path / "data").mkdir()
    passes, rmtree = itertools.count(1), shutil.rmtree

    def written_again(path: Path, *, ignore_errors: bool) -> None:
        rmtree(path, ignore_errors=ignore_errors)
        if next(passes) <= 3:
            (folder / "more").mkdir(parents=True)

    monkeypatch.setattr(shutil, "rmtree", written_again)
    with supervised(["sleep", "300"], remove=[folder]) as process:
        process.kill()  # so that it is removed in this process
    assert not folder.exists()
    assert next(passes) == 5


@pytest.mark.needs("root")
def test_a_program_runs_as_the_account_that_is_told(tmp_path: Path) -> None:
    said = tmp_path / "said"
    with said.open("wb") as out, supervised(["id"], account=(65534, 65534), stdout=out) as supervisor:
        assert supervisor.wait() == 0
    text = said.read_text()
    assert text.startswith("uid=65534")
    assert "(root)" not in text


@pytest.mark.parametrize("killed", ["nothing", "program", "supervisor"])
def test_the_command_for_afterwards_runs_whatever_was_killed(killed: str, mark: str, tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.mkdir()
    with supervised(["sleep", "300"], grace_s=0.2, after=["rmdir", str(left)]) as process:
        supervisor, program = sorted(until(2, mark))
        assert left.exists()
        if killed != "nothing":
            os.kill(program if killed == "program" else supervisor, signal.SIGKILL)
            process.wait()
    assert not left.exists()
    assert alive(mark) == []


def test_the_command_for_afterwards_runs_again_where_it_was_killed(mark: str, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    kill_twice = f'echo run >> {runs}; [ "$(wc -l < {runs})" -ge 3 ] || kill -9 $$'
    with supervised(["sleep", "300"], grace_s=0.2, after=["sh", "-c", kill_twice]):
        until(2, mark)
    assert runs.read_text().split() == ["run"] * 3


def test_a_dying_process_is_recognized() -> None:
    process = subprocess.Popen(["sleep", "300"])
    assert not dying(process.pid)
    process.kill()
    waiting.until(lambda: dying(process.pid), "the process is dying")
    process.wait()
    assert dying(process.pid)
