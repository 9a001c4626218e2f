"""How long the default plan takes on the bundled recording: the whole program, as a person runs it."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
TRACE = ROOT / "examples/mariadb-oltp/mariadb-oltp.blktrace"
RUNS = 3


def seconds() -> float:
    """One run of `drivecast plan` with its defaults, in wall-clock seconds."""
    start = time.perf_counter()
    program = Path(sys.executable).parent / "drivecast"
    subprocess.run(
        [program, "plan", TRACE, "--quiet", "--output-format", "json"], check=True, stdout=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def main() -> None:
    """Print the median and the extremes."""
    times = sorted(seconds() for _ in range(RUNS))
    print(
        f"plan: {statistics.median(times):.1f} s (default search over the catalog on examples/mariadb-oltp, all cores, "
        f"median of {RUNS} runs, {times[0]:.1f} to {times[-1]:.1f})"
    )


if __name__ == "__main__":
    main()
