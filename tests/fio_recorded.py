"""A run of fio 3.33 that was recorded: its report and the logs of its three jobs; `tests/data/fio/job.fio` made it."""

from pathlib import Path

from drivecast.bench.fio.series import JobLogs

FOLDER = Path(__file__).parent / "data/fio"
REPORT = (FOLDER / "report.json").read_text()
LOGS = [
    JobLogs((FOLDER / f"histogram.{at}.log").read_text(), (FOLDER / f"longest.{at}.log").read_text())
    for at in (1, 2, 3)
]
