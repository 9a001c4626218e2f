"""Recording a real disk: a loop device, the real fio, the kernel's tracer."""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from block_devices import allowed, run
from conftest import PROGRAM, Run
from drivecast.capture import scope
from drivecast.capture.recorder import of_threads
from drivecast.capture.tracefs import recover
from drivecast.errors import InputError
from needs import lacks, needs

SIZE = 64 << 20
TRACEFS = Path("/sys/kernel/tracing")
SETTINGS = ("current_tracer", "options/bin", "options/context-info", "trace_clock")


def run_fio(device: str, group: Path | None = None) -> tuple[int, int]:
    """Read and write at random, in a control group if given; how many of each fio counted."""
    command = [
        "fio",
        "--name=load",
        f"--filename={device}",
        "--direct=1",
        "--rw=randrw",
        "--bs=4k",
        f"--size={SIZE}",
    ]
    enter = ["sh", "-c", 'echo $$ > "$0/tasks" && exec "$@"', str(group)] if group else []
    done = subprocess.run(
        [*enter, *command, "--ioengine=psync", "--output-format=json", "--io_size=8M"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    job = json.loads(done.stdout[done.stdout.index("{") :])["jobs"][0]
    return job["read"]["total_ios"], job["write"]["total_ios"]


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[str]:
    """A loop device of 64 MiB."""
    needs("root", "loop", "losetup", "fio")
    image = tmp_path / "image"
    image.write_bytes(bytes(SIZE))
    device = allowed("loop", "losetup", "-f", "--show", image)
    yield device
    run("losetup", "-d", device)


@contextlib.contextmanager
def taking_turns() -> Iterator[None]:
    """The kernel has one tracer for all: tests that run beside each other take turns at it."""
    # Other test runs lock the same directory, and no lock file is left behind.
    kernel = os.open("/sys/kernel", os.O_RDONLY)
    try:
        fcntl.flock(kernel, fcntl.LOCK_EX)
        yield
    finally:
        os.close(kernel)


@pytest.fixture
def tracefs() -> Iterator[Path]:
    """Tracefs, mounted for the test where it is not; nobody else's test has it meanwhile."""
    with taking_turns():
        mounted = (TRACEFS / "current_tracer").exists()
        if not mounted:
            allowed("tracefs", "mount", "-t", "tracefs", "nodev", TRACEFS)
        needs("blk tracer")
        recover()  # the tracer belongs to the kernel: a capture killed before these tests may have left it on
        yield TRACEFS
        if not mounted:
            run("umount", TRACEFS)


def settings(tracefs: Path) -> list[str]:
    return [(tracefs / name).read_text() for name in SETTINGS]


class Capture:
    """The program in the background."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [PROGRAM, "capture", *arguments, "--output-format", "json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def wait_until(self, ready: Callable[[], bool]) -> None:
        for _ in range(400):
            if ready() or self.process.poll() is not None:
                return
            time.sleep(0.05)
        self.process.kill()
        raise AssertionError("the capture did not begin")

    def stop(self, number: int = signal.SIGINT) -> Any:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, err
        return json.loads(out)


def begun(folder: Path) -> Callable[[], bool]:
    """Whether the first counters were taken, which is after the tracer went on."""
    return lambda: any(path.stat().st_size for path in folder.glob(".drivecast-*/counters.txt"))


def traced(device: str) -> Callable[[], bool]:
    enable = Path(f"/sys/block/{Path(device).name}/trace/enable")
    return lambda: enable.read_text().strip() == "1"


def test_counters_agree_with_fio(loop: str, tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    out = tmp_path / "log.parquet"
    capture = Capture(loop, "--seconds", "0", "--interval", "0.1", "-o", out)
    capture.wait_until(begun(tmp_path))
    reads, writes = run_fio(loop)
    found = capture.stop()
    assert found["interrupted"]
    assert found["counters"]["reads"] == pytest.approx(reads, abs=64)  # the kernel looks at a new disk, too
    assert found["counters"]["writes"] == writes
    assert found["cpu_s"] > 0
    assert drivecast("profile", out, "--output-format", "json").json["writes"] == writes
    assert not [*tmp_path.glob(".drivecast-*")]


def test_every_request_is_traced(
    loop: str, tmp_path: Path, tracefs: Path, drivecast: Callable[..., Run]
) -> None:
    out, before = tmp_path / "log.parquet", settings(tracefs)
    capture = Capture(loop, "--seconds", "0", "--trace", "-o", out)
    capture.wait_until(begun(tmp_path))
    reads, writes = run_fio(loop)
    found = capture.stop(signal.SIGTERM)
    assert settings(tracefs) == before
    assert not traced(loop)()
    assert found["trace"]["lost"] == 0
    assert not any("CPU" in note or "is empty" in note for note in found["notes"]), "a CPU may be idle"
    tallies = found["trace"]["tallies"]
    assert [tallies["issue"][key] for key in ("reads", "writes")] == [reads, writes]
    profile = drivecast("profile", out, "--output-format", "json").json
    assert (profile["reads"], profile["writes"]) == (reads, writes)
    assert profile["block_size_mean_bytes"] == 4096
    assert profile["read_latency_ns"]["mean"] > 0
    assert (tmp_path / "log-counters.parquet").exists()


def test_lost_events_are_counted(
    loop: str, tmp_path: Path, tracefs: Path, drivecast: Callable[..., Run]
) -> None:
    assert tracefs.exists()
    out = tmp_path / "log.parquet"
    capture = Capture(loop, "--seconds", "0", "--trace", "--buffer", "64", "-o", out)
    capture.wait_until(begun(tmp_path))
    capture.process.send_signal(signal.SIGSTOP)
    reads, writes = run_fio(loop)
    capture.process.send_signal(signal.SIGCONT)
    found = capture.stop()
    assert found["trace"]["lost"] > 0
    assert 0 < found["trace"]["rows"] < reads + writes
    assert any("events were lost" in note for note in found["notes"])
    # The kernel's own totals lose nothing.
    assert found["counters"]["writes"] == writes
    assert drivecast("profile", out).code == 0


READS = """
import mmap, os, sys
file, page = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 8192)
sys.stdin.readline()
for number in range(300):
    os.preadv(file, [page], number * 8192)
"""


def test_only_one_process(loop: str, tmp_path: Path, tracefs: Path, drivecast: Callable[..., Run]) -> None:
    assert tracefs.exists()
    out = tmp_path / "log.parquet"
    with subprocess.Popen([sys.executable, "-c", READS, loop], stdin=subprocess.PIPE) as wanted:
        capture = Capture(loop, "--seconds", "0", "--trace", "--pid", str(wanted.pid), "-o", out)
        capture.wait_until(begun(tmp_path))
        run_fio(loop)
        wanted.communicate(b"go\n", timeout=60)
    found = capture.stop()
    profile = drivecast("profile", out, "--output-format", "json").json
    assert (profile["reads"], profile["writes"]) == (300, 0)
    assert profile["read_latency_ns"]["mean"] > 0
    assert found["trace"]["event"] == "queue"


def test_a_crash_is_set_right(
    loop: str, tmp_path: Path, tracefs: Path, drivecast: Callable[..., Run]
) -> None:
    before = settings(tracefs)
    capture = Capture(loop, "--seconds", "0", "--trace", "-o", tmp_path / "a.parquet")
    capture.wait_until(traced(loop))
    refused = drivecast("capture", loop, "--trace", "--seconds", "1", "-o", tmp_path / "b.parquet")
    assert refused.code == 2
    assert "another capture is running" in refused.err
    capture.process.kill()
    capture.process.communicate()
    assert traced(loop)()
    run = drivecast("capture", loop, "--trace", "--seconds", "0.2", "-o", tmp_path / "b.parquet")
    assert run.code == 0, run.err
    assert "ended without switching its tracer off; that was done now" in run.err
    assert "there was no request" in run.err
    assert settings(tracefs) == before
    assert not traced(loop)()


def test_another_tracer_is_left_alone(
    loop: str, tmp_path: Path, tracefs: Path, drivecast: Callable[..., Run]
) -> None:
    (tracefs / "current_tracer").write_text("blk")
    try:
        run = drivecast("capture", loop, "--trace", "--seconds", "0.2", "-o", tmp_path / "b.parquet")
        assert (tracefs / "current_tracer").read_text().strip() == "blk"
    finally:
        (tracefs / "current_tracer").write_text("nop")
    assert run.code == 2
    assert "the kernel's tracer `blk` is active" in run.err
    assert not [*tmp_path.glob("*.parquet")]


def test_a_control_group(loop: str, tmp_path: Path) -> None:
    folder = Path("/sys/fs/cgroup/blkio/drivecast-test")
    needs("blkio")
    folder.mkdir()
    try:
        capture = Capture(
            loop, "--seconds", "0", "--interval", "0.1", "--cgroup", folder, "-o", tmp_path / "a.parquet"
        )
        capture.wait_until(begun(tmp_path))
        run_fio(loop)
        reads, writes = run_fio(loop, folder)
        found = capture.stop()["counters"]
        assert (found["reads"], found["writes"]) == (reads, writes)
        assert found["queue_depth_mean"] is None
    finally:
        folder.rmdir()


def test_what_would_be_done(tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    disks = [path.name for path in Path("/sys/block").iterdir()]
    if not disks:
        lacks("disk")
    run = drivecast("capture", disks[0], "--dry-run", "-o", tmp_path / "a.parquet")
    assert run.code == 0, run.err
    assert f"read /proc/diskstats for {disks[0]} every 1 s, 60 s" in run.out
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-disk"], "hint: there are"),
        (["/dev/null"], "is no block device"),
        (["250:999"], "is no block device of this system"),
        (["/dev/null", "--pid", "1"], "`--pid` needs `--trace`"),
        (["/dev/null", "--pid", "1", "--cgroup", "a"], "exclude each other"),
    ],
)
def test_wrong_use(arguments: list[str], message: str, drivecast: Callable[..., Run]) -> None:
    run = drivecast("capture", *arguments)
    assert run.code == 2
    assert message in run.err


def test_scopes_that_are_not_there() -> None:
    with pytest.raises(InputError, match="no process"):
        scope.process(2**22 + 1)
    with pytest.raises(InputError, match="counts block requests"):
        scope.cgroup("no/such/group")


def test_completions_stay_with_the_requests_of_a_thread() -> None:
    def event(kind: int, pid: int, payload: bytes = b"") -> bytes:
        fields = [0x65617407, 0, 0, 8, 4096, kind, pid, 0, 0, len(payload) << 16]
        sizes = (4, 4, 8, 8, 4, 4, 4, 4, 4, 4)
        return b"".join(f.to_bytes(s, sys.byteorder) for f, s in zip(fields, sizes, strict=True)) + payload

    queue, complete = 1, 8
    events = [event(queue, 10), event(queue, 11, b"name"), event(complete, 0), event(queue, 12, b"ab")]
    assert of_threads(b"".join(events), {11}) == events[1] + events[2]
