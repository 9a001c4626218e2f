"""A run in two parts: what passed on a bare machine is not run again where all programs are.

`--write-passed FILE` writes the cases that passed, and the files of which all did, `--leave-out FILE` runs the others.
"""

import os
from functools import cache
from pathlib import Path

import pytest

passed: set[str] = set()
others: set[str] = set()
"""Cases that did not."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Both ends of the file."""
    parser.addoption("--write-passed", type=Path, help="write the cases that passed to this file")
    parser.addoption("--leave-out", type=Path, help="leave out the cases in this file")


@cache
def before(file: Path | None) -> frozenset[str]:
    """What is in the file."""
    return frozenset(file.read_text("utf-8").splitlines() if file else ())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files of which nothing is left: to import them takes seconds in each process."""
    return os.path.relpath(collection_path, config.rootpath) in before(config.option.leave_out) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is in the file."""
    left_out = before(config.option.leave_out)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A case has passed whose body did and whose end did not fail."""
    if report.when == "call" and report.passed:
        passed.add(report.nodeid)
    elif not report.passed:
        passed.discard(report.nodeid)
        others.add(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the file, in the process that has the reports of all."""
    file: Path | None = session.config.option.write_passed
    if file is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        whole = {case.split("::")[0] for case in passed} - {case.split("::")[0] for case in others}
        file.write_text("".join(f"{name}\n" for name in sorted(passed | whole)), "utf-8")
