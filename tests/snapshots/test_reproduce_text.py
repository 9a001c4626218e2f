"""The form of the text that `drivecast reproduce` prints.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

from agreed import agreed
from drivecast.catalog import load
from drivecast.document.reproduction import Reproduction
from drivecast.present.reproduction import text
from drivecast.reproduce import Experiment, run
from drivecast.reproduce.experiment import Findings


def read(findings: Findings[None]) -> None:
    """One figure that is close, one that is off, one given, one ordering each way."""
    findings.figure("random reads", "IOPS", published=1855, ours=1850, why="left out, since it is close")
    findings.figure("p95 of eight threads", "ms", published=0.68, ours=0.34, why="the sheet is faster")
    findings.figure("amplification", "x", published=10, ours=10.1, kind="given")
    findings.ordering("SSDs are faster than disks", True, "20,000 against 1,190 IOPS")
    findings.ordering("more drives are slower", False, "2.0 against 1.0")


def report() -> Reproduction:
    experiment = Experiment("sample", "Sample: three figures", ("percona",), ("depth 16",), read)
    return run([experiment], load(), seed=0, progress=lambda *_: None)


def test_the_form_is_the_one_agreed_on() -> None:
    agreed("reproduce.txt", text(report()).plain + "\n")
