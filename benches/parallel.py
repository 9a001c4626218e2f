"""How much two cores give over one, on a sweep of independent runs.

Method: sixteen runs, each a drive of its own spare factor and seed under random writes at depth 32, as `plan` makes
them: threads of one process, the interpreter's lock released for the whole of a run. One and two workers alternate; the
median ratio is printed. The limit beside it is what the machine gives to two processes that share nothing: the same
sweep, half by each.
"""

import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from drivecast.catalog import load
from drivecast.stage import simulate

RUNS = 16
ROUNDS = 5


def run(index: int) -> None:
    """One run of the sweep."""
    design = f"ssd(logical=2GiB, spare_factor={0.1 + 0.02 * index}, pages_per_block=64)"
    options = simulate.Options(seed=index, requests=300_000)
    simulate.simulate(design, simulate.workload("random(4KiB, read=0.3, iodepth=32)"), CATALOG, options)


def threads(workers: int) -> float:
    """The sweep by so many threads, in seconds."""
    start = time.perf_counter()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, range(RUNS)))
    return time.perf_counter() - start


def processes(count: int) -> float:
    """The sweep by so many processes, in seconds, each started before the clock."""
    started = [
        subprocess.Popen(
            [sys.executable, __file__, str(which), str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for which in range(count)
    ]
    for server in started:
        wait_for_word(server)
    start = time.perf_counter()
    for server in started:
        if server.stdin is not None:
            server.stdin.close()
    for server in started:
        server.wait()
    return time.perf_counter() - start


def wait_for_word(server: subprocess.Popen[bytes]) -> None:
    """Return once a process has said that it is ready."""
    if server.stdout is not None:
        server.stdout.readline()


def share(which: int, count: int) -> None:
    """One process's part: say that it is ready, wait for the word, run."""
    print("ready", flush=True)
    sys.stdin.read()
    for index in range(which, RUNS, count):
        run(index)


CATALOG = load()


def main() -> None:
    """Print both ratios."""
    ours, limit = [], []
    for _ in range(ROUNDS):
        ours.append(threads(1) / threads(2))
        limit.append(processes(1) / processes(2))
    print(
        f"parallel: two cores give {statistics.median(ours):.2f} times one over a sweep of {RUNS} runs "
        f"(two processes that share nothing: {statistics.median(limit):.2f}; medians of {ROUNDS} pairs)"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        share(int(sys.argv[1]), int(sys.argv[2]))
    else:
        main()
