"""What windows cost: a run on them against one on the whole recording, and a plan for a week against one for an hour.

Method: windows are fitted to the bundled recording. Runs on one design each are paired, windows and recording in turn,
nine times, in processor seconds; the median ratio is printed. Plans run as a person runs them, one after another, three
times each, wall-clock; the median ratio is printed.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from drivecast import _core
from drivecast.catalog import load
from drivecast.model import fit_windows
from drivecast.model.change.changes import Wanted, changed
from drivecast.stage import simulate, windows_file, windows_pass

TRACE = Path(__file__).parents[1] / "examples/mariadb-oltp"
DESIGNS = ("samsung-pm893-960gb", "raid5(4 * samsung-pm893-480gb)", "raid10(4 * seagate-exos-10e2400-1.2tb)")
PAIRS, PLANS = 9, 3
HOUR_S, WEEK_S = 3600.0, 7 * 86400.0
CATALOG = load()


def run_s(design: str, workload: _core.Workload) -> float:
    """Processor seconds of a run."""
    start = time.process_time()
    simulate.simulate(design, workload, CATALOG)
    return time.process_time() - start


def plan_s(path: Path) -> float:
    """Seconds of a plan."""
    program = Path(sys.executable).parent / "drivecast"
    start = time.perf_counter()
    command = [
        program,
        "plan",
        path,
        "--accept-model",
        "--capacity",
        "320GB",
        "--quiet",
        "--output-format",
        "json",
    ]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print median ratios and extremes."""
    whole = simulate.workload(str(TRACE))
    start = time.perf_counter()
    found = fit_windows.fit(
        whole, "bench", "", CATALOG, within=0.1, seed=0, update=lambda _share, _what: None
    )
    print(f"model fit: {time.perf_counter() - start:.1f} s, {len(windows_file.content(found)) / 1e6:.2f} MB")
    windows = windows_pass.workload(found)
    for design in DESIGNS:
        pairs = [(run_s(design, windows), run_s(design, whole)) for _ in range(PAIRS)]
        ratios = [ours / theirs for ours, theirs in pairs]
        print(
            f"{design}: windows {statistics.median(ratios):.2f} of the recording's time "
            f"({min(ratios):.2f} to {max(ratios):.2f}), which is {statistics.median(b for _, b in pairs):.3f} s"
        )
    with TemporaryDirectory() as folder:
        paths = []
        for name, length_s in (("hour", HOUR_S), ("week", WEEK_S)):
            paths.append(Path(folder) / f"{name}.windows")
            windows_file.write(paths[-1], changed(found, Wanted(length_s=length_s), 0))
        times = [[plan_s(path) for path in paths] for _ in range(PLANS)]
    ratio = statistics.median(week / hour for hour, week in times)
    hour, week = (statistics.median(each) for each in zip(*times, strict=True))
    print(f"plan: a week {week:.1f} s, an hour {hour:.1f} s, median ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
