"""A run in two parts: what passed on a bare machine is not run again where all programs are.

`--write-passed FILE` writes the cases that passed, `--leave-out FILE` runs the others.
"""

import os
from pathlib import Path

import pytest

passed: set[str] = set()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Both ends of the file."""
    parser.addoption("--write-passed", type=Path, help="write the cases that passed to this file")
    parser.addoption("--leave-out", type=Path, help="leave out the cases in this file")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is in the file."""
    if config.option.leave_out is None:
        return
    before = {*config.option.leave_out.read_text("utf-8").splitlines()}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in before])
    items[:] = [item for item in items if item.nodeid not in before]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A case has passed whose body did and whose end did not fail."""
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)
    elif not report.passed:
        passed.discard(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file, in the process that has the reports of all."""
    file: Path | None = session.config.option.write_passed
    if file is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        file.write_text("".join(f"{case}\n" for case in sorted(passed)), "utf-8")
