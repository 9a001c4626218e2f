"""The form of the text that `drivecast reproduce` prints.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

import os
from pathlib import Path

from drivecast.reproduce import Experiment, Findings, Report
from drivecast.reproduce.document import text

PLACE = Path(__file__).parent / "reproduce.txt"


def report() -> Report:
    """One figure that is close, one that is off, one ordering each way."""
    findings = Findings("sample")
    findings.figure("random reads", "IOPS", published=1855, ours=1850, why="never told")
    findings.figure("p95 of eight threads", "ms", published=0.68, ours=0.34, why="the sheet is faster")
    findings.ordering("SSDs are faster than disks", True, "20,000 against 1,190 IOPS")
    findings.ordering("more drives are slower", False, "2.0 against 1.0")
    experiment = Experiment("sample", "Sample: two figures", ("percona",), ("depth 16",), lambda *_: None)
    return Report((experiment,), findings.rows, findings.orderings, seed=0)


def test_the_form_is_the_one_agreed_on() -> None:
    found = text(report()).plain + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        PLACE.write_text(found, encoding="utf-8")
    assert found == PLACE.read_text(encoding="utf-8")
