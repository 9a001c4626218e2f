"""What all tests share: the program, the bundled recording, the folder of public traces."""

import functools
import gc
import hashlib
import itertools
import json
import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer.testing
import vl_convert
from hypothesis import settings

import leftovers
import made_once
import text_boxes
from drivecast.cli.main import app, spare_cores
from needs import needs

pytest_plugins = ["durations", "passed"]

spare_cores()
os.environ["SOURCE_DATE_EPOCH"] = "1795305600"  # 2026-11-22: the first page says how old prices are
ROOT = Path(__file__).parents[1]
PROGRAM = Path(sys.executable).parent / "drivecast"

settings.register_profile("drivecast", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("drivecast")


def pytest_configure(config: pytest.Config) -> None:
    """Heed interrupts: a shell starts what is in the background deaf to them, and so would be all that tests start."""
    config.pluginmanager.register(leftovers)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage among modules and tests: they stay, and to look takes a tenth of the time or more."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Ask for what the markers name before any fixture is made."""
    for mark in item.iter_markers("needs"):
        needs(*mark.args)


@pytest.fixture(scope="session", autouse=True)
def shared_by_workers(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one worker makes, the others read."""
    made_once.begin(tmp_path_factory)


@pytest.fixture(scope="session", autouse=True)
def options_made_once() -> Iterator[None]:
    """The options of all verbs are made once a process, not at each call: a process of its own makes those of one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.testing, "_get_command", functools.cache(typer.main.get_command))
        yield


@pytest.fixture(scope="session", autouse=True)
def charts_drawn_once() -> Iterator[None]:
    """Equal charts are drawn once a test run, not by each test that writes a page: it is most of a page's cost."""
    draw = vl_convert.vegalite_to_svg

    def drawn(chart: dict[str, Any], **options: str) -> str:
        key = hashlib.blake2b(json.dumps([chart, options]).encode(), digest_size=16).hexdigest()
        return made_once.text(f"chart-{key}.svg", lambda: draw(chart, **options))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vl_convert, "vegalite_to_svg", drawn)
        yield


@dataclass(frozen=True)
class Run:
    """A finished run of the program."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


QUIET = {"NO_COLOR": "1", "COLUMNS": "120", "DRIVECAST_ERRORS": "none"}
"""The environment of a run: no colours, a known width, no history of errors."""


def invoke(*arguments: str | Path, cwd: Path | None = None) -> Run:
    """The program in this process, which spares its start; an exception that reaches a user fails the test."""
    with chdir(cwd or Path.cwd()):
        done = typer.testing.CliRunner(env=QUIET).invoke(
            app, [str(argument) for argument in arguments], prog_name="drivecast"
        )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert "this is a fault of drivecast" not in done.stderr, done.stderr
    return Run(done.exit_code, done.stdout, done.stderr)


def execute(*arguments: str | Path, cwd: Path | None = None) -> Run:
    """The program in a process of its own, as a shell starts it: for exit codes, signals and what a start costs."""
    command = [str(PROGRAM), *(str(argument) for argument in arguments)]
    environment = {**os.environ, **QUIET}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=cwd, timeout=300, check=False
    )
    assert "this is a fault of drivecast" not in done.stderr, done.stderr
    return Run(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def drivecast() -> Callable[..., Run]:
    """The program: `drivecast("plan", path)`; it keeps nothing of its own accord."""
    return invoke


@pytest.fixture(scope="session")
def example() -> Path:
    """The folder of the bundled recording."""
    return ROOT / "examples/mariadb-oltp"


@pytest.fixture(scope="session")
def recording(example: Path) -> Path:
    """The bundled recording, by the prefix of its set."""
    return example / "mariadb-oltp.blktrace"


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of public traces."""
    return Path(needs("corpus"))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program."""
    return needs("chromium")


@pytest.fixture(params=sorted(text_boxes.FONTS))
def faults(
    request: pytest.FixtureRequest, chromium: str, tmp_path: Path
) -> Callable[[Mapping[str, str]], list[text_boxes.Fault]]:
    """The texts of pages by name that are cut or overlap, on a system with one font: a wide one, then a narrow one."""
    needs(f"{request.param} font")
    environment = text_boxes.system_font(request.param, tmp_path)
    return lambda pages: text_boxes.faults(chromium, pages, environment, tmp_path)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """A server of PostgreSQL with a socket in a folder of its own and no network; its URL without a database."""
    bins = Path(needs("initdb")).parent
    with leftovers.in_tmp("pg") as folder:
        other = {"user": "nobody"} if os.geteuid() == 0 else {}  # it refuses to run as root
        if other:
            os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
        data = f"{folder}/data"

        def run(*command: str) -> None:
            subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=60, **other)

        run(f"{bins}/initdb", "-D", data, "-A", "trust", "-U", "drivecast", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c max_connections=20"
        run(f"{bins}/pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql://drivecast@/{{}}?host={folder}"
        finally:
            run(f"{bins}/pg_ctl", "-D", data, "-m", "immediate", "stop")


@pytest.fixture(params=["sqlite", "postgresql"])
def history_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place for a history, of each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "health.sqlite3")
    import psycopg.sql  # noqa: PLC0415 (a fifth of a second, and rarely needed)

    server: str = request.getfixturevalue("postgresql")
    name = f"t{next(_numbers)}"
    with psycopg.connect(server.format("postgres"), autocommit=True) as connection:
        connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
    return server.format(name)


_numbers = itertools.count()
