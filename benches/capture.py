"""What recording costs the workload: fio's IOPS on a loop device without a capture, with counters, with `--trace`.

Runs alternate, so that what else the machine does falls on all three alike; medians of the ratios within a round are
printed, with the lowest and highest. Where other work shares the cores, IOPS tell little; the CPU time that a request
takes is counted too, of fio and of the kernel's workers that serve the loop device, where the tracer writes its
records. Needs root, fio and tracefs; says so and ends where one is missing.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import which
from statistics import median
from typing import Any

PROGRAM = Path(sys.executable).parent / "drivecast"
ROUNDS = 8
RUN_S = 2
SIZE = 256 << 20
READY = ".drivecast-*/counters.txt"


def workers_s() -> float:
    """CPU time of the kernel's workers so far."""
    total = 0
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if (place / "comm").read_text().startswith("kworker"):
                total += int((place / "schedstat").read_text().split()[0])
        except OSError:  # it has ended
            continue
    return total / 1e9


def fio(device: str) -> tuple[float, float]:
    """IOPS of random 4 KiB reads and writes at depth 8, and the CPU time of a request in microseconds."""
    command = [
        "fio",
        "--name=load",
        f"--filename={device}",
        "--direct=1",
        "--rw=randrw",
        "--bs=4k",
        f"--size={SIZE}",
    ]
    command += [
        "--ioengine=libaio",
        "--iodepth=8",
        f"--runtime={RUN_S}",
        "--time_based",
        "--output-format=json",
    ]
    before = workers_s()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    served = workers_s() - before
    job = json.loads(done.stdout[done.stdout.index("{") :])["jobs"][0]
    own = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1e3
    requests = job["read"]["total_ios"] + job["write"]["total_ios"]
    return float(job["read"]["iops"] + job["write"]["iops"]), (own + served) / requests * 1e6


def captured(device: str, folder: Path, *options: str) -> tuple[tuple[float, float], dict[str, Any]]:
    """The same while a capture runs, and what that says of itself."""
    command = [str(PROGRAM), "capture", device, "--seconds", "0", "-o", str(folder / "log.parquet"), *options]
    process = subprocess.Popen(
        [*command, "--output-format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and not [path for path in folder.glob(READY) if path.stat().st_size]:
        time.sleep(0.05)
    run = fio(device)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    if process.returncode:
        sys.exit(err)
    return run, json.loads(out)


def spread(ratios: list[float]) -> str:
    """Median, lowest and highest, in percent less."""
    return (
        f"{100 * (1 - median(ratios)):.1f} ({100 * (1 - max(ratios)):.1f} to {100 * (1 - min(ratios)):.1f})"
    )


def main() -> None:
    """Measure and print."""
    if os.geteuid() != 0 or which("fio") is None or not Path("/sys/kernel/tracing/current_tracer").exists():
        print("capture: not measured (needs root, fio and tracefs at /sys/kernel/tracing)")
        return
    method = f"{ROUNDS} rounds of {RUN_S} s in turn, fio 4 KiB randrw depth 8 on a loop device in memory"
    with tempfile.TemporaryDirectory(dir="/dev/shm") as shared:
        folder, image = Path(shared), Path(shared) / "image"
        image.write_bytes(bytes(SIZE))
        command = ["losetup", "-f", "--show", image]
        device = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        plain, counters, traced, found = [], [], [], []
        try:
            for _ in range(ROUNDS):
                plain.append(fio(device))
                counters.append(captured(device, folder)[0])
                run, told = captured(device, folder, "--trace")
                traced.append(run)
                found.append(told)
        finally:
            subprocess.run(["losetup", "-d", device], check=True)
    rows = sum(told["trace"]["rows"] for told in found)
    rate = median(told["trace"]["rows"] / told["seconds"] for told in found)
    each_us = median(told["cpu_s"] / max(1, told["trace"]["rows"]) * 1e6 for told in found)
    print(f"capture_plain: {median(iops for iops, _ in plain):,.0f} IOPS ({method})")
    print(
        f"capture_plain_cpu: {median(cpu for _, cpu in plain):.2f} µs a request (fio and the kernel's workers)"
    )
    for name, runs in (("counters", counters), ("trace", traced)):
        lost = spread([busy[0] / free[0] for busy, free in zip(runs, plain, strict=True)])
        more = [busy[1] - free[1] for busy, free in zip(runs, plain, strict=True)]
        print(f"capture_{name}_loss: {lost} % of IOPS (median, lowest to highest)")
        print(
            f"capture_{name}_kernel: {median(more):.2f} ({min(more):.2f} to {max(more):.2f}) µs of CPU a request more"
        )
    print(f"capture_trace_cpu: {each_us:.2f} µs a request (CPU of the recording, {rate:,.0f} requests/s)")
    print(
        f"capture_trace_lost: {sum(told['trace']['lost'] for told in found):,} events (of {rows:,} requests)"
    )


if __name__ == "__main__":
    main()
