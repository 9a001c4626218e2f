"""An attached disk as a device of this machine: what the way to it costs, how late it is, and what a kill leaves.

Cost: random reads of 4 KiB by fio, one at a time (psync), of a disk that has not started and answers them after 50 us,
over the file by FUSE and over the loop device on it. Lateness: reads at 20 000 a second (Poisson, libaio) of a
simulated SSD, over the loop device and over NBD in turn: by how much the answers came after their simulated time, as
the server counts it. Control groups: reads of one program next to `fsync` of another, both in the root group and both
in the group of the disk, which takes 0.1 ms for a request and 10 ms for a flush. Kills: a server with a program on its
disk, one of its processes killed at a random moment; what is left 40 s later. Needs root, FUSE, loop devices and fio;
says so where one is missing.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from shutil import which
from typing import Any

from drivecast import _core
from drivecast.attach.mount import disk_place

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
import attach_kills

SSD = "ssd(logical=1GiB, spare_factor=0.28, pages_per_block=64, gc=greedy)"
SIZE = 256 << 20
RATE = 20_000
LENGTH_S = 5
ROUNDS = 3
TRIES = 50


def takes(service_ns: int, **other_ns: int) -> dict[str, str]:
    """A device `x` on which each request takes so long, however many there are."""
    half = {"service_ns": service_ns}
    return {
        "x": json.dumps({"kind": "volume", "capacity_bytes": SIZE, "read": half, "write": half, **other_ns})
    }


def p50_p99_us(found: dict[str, Any]) -> tuple[float, float]:
    """Of the latencies that fio saw."""
    p50, p99 = (found["clat_ns"]["percentile"][name] / 1e3 for name in ("50.000000", "99.000000"))
    return p50, p99


def served(line: str, drives: dict[str, str] | None = None, **front: Path) -> Any:
    """A design with its data in memory."""
    return _core.Attached(
        line,
        drives or {},
        size=SIZE,
        state="fresh",
        fill=0.0,
        seed=1,
        speed=1.0,
        data="memory",
        memory_max=2 * SIZE,
        path=None,
        cut=False,
        error=0.0,
        record=False,
        **front,
    )


@contextmanager
def stopped(disk: Any) -> Iterator[Any]:
    """Stop it at the end."""
    with ExitStack() as stack:
        stack.callback(disk.stop)
        yield disk


def fio(*options: str, group: Path | None = None) -> "subprocess.Popen[str]":
    """A run of 4 KiB requests past the page cache, in a control group."""
    command = ["fio", "--name=a", "--bs=4k", f"--size={SIZE}", "--time_based", *options]
    if "--ioengine=nbd" not in options:
        command.append("--direct=1")  # the engine of NBD refuses it
    command += [f"--runtime={LENGTH_S}", "--output-format=json"]
    if group is not None:
        command = ["sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh", *command]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def reads(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """What fio says of its reads."""
    said = process.communicate()[0]
    found: dict[str, Any] = json.loads(said[said.index("{") :])["jobs"][0]["read"]
    return found


def cost() -> None:
    """The way there and back."""
    with disk_place() as place, stopped(served(SSD, fuse=place.fuse)), place.device() as device:
        for what, path in (("file by FUSE", place.fuse / "disk"), ("loop device", device.path)):
            p50, p99 = p50_p99_us(reads(fio(f"--filename={path}", "--rw=randread", "--ioengine=psync")))
            print(f"reads of a disk of 50 us at depth 1, {what}: p50 {p50:.1f} us, p99 {p99:.1f} us")
        print(f"taken off, as measured at the start: {device.transport_ns / 1e3:.1f} us")


def late() -> None:
    """Lateness, over both fronts in turn."""
    for turn in range(ROUNDS):
        load = ("--rw=randread", f"--rate_iops={RATE}", "--rate_process=poisson")
        with disk_place() as place, stopped(served(FAST, fuse=place.fuse)) as disk, place.device() as device:
            disk.start(device.transport_ns)
            found = reads(fio(*load, f"--filename={device.path}", "--ioengine=libaio", "--iodepth=64"))
            say(f"turn {turn + 1}, loop device", found, disk)
        with tempfile.TemporaryDirectory() as folder:
            socket = Path(folder, "nbd.sock")
            with stopped(served(FAST, nbd=socket)) as disk:
                uri = f"--uri=nbd+unix:///?socket={socket}"
                found = reads(fio(*load, "--ioengine=nbd", uri, "--iodepth=64"))  # its engine first
                say(f"turn {turn + 1}, NBD", found, disk)


FAST = "ssd(logical=1GiB, spare_factor=0.28, pages_per_block=64, gc=greedy, channels=8, dies_per_channel=8)"


def say(what: str, found: dict[str, Any], disk: Any) -> None:
    """One turn's lateness."""
    late = disk.snapshot()["late"]
    us = ", ".join(f"{name} {late[f'{name}_ns'] / 1e3:.1f}" for name in ("p50", "p99", "p999", "max"))
    print(
        f"late at {found['iops']:.0f} reads/s, {what}: {us} us (transport {late['transport_ns'] / 1e3:.1f} us)"
    )


def groups() -> None:
    """Reads next to flushes of a disk that takes long for them."""
    slow = takes(100_000, flush_ns=10_000_000)
    with disk_place() as place, stopped(served("x", slow, fuse=place.fuse)) as disk, place.device() as device:
        disk.start(device.transport_ns)
        for what, group in (("root group", None), ("group of the disk", device.group)):
            writer = fio(
                f"--filename={device.path}", "--rw=randwrite", "--ioengine=psync", "--fsync=1", group=group
            )
            reader = fio(
                f"--filename={device.path}", "--rw=randread", "--ioengine=libaio", "--iodepth=4", group=group
            )
            found = reads(reader)
            writer.communicate()
            mean = found["clat_ns"]["mean"] / 1e3
            print(f"reads next to fsync, both in the {what}: {found['iops']:.0f}/s, mean {mean:.0f} us")


def kills() -> None:
    """Kill -9 at a random moment."""
    tries = []
    for seed in range(TRIES):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            tries.append(attach_kills.kill_once(Path(folder), seed))
    killed = ", ".join(f"{what} {count}" for what, count in Counter(t.killed for t in tries).most_common())
    left = [f"{tried.killed}: {tried.left}" for tried in tries if tried.left]
    longest = max(tried.ended_s for tried in tries)
    print(f"kill -9, {TRIES} tries ({killed}): {len(left)} left something, longest {longest:.1f} s", *left)


def main() -> None:
    """Print all."""
    if os.geteuid() != 0 or not Path("/dev/fuse").exists() or which("fio") is None:
        print("attached disks as devices: not measured (needs root, FUSE, loop devices and fio)")
        return
    cost()
    late()
    groups()
    kills()


if __name__ == "__main__":
    main()
