"""What the default plan costs on the bundled recording, and what keeping drives in steady state saves.

Method: the whole program as a person runs it, wall-clock and processor seconds and the most memory, medians of three
runs. Beside it one design at five queue depths, each round once with its drives aged anew for every depth and once with
them kept, in alternating order; the median ratio is printed.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from drivecast import _core
from drivecast.catalog import load
from drivecast.stage import simulate

ROOT = Path(__file__).parents[1]
TRACE = ROOT / "examples/mariadb-oltp/mariadb-oltp.blktrace"
RUNS = 3
DESIGN = "raid10(4 * samsung-pm893-480gb)"
DEPTHS = (1, 2, 4, 8, 16)
REQUESTS = 50_000


def planned() -> tuple[float, float, float]:
    """One run of `drivecast plan` with its defaults: seconds, processor seconds, MiB of memory."""
    start = time.perf_counter()
    program = Path(sys.executable).parent / "drivecast"
    running = subprocess.Popen(
        [program, "plan", TRACE, "--quiet", "--output-format", "json"], stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise RuntimeError(f"the plan ended with {running.returncode}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def depths(kept: _core.Kept | None) -> float:
    """Processor seconds of the design at all depths."""
    start = time.process_time()
    for depth in DEPTHS:
        load = simulate.workload(f"random(4KiB, read=0.7, iodepth={depth})")
        options = simulate.Options(requests=REQUESTS)
        simulate.simulate(DESIGN, load, CATALOG, options, kept=kept)
    return time.process_time() - start


CATALOG = load()


def main() -> None:
    """Print medians and extremes."""
    walls, processors, memory = zip(*(planned() for _ in range(RUNS)), strict=True)
    print(
        f"plan: {statistics.median(walls):.1f} s ({min(walls):.1f} to {max(walls):.1f}), "
        f"{statistics.median(processors):.0f} processor seconds, {max(memory):,.0f} MiB (default search over the "
        f"catalog on examples/mariadb-oltp, all cores, {RUNS} runs)"
    )
    anew, kept = [], []
    for _ in range(RUNS):
        anew.append(depths(None))
        kept.append(depths(_core.Kept(1 << 30)))
    ratio = statistics.median(before / after for before, after in zip(anew, kept, strict=True))
    print(
        f"kept drives: {DESIGN} at {len(DEPTHS)} depths takes {statistics.median(kept):.2f} processor seconds, "
        f"{statistics.median(anew):.2f} with drives aged anew for each: {ratio:.1f} times ({RUNS} pairs)"
    )


if __name__ == "__main__":
    main()
