"""How long tests take, as measured: `make test-fast` leaves out what is `medium`, `make test` what is `long`.

`durations.txt` has the functions that took a tenth of a second or more, with the seconds of their longest case and what
it set up, or of the dearest fixture that it shares: without the test that set that up, another does. Those that are not
in it are fast. `make test-durations` runs all of them and writes it anew.
"""

import os
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from made_once import Shared

TESTS = Path(__file__).parent
TABLE = TESTS / "durations.txt"
LIMITS_S = {"medium": 0.1, "long": 3.0}
"""A marker's least duration."""
setting_up: dict[pytest.FixtureDef[object], float] = defaultdict(float)
"""Seconds that each fixture has taken at most, with those that it asked for."""
taken: dict[str, float] = defaultdict(float)
"""Seconds that each case has taken in this run, by its identifier."""


@cache
def measured() -> dict[str, float]:
    """Seconds by `file::function`."""
    lines = map(str.split, TABLE.read_text("utf-8").splitlines())
    return {name: float(seconds) for seconds, name in lines}


def function(case: str) -> str:
    """The `file::function` of a case, whose parameters may have any signs."""
    return case.removeprefix("tests/").split("[", 1)[0]


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long tests take is measured on request."""
    parser.addoption("--measure", action="store_true", help="write tests/durations.txt from this run")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Pass over files of which nothing would be run: to import them takes seconds in each process."""
    least_s = LIMITS_S.get(config.option.markexpr.removeprefix("not "))
    if least_s is None or collection_path.suffix != ".py" or not collection_path.is_relative_to(TESTS):
        return None
    file = collection_path.relative_to(TESTS).as_posix()
    functions = re.findall(r"^def (test_\w+)", collection_path.read_text("utf-8"), re.MULTILINE)
    return all(measured().get(f"{file}::{name}", 0) >= least_s for name in functions) or None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what took long. The file that takes longest comes first, or it would be waited for alone.

    Files stay whole: between tests of others, what a module's tests share would be made again for each of them.
    """
    of_file: dict[Path, float] = defaultdict(float)
    for item in items:
        seconds = measured().get(function(item.nodeid), 0)
        of_file[item.path] += seconds
        for marker, least_s in LIMITS_S.items():
            if seconds >= least_s:
                item.add_marker(marker)
    items.sort(key=lambda item: -of_file[item.path])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
    """Measure a fixture."""
    begun, asked = time.perf_counter(), Shared.asked
    made = yield
    least_s = LIMITS_S["medium"] if Shared.asked > asked else 0
    setting_up[fixturedef] = max(setting_up[fixturedef], time.perf_counter() - begun, least_s)
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Function) -> Iterator[None]:
    """Note a test that asks for what is made once a run: it may be the one that makes it."""
    asked = Shared.asked
    yield
    if Shared.asked > asked:
        item.user_properties.append(("asked_s", LIMITS_S["medium"]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Function) -> None:
    """Say what the dearest fixture took, whoever set it up, to the process that has the reports of all."""
    used = [made for each in item._fixtureinfo.name2fixturedefs.values() for made in each]
    item.user_properties.append(("setting_up_s", max(map(setting_up.__getitem__, used), default=0.0)))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what a case set up and ran."""
    taken[report.nodeid] += report.duration if report.when != "teardown" else 0
    said = [float(str(seconds)) for name, seconds in report.user_properties if name.endswith("_s")]
    taken[report.nodeid] = max(taken[report.nodeid], *said, 0.0)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the table, in the process that has the reports of all."""
    if not session.config.option.measure or "PYTEST_XDIST_WORKER" in os.environ:
        return
    longest: dict[str, float] = defaultdict(float)
    for case, seconds in taken.items():
        longest[function(case)] = max(longest[function(case)], seconds)
    kept = sorted(name for name, seconds in longest.items() if seconds >= min(LIMITS_S.values()))
    TABLE.write_text("".join(f"{longest[name]:.2f} {name}\n" for name in kept), "utf-8")
