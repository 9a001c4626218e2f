"""How late a trace's requests reach the block layer: played by us, and by fio's `read_iolog`, in turn.

Both play the same requests at the same times (fio from an iolog of version 3, whose times are absolute, in whole
microseconds) onto a loop device over a file, through io_uring and past the page cache. The kernel's `blk` tracer, which
knows of neither, notes when each request was asked of that device (event Q). A request's lag is that time less its
time in the trace, both counted from the most punctual request in a thousand, so that neither player's own start counts.
Needs root, fio 3.31, losetup and tracefs; says so where one is missing. Before that, and anywhere: the lag that the
program tells of itself.
"""

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from statistics import median

import polars as pl

from drivecast import _core
from drivecast.capture.block_device import find
from drivecast.capture.tracefs import Tracer
from drivecast.stage import trace

PROGRAM = Path(sys.executable).parent / "drivecast"
RECORDING = Path(__file__).parents[1] / "examples/mariadb-oltp/mariadb-oltp.blktrace"
TRACEFS = Path("/sys/kernel/tracing")
PLACE = os.environ.get("DRIVECAST_BENCH_DIR", ".")
"""A directory on the disk."""
SIZE = 512 << 20
BLOCK = 4096
RATE = 20_000
LENGTH_S = 5
PEAK_S = 150
"""Where the recording is at its busiest."""
ROUNDS = 3
QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999)
COLUMNS = "time=ts:us,op=type:R/W,offset=lba:1,size=len:1"

LETTERS = {"read": "R", "write": "W"}

Row = tuple[int, str, int, int]
"""Time in us, R or W, offset, bytes."""


def generated() -> list[Row]:
    """Reads at the times of a Poisson process."""
    draw, at, rows = random.Random(1), 0.0, []
    while (at := at + draw.expovariate(RATE)) < LENGTH_S:
        rows.append((int(at * 1e6), "R", draw.randrange(SIZE // BLOCK) * BLOCK, BLOCK))
    return rows


def recorded() -> list[Row]:
    """The reads and writes of the recording's busiest seconds, packed into the file."""
    load = trace.workload([str(RECORDING)]).recast(region_bytes=1 << 20)
    table = pl.DataFrame(load.rows()).filter(pl.col("size_bytes") > 0)
    rows = []
    for at, op, offset, size in table.select("time_ns", "op", "offset_bytes", "size_bytes").iter_rows():
        us = at // 1000 - PEAK_S * 1_000_000
        if op in LETTERS and 0 <= us < LENGTH_S * 1_000_000:
            rows.append((us, LETTERS[op], offset % (SIZE - (1 << 21)), size))
    return rows


def ours(rows: list[Row], device: str, folder: Path) -> Callable[[], None]:
    """A run of `drivecast bench replay`."""
    log = folder / "trace.csv"
    log.write_text("ts,type,lba,len\n" + "".join(f"{at},{op},{lba},{size}\n" for at, op, lba, size in rows))
    words = ["bench", "replay", str(log), "--csv", COLUMNS, "--on", device, "--destroy", device, "-q"]
    return lambda: told([str(PROGRAM), *words])


def fios(rows: list[Row], device: str, folder: Path) -> Callable[[], None]:
    """A run of fio."""
    log = folder / "trace.iolog"
    verbs = {"R": "read", "W": "write"}
    lines = [f"{at} {device} {verbs[op]} {lba} {size}\n" for at, op, lba, size in rows]
    head = f"fio version 3 iolog\n0 {device} add\n0 {device} open\n"
    log.write_text(f"{head}{''.join(lines)}{rows[-1][0] + 1} {device} close\n")
    words = [f"--read_iolog={log}", "--ioengine=io_uring", "--iodepth=256", "--direct=1", "--thread"]
    return lambda: told(["fio", "--name=replay", *words, "--output-format=terse"])


def told(words: list[str]) -> None:
    """Run a program; its own words are shown where it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr + done.stdout)


def lags_us(run: Callable[[], None], rows: list[Row], device: str, folder: Path) -> list[float]:
    """The lag of each request of a run as the kernel saw it, sorted."""
    for left in folder.glob("events*"):
        left.unlink()
    with Tracer(find(device), 65_536, folder) as tracer:
        run()
    if tracer.lost:
        sys.exit(f"the tracer lost {tracer.lost} events")
    # The player's thread asks for each in order; a worker of the kernel's asks again where the device had no place.
    seen = frame(folder)
    player = seen["stream"].value_counts(sort=True)["stream"][0]
    events = seen.filter(pl.col("stream") == player).sort("time_ns")
    late: list[float] = []
    for at_ns, op, offset, size in events.select("time_ns", "op", "offset_bytes", "size_bytes").iter_rows():
        if len(late) < len(rows) and rows[len(late)][1:] == (LETTERS.get(op), offset, size):
            late.append(at_ns / 1e3 - rows[len(late)][0])
    if len(late) < 0.999 * len(rows):
        sys.exit(f"the tracer saw {len(late)} of {len(rows)} requests")
    late.sort()
    punctual = late[len(late) // 1000]
    return [max(0.0, lag - punctual) for lag in late]


def frame(folder: Path) -> pl.DataFrame:
    """The events Q of a run."""
    return pl.DataFrame(_core.read([str(folder / "events.blktrace")], trace.Reading(event="Q").to_core()))


@contextlib.contextmanager
def loop(folder: Path) -> Iterator[str]:
    """A loop device over a written file, past the page cache."""
    image = folder / "image"
    with image.open("wb") as handle:
        for _ in range(SIZE >> 23):
            handle.write(os.urandom(1 << 23))
        os.fsync(handle.fileno())
    words = ["losetup", "--find", "--show", "--direct-io=on", str(image)]
    device = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    try:
        yield device
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)


@contextlib.contextmanager
def able() -> Iterator[bool]:
    """Whether all that is needed is there; tracefs is mounted for as long, where it was not."""
    if os.geteuid() != 0 or which("fio") is None or which("losetup") is None:
        yield False
        return
    mounted = False
    if not (TRACEFS / "current_tracer").exists():
        words = ["mount", "-t", "tracefs", "nodev", str(TRACEFS)]
        mounted = subprocess.run(words, capture_output=True, check=False).returncode == 0
    try:
        yield (TRACEFS / "current_tracer").exists()
    finally:
        if mounted:
            subprocess.run(["umount", str(TRACEFS)], capture_output=True, check=False)


def told_of(name: str, method: str, runs: dict[str, list[list[float]]]) -> None:
    """Print the quantiles of both players, medians over the rounds, and their ratio."""
    for player, rounds in runs.items():
        for quantile in QUANTILES:
            figure = median(late[int(quantile * (len(late) - 1))] for late in rounds)
            print(f"replay_{name}_lag_q{quantile:g}_{player}: {figure:,.1f} us ({method})")
    ratio = median(
        theirs[int(0.99 * len(theirs))] / max(own[int(0.99 * len(own))], 0.1)
        for own, theirs in zip(runs["drivecast"], runs["fio"], strict=True)
    )
    print(f"replay_{name}_lag_q0.99_ratio: {ratio:.1f} x (fio over drivecast, median of {ROUNDS} pairs)")


def own_lag() -> None:
    """Print the lag that the program tells of itself, on a file."""
    words = ["bench", "replay", f"random(4KiB, read=1, rate={RATE}iops)", "--on", PLACE, "--size", "512MiB"]
    words += ["--duration", str(LENGTH_S), "--output-format", "json", "-q"]
    runs = []
    for _ in range(ROUNDS):
        done = subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout)["points"][0]["lag_ns"])
    for quantile in QUANTILES:
        figure = median(run[f"q{quantile:g}"] for run in runs) / 1e3
        method = (
            f"until the kernel has taken it, as the program tells, {RATE:,} reads/s on a file, {ROUNDS} runs"
        )
        print(f"replay_file_lag_q{quantile:g}: {figure:,.1f} us ({method})")


def main() -> None:
    """Measure and print."""
    own_lag()
    with able() as is_able:
        if is_able:
            compare()
        else:
            print("replay: not measured (needs root, fio 3.31, losetup and tracefs at /sys/kernel/tracing)")


def compare() -> None:
    """Both players on both traces, in turn."""
    # On a disk: a loop device over memory would copy in the issuing thread's time.
    with tempfile.TemporaryDirectory(dir=PLACE) as place:
        folder = Path(place)
        with loop(folder) as device:
            for name, rows in (("poisson", generated()), ("recording", recorded())):
                rate = len(rows) / LENGTH_S
                method = (
                    f"{rate:,.0f} requests/s for {LENGTH_S} s on a loop device, event Q of the blk tracer less "
                    f"the trace's time, median of {ROUNDS} rounds in turn"
                )
                players = {"drivecast": ours(rows, device, folder), "fio": fios(rows, device, folder)}
                runs: dict[str, list[list[float]]] = {player: [] for player in players}
                for _ in range(ROUNDS):
                    for player, run in players.items():
                        runs[player].append(lags_us(run, rows, device, folder))
                told_of(name, method, runs)


if __name__ == "__main__":
    main()
