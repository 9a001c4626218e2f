"""A program that ends while threads still simulate ends with its own status, its answer written."""

import subprocess
import sys

SCRIPT = """
import threading, time
from drivecast import _core
from drivecast.catalog import load
from drivecast.stage.simulate import Options, simulate
from drivecast.thread import end_with
catalog, reads = load(), _core.Workload.line("random(4KiB, read=1, iodepth=4)")
def simulate_for_ever():
    while True:
        simulate("samsung-pm893-960gb", reads, catalog, Options(requests=300))
for _ in range(4):
    threading.Thread(target=simulate_for_ever, daemon=True).start()
time.sleep(0.3)
print("answer")
end_with(3)
"""
AT_ONCE = 6
"""Without `end_with` about one of five aborts."""


def test_threads_that_still_simulate_do_not_abort_the_program() -> None:
    programs = [
        subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True)
        for _ in range(AT_ONCE)
    ]
    ended = [(program.communicate(timeout=60)[0], program.returncode) for program in programs]
    assert ended == [("answer\n", 3)] * AT_ONCE
