"""`attach` runs a command on a design: what the command finds, what is said at the end, and that nothing is left."""

import json
import os
import pty
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import waiting
from attached import NOW, fio
from conftest import PROGRAM, QUIET, execute

pytestmark = pytest.mark.needs("attached")


@contextmanager
def begun(*arguments: str | Path) -> Iterator["subprocess.Popen[str]"]:
    """The program in the background; killed at the end if it is still there."""
    process = subprocess.Popen(
        [PROGRAM, "attach", *NOW, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **QUIET},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_the_command_has_the_socket_and_its_exit_code_is_passed_on(tmp_path: Path) -> None:
    script = (
        'socket=${DRIVECAST_NBD#*socket=}; stat -c "%F %a" "$socket" "${socket%/*}"; echo "$socket"; exit 7'
    )
    done = execute("attach", *NOW, "-o", tmp_path / "o.json", "--", "sh", "-c", script)
    assert done.code == 7
    mode, folder, name = done.out.splitlines()
    assert mode == "socket 600"
    assert folder == "directory 700"
    assert not Path(name).parent.exists()
    assert json.loads((tmp_path / "o.json").read_text())["attached"]["exit_code"] == 7


def test_a_command_that_is_not_there() -> None:
    done = execute("attach", *NOW, "--", "no-such-program")
    assert done.code == 127
    assert "no-such-program" in done.err


def test_standard_input_is_the_command_s_and_json_has_standard_output_alone() -> None:
    done = subprocess.run(
        [PROGRAM, "attach", *NOW, "--output-format", "json", "--", "cat"],
        input="words of the command\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert "words of the command" in done.stderr
    assert json.loads(done.stdout)["attached"]["front"] == "nbd"


@pytest.mark.needs("fio")
def test_fio_reads_what_it_wrote_and_the_trace_is_what_it_asked(tmp_path: Path) -> None:
    trace, live, simulated = (tmp_path / name for name in ("asked.parquet", "live.json", "simulated.json"))
    load = fio(rw="randwrite", verify="crc32c", verify_state_save=0, iodepth=8)
    done = execute("attach", *NOW, "--trace", trace, "-o", live, "--", *load)
    assert done.code == 0, done.err
    assert "err= 0" in done.out
    outcome = json.loads(live.read_text())
    assert outcome["write"]["requests"] == outcome["read"]["requests"] == 4096
    assert outcome["lateness"]["requests"] == outcome["requests"]
    assert outcome["lateness"]["transport_ns"] > 0
    assert outcome["attached"]["trace"] == str(trace)
    profile = execute("profile", trace, "--output-format", "json").json
    assert profile["requests"] == outcome["requests"]
    assert profile["read_fraction"] == pytest.approx(0.5)
    again = execute("simulate", NOW[0], "-w", trace, "--state", "fresh", "-o", simulated)
    assert again.code == 0, again.err
    assert json.loads(simulated.read_text())["write"]["requests"] == 4096
    compared = execute("compare", live, simulated, "--history", "none")
    assert compared.code in (0, 1), compared.err
    assert "read p50" in compared.out
    assert not [path for path in tmp_path.iterdir() if path not in (trace, live, simulated)]


@pytest.mark.needs("fio")
def test_a_failure_too_many_is_said_and_the_application_sees_it(tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    load = fio(time_based=1, runtime=6)
    # A stall of the machine may spoil one of three.
    for _ in range(3):
        done = execute("attach", *NOW, "--fail", "0@0.5s", "--fail", "1@1s", "-o", out, "--", *load)
        found = json.loads(out.read_text())["attached"]
        times_s = [event["at_s"] for event in found["events"]]
        if times_s == (in_time := pytest.approx([0.5, 1.0], abs=0.7)):
            break
    assert done.code != 0
    assert "Input/output error" in done.out + done.err
    assert [(event["what"], event["member"]) for event in found["events"]] == [("fail", 0), ("fail", 1)]
    assert times_s == in_time
    assert found["fault"]


@pytest.mark.needs("fio")
def test_a_failure_that_is_survived_goes_unseen_by_the_application(tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    events = ("--fail", "0@0.5s", "--rebuild", "500MB/s@1s", "--slow", "1@1.5s:3")
    done = execute("attach", *NOW, *events, "-o", out, "--", *fio(time_based=1, runtime=2))
    assert done.code == 0, done.err
    found = json.loads(out.read_text())["attached"]
    assert [event["what"] for event in found["events"]] == ["fail", "rebuild", "slow"]
    assert not [event for event in found["events"] if "refused" in event]
    assert "fault" not in found


@pytest.mark.needs("fio")
def test_power_that_is_cut(tmp_path: Path) -> None:
    out = tmp_path / "o.json"
    done = execute("attach", *NOW, "--cut", "1s", "-o", out, "--", *fio(time_based=1, runtime=5))
    assert done.code != 0
    (event,) = json.loads(out.read_text())["attached"]["events"]
    assert event["what"] == "cut"
    assert event["bytes_lost"] >= 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_without_a_command_it_stays_until_it_is_ended(tmp_path: Path, number: signal.Signals) -> None:
    socket = tmp_path / "nbd.sock"
    with begun("--nbd", socket) as process:
        waiting.until(socket.is_socket, "the socket")
        assert process.stderr.readline().startswith(
            f"fio:      fio --ioengine=nbd --uri='nbd+unix:///?socket={socket}'"
        )
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 0, err
    assert not socket.exists()


def test_ctrl_c_ends_the_command_in_order_and_the_outcome_is_there(tmp_path: Path) -> None:
    out, ready = tmp_path / "o.json", tmp_path / "ready"
    script = f"trap 'exit 5' INT; touch {ready}; while :; do sleep 0.05; done"
    with begun("-o", out, "--", "sh", "-c", script) as process:
        waiting.until(ready.exists, "the command is ready")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 5
    assert json.loads(out.read_text())["attached"]["exit_code"] == 5


def test_kill_9_leaves_nothing(tmp_path: Path) -> None:
    socket, mark = tmp_path / "nbd.sock", tmp_path / "mark"
    trace = tmp_path / "asked.parquet"
    script = f"echo $$ > {mark}.new; mv {mark}.new {mark}; exec sleep 300"
    with begun("--nbd", socket, "--trace", trace, "--", "sh", "-c", script) as process:
        waiting.until(mark.exists, "the command is there")
        command = int(mark.read_text())
        process.kill()
        waiting.until(lambda: not socket.exists(), "the socket is gone")
        waiting.until(lambda: not Path(f"/proc/{command}").exists(), "the command is gone")
    assert not trace.exists()


@pytest.mark.needs("fio")
def test_a_terminal_has_a_screen_below_what_the_command_prints() -> None:
    screen, theirs = pty.openpty()
    load = fio(time_based=1, runtime=3, output="/dev/null")
    script = ["sh", "-c", 'echo "words of the command"; "$@"', "x", *load]
    process = subprocess.Popen(
        [PROGRAM, "attach", *NOW, "--", *script], stdout=theirs, stderr=theirs, stdin=theirs, close_fds=True
    )
    os.close(theirs)
    shown = b""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            shown += os.read(screen, 65536)
        except OSError:
            break
    os.close(screen)
    assert process.wait(30) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "words of the command" in text
    assert text.count("queue depth") >= 2
    assert "write amplification" in text
    assert "served on time" in text
