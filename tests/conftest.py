"""What all tests share: the program, the bundled recording, the folder of public traces."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
PROGRAM = Path(sys.executable).parent / "drivecast"

settings.register_profile("drivecast", deadline=None, derandomize=True)
settings.load_profile("drivecast")


class Run:
    """A finished run of the program."""

    def __init__(self, done: "subprocess.CompletedProcess[str]") -> None:
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@pytest.fixture(scope="session")
def drivecast() -> Callable[..., Run]:
    """The program as a person runs it: `drivecast("plan", path)`."""

    def run(*arguments: str | Path, cwd: Path | None = None) -> Run:
        command = [str(PROGRAM), *(str(one) for one in arguments)]
        environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120"}
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=cwd, timeout=300, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        return Run(done)

    return run


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
    """The folder of public traces; tests that want it are skipped where it is not set."""
    place = os.environ.get("DRIVECAST_CORPUS")
    if not place:
        pytest.skip("set DRIVECAST_CORPUS to the folder of public traces")
    return Path(place)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program; a missing one fails the test where DRIVECAST_REQUIRE_PROGRAMS is set."""
    found = which("chromium") or which("chromium-browser") or which("google-chrome")
    if found is None:
        reason = "no chromium; Debian: apt-get install chromium"
        if os.environ.get("DRIVECAST_REQUIRE_PROGRAMS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def program(name: str, package: str) -> str:
    """A program by name; a missing one skips the test, or fails it where DRIVECAST_REQUIRE_PROGRAMS is set."""
    found = which(name)
    if found is None:
        reason = f"no {name}; Debian: apt-get install {package}"
        if os.environ.get("DRIVECAST_REQUIRE_PROGRAMS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found
