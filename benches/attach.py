"""Attached designs against what they stand for: latencies, lateness, and how much is carried.

Close: fio asks an attached design over NBD; what fio saw is set beside `simulate` of what the server recorded, both
from erased flash, so that only time differs. Way: what fio sees of a device that takes next to no time, and of one
that always takes 80 us: what is above that is the server's lateness, the way and fio's own thread. Late: reads at
20 000 a second (Poisson) of a drive of 8 channels. Most: random reads of 4 KiB at depth 32 of a device that takes no
time, and of one that takes 1 ms, beside nbdkit's memory without and with its delay filter in the same turn; and
through a loop device. Medians of ROUNDS turns; the peer is left out where it is not installed.
"""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

from attach_mount import FAST, p50_p99_us, reads, served, stopped, takes
from attach_mount import fio as by_file

from drivecast.attach.attach_options import AttachOptions
from drivecast.attach.attached import attached
from drivecast.attach.mount import disk_place
from drivecast.catalog import Catalog, load
from drivecast.stage.simulate import Options, simulate, workload

SIZE = 4 << 30
LENGTH_S = 5
ROUNDS = 3
READS = ("--rw=randread",)
DEEP = (*READS, "--iodepth=32", "--size=256m")
DELAY_NS = 1_000_000
"""Above what either server takes itself at that depth."""
FIXED_NS = 80_000
"""What a read of an idle PM9A3 takes."""
MIXED = ("--rw=randrw", "--rwmixread=70")
LOADS = (
    ("samsung-pm9a3-3.84tb", READS, 1),
    ("samsung-pm9a3-3.84tb", READS, 8),
    ("samsung-pm9a3-3.84tb", READS, 32),
    ("samsung-pm893-480gb", MIXED, 4),
    ("seagate-cheetah-15k5-73gb", MIXED, 4),
    ("raid5(4 * samsung-pm9a3-960gb)", MIXED, 4),
)


def fio(uri: str, *options: str) -> dict[str, Any]:
    """A run of requests of 4 KiB over NBD."""
    command = ["fio", "--name=a", "--ioengine=nbd", f"--uri={uri}", "--bs=4k", f"--runtime={LENGTH_S}"]
    command += ["--time_based", "--output-format=json", *options]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(said[said.index("{") :])["jobs"][0]
    return found


def close(catalog: Catalog) -> None:
    """Latencies that fio saw, beside those of `simulate`."""
    for design, kind, depth in LOADS:
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder, "asked.parquet")
            with attached(
                AttachOptions(design, catalog, size_bytes=SIZE, state="fresh", fill=0.0, trace=trace)
            ) as disk:
                seen = fio(f"nbd+unix:///?socket={disk.socket}", *kind, f"--iodepth={depth}")
            played = simulate(design, workload(str(trace)), catalog, Options(state="fresh", fill=0.0))
        late = disk.outcome.lateness
        print(f"{design}, depth {depth}: lateness p99 {late.p99_ns / 1e3 if late else 0.0:.1f} us")
        for op in ("read", "write"):
            if not seen[op]["total_ios"]:
                continue
            for name, quantile in (("50.000000", "q0.5"), ("99.000000", "q0.99")):
                by_fio = seen[op]["clat_ns"]["percentile"][name] / 1e3
                simulated = (played.latency(op, quantile) or 0.0) / 1e3
                print(f"  {op} {quantile}: fio {by_fio:.1f} us, simulate {simulated:.1f} us")


def way() -> None:
    """What fio sees of a device that takes next to no time: the way there and back, and fio itself."""
    for turn in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            socket = Path(folder, "s")
            disk = served("x", takes(1), nbd=socket)
            seen = fio(f"nbd+unix:///?socket={socket}", *READS, "--iodepth=1", "--size=256m")
            transport_ns = disk.stop()["lateness"]["transport_ns"]
        p50, p99 = p50_p99_us(seen["read"])
        print(
            f"turn {turn + 1}: the way and fio, depth 1: p50 {p50:.1f}, p99 {p99:.1f} us; "
            f"transport {transport_ns / 1e3:.1f} us"
        )


def fixed(depth: int) -> None:
    """What fio sees of a device that always takes the same time: all else is not of a design."""
    for turn in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            socket = Path(folder, "s")
            disk = served("x", takes(FIXED_NS), nbd=socket)
            disk.start(disk.transport_ns)
            seen = fio(f"nbd+unix:///?socket={socket}", *READS, f"--iodepth={depth}", "--size=256m")["read"]
            late_us = disk.stop()["lateness"]["p99_ns"] / 1e3
        p50, p99 = p50_p99_us(seen)
        print(
            f"turn {turn + 1}: a device of {FIXED_NS / 1e3:.0f} us, depth {depth}: {seen['iops']:.0f}/s, "
            f"p50 {p50:.1f}, p99 {p99:.1f} us; lateness p99 {late_us:.1f} us"
        )


def late() -> None:
    """Lateness at a rate that is carried."""
    for turn in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            socket = Path(folder, "s")
            disk = served(FAST, nbd=socket)
            rate = ("--rate_iops=20000", "--rate_process=poisson", "--iodepth=64")
            fio(f"nbd+unix:///?socket={socket}", *READS, *rate, "--size=256m")
            found = disk.stop()["lateness"]
            us = ", ".join(f"{name} {found[f'{name}_ns'] / 1e3:.1f}" for name in ("p50", "p99", "p999"))
            print(
                f"turn {turn + 1}: lateness at 20 000 reads/s {us} us; transport {found['transport_ns'] / 1e3:.1f} us"
            )


def most(what: str, service_ns: int, *delayed: str) -> None:
    """Reads a second of a device that takes so long, ours and the peer's in turn, and what either adds."""
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    for _turn in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            socket = Path(folder, "s")
            disk = served("x", takes(service_ns), nbd=socket)
            if delayed:  # else it answers at once
                disk.start(disk.transport_ns)
            ours.append(fio(f"nbd+unix:///?socket={socket}", *DEEP)["read"])
            disk.stop()
            if which("nbdkit") is None:
                continue
            socket = Path(folder, "p")
            filters = [f"--filter={name}" for name in ("delay",) if delayed]
            command = ["nbdkit", "-f", "-t", "64", "-U", str(socket), *filters, "memory", "256M", *delayed]
            with subprocess.Popen(command) as peer:
                while not socket.is_socket() and peer.poll() is None:
                    time.sleep(0.01)
                theirs.append(fio(f"nbd+unix:///?socket={socket}", *DEEP)["read"])
                peer.terminate()
    beside = f", nbdkit's {_most(theirs)}" if theirs else " (nbdkit is not installed)"
    print(f"reads of 4 KiB at depth 32 of {what}: {_most(ours)}{beside}")


def _most(runs: list[dict[str, Any]]) -> str:
    p50 = median(run["clat_ns"]["percentile"]["50.000000"] for run in runs) / 1e3
    return f"{median(run['iops'] for run in runs):.0f}/s, p50 {p50:.0f} us"


def most_mounted() -> None:
    """Reads a second through a loop device on the FUSE file."""
    if os.geteuid() != 0:
        print("most through a loop device: not measured (needs root)")
        return
    found: list[dict[str, Any]] = []
    for _turn in range(ROUNDS):
        with (
            disk_place() as place,
            stopped(served("x", takes(1), fuse=place.fuse)),
            place.device() as device,
        ):
            load = ("--rw=randread", "--ioengine=libaio", "--iodepth=32", f"--filename={device.path}")
            found.append(reads(by_file(*load)))
    print(f"reads of 4 KiB at depth 32 through a loop device: {_most(found)}")


def main() -> None:
    """Print all."""
    if which("fio") is None:
        print("attached designs: not measured (needs fio)")
        return
    close(load())
    way()
    fixed(1)
    fixed(8)
    late()
    most("a device that takes no time", 1)
    most("one that takes 1 ms", DELAY_NS, "rdelay=1ms", "wdelay=1ms")
    most_mounted()


if __name__ == "__main__":
    main()
