"""Real servers: a small run of each load, and nothing left however a run ends."""

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import database_place
import waiting
from conftest import PROGRAM
from needs import needs

SMALL = ["--threads", "4", "--ramp", "0", "--runtime", "2", "--log-size", "96MiB", "--output-format", "json"]
Place = tuple[Path, dict[str, str]]


@pytest.fixture
def place() -> Iterator[Place]:
    with database_place.target() as found:
        yield found


@pytest.fixture(scope="session", autouse=True)
def programs() -> None:
    needs("sysbench", "mariadbd", "pgbench", "postgres")


def run(place: Place, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    on, environment = place
    command = [str(PROGRAM), "bench", "database", *arguments, "--on", str(on)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=170, check=False)
    assert "fault of drivecast" not in done.stderr, done.stderr
    assert done.returncode == code, done.stderr
    database_place.must_be_gone(on)
    return done


def check(result: dict[str, Any], points: int) -> None:
    assert result["complete"]
    assert len(result["points"]) == points
    for point in result["points"]:
        assert "attached" not in point, "a directory is no design"
        transactions = point["transactions"]
        latency = transactions["latency_ns"]
        assert transactions["per_s"] > 0
        # The last may end before its line is printed.
        assert 1 <= len(transactions["seconds"]) <= 3
        # Little's law: four threads, which are mostly in a transaction.
        assert 1 < transactions["per_s"] * latency["mean"] / 1e9 < 4.5
        assert latency["q0.5"] <= latency["q0.95"] <= latency["max"] * 1.02
        assert point["processor"]["user"] > 0
        if point["devices"] is not None:
            assert sum(device["writes_per_s"] for device in point["devices"].values()) > 0
    assert len(result["findings"]["throughput"]) == points


def test_sysbench_on_mariadb_over_two_buffer_pools(place: Place, tmp_path: Path) -> None:
    log_on = place[0].parent / "log"
    log_on.mkdir(mode=0o755)
    out = tmp_path / "r.json"
    sweep = ["--size", "40MiB", "--buffer", "16MiB,64MiB", "--repeats", "1", "--log-on", str(log_on)]
    check(json.loads(run(place, "sysbench", *sweep, *SMALL, "-o", str(out)).stdout), 2)
    assert list(log_on.iterdir()) == []
    result = json.loads(out.read_text())
    assert [point["settings"]["buffer_bytes"] >> 20 for point in result["points"]] == [16, 64]
    assert str(log_on) in result["targets"][0]["name"]
    assert 30e6 < result["targets"][0]["data_bytes"] < 120e6
    assert result["targets"][0]["account"] != "root"
    assert "MariaDB" in result["environment"]["programs"]["mariadb"]
    again = run(place, "sysbench", *sweep, *SMALL, "-o", str(out), code=2)
    assert "complete" in again.stderr
    goes_on(place, result, out, ["sysbench", *sweep, *SMALL])


def goes_on(place: Place, whole: dict[str, Any], out: Path, command: list[str]) -> None:
    """The same command, where the file was left after the first point."""
    cut = {**whole, "points": whole["points"][:1], "complete": False, "partial": "1 of 2", "findings": {}}
    out.write_text(json.dumps(cut))
    other = run(place, *command, "--seed", "5", "-o", str(out), code=2)
    assert "another plan" in other.stderr
    run(place, *command, "-o", str(out))
    result = json.loads(out.read_text())
    assert (result["complete"], result["partial"]) == (True, None)
    assert result["points"][0] == whole["points"][0]
    assert result["points"][1]["settings"] == whole["points"][1]["settings"]
    assert result["points"][1]["started"] > whole["points"][1]["started"]


def test_tpcc_on_mariadb(place: Place) -> None:
    size = ["--warehouses", "2", "--warehouse-scale", "0.05", "--buffer", "16MiB", "--repeats", "1"]
    result = json.loads(run(place, "tpcc", *size, *SMALL, "--flush-at-commit", "2").stdout)
    check(result, 1)
    kinds = result["points"][0]["transactions"]["kinds"]
    assert set(kinds) == {"new-order", "payment", "order-status", "delivery", "stock-level"}
    assert kinds["new-order"] + kinds["payment"] > 0.7 * sum(kinds.values())


def test_pgbench_on_postgresql(place: Place) -> None:
    log_on = place[0].parent / "log"
    log_on.mkdir(mode=0o755)
    sweep = ["--size", "32MB", "--buffer", "16MiB", "--repeats", "1", "--log-on", str(log_on)]
    check(json.loads(run(place, "pgbench", *sweep, *SMALL, "--kind", "simple-update").stdout), 1)
    assert list(log_on.iterdir()) == []


LONG = [
    "--threads",
    "2",
    "--ramp",
    "0",
    "--runtime",
    "1",
    "--repeats",
    "30",
    "--size",
    "32MiB",
    "--buffer",
    "16MiB",
]


def _interruptible() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def begun(place: Place, load: str, out: Path) -> "subprocess.Popen[str]":
    """A run of half a minute that has measured its first point."""
    on, environment = place
    command = [str(PROGRAM), "bench", "database", load, "--on", str(on), *LONG, "-o", str(out)]
    # pytest in the background may ignore interrupts; the program must not inherit that.
    running = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env=environment,
        preexec_fn=_interruptible,  # noqa: PLW1509
    )
    waiting.until(
        lambda: running.poll() is not None or (out.exists() and json.loads(out.read_text())["points"]),
        "the first point is stored",
    )
    assert running.poll() is None, running.stderr.read() if running.stderr else ""
    assert database_place.left(on)
    return running


@pytest.mark.parametrize(
    ("load", "how"),
    [
        ("sysbench", signal.SIGINT),
        ("pgbench", signal.SIGKILL),
    ],
)
def test_nothing_is_left(place: Place, tmp_path: Path, load: str, how: signal.Signals) -> None:
    out = tmp_path / "r.json"
    running = begun(place, load, out)
    running.send_signal(how)
    _out, said = running.communicate(timeout=60)
    database_place.must_be_gone(place[0])
    result = json.loads(out.read_text())
    assert not result["complete"]
    if how == signal.SIGINT:
        assert len(result["findings"]["throughput"]) == 1
        assert running.returncode == 2
        assert "interrupted" in said
        assert result["partial"].startswith("interrupted after ")


def test_a_server_that_dies_is_told_with_its_last_words(place: Place, tmp_path: Path) -> None:
    out = tmp_path / "r.json"
    running = begun(place, "pgbench", out)
    # Between two points the server is stopped anyway: ask until it is amid one.
    until = time.monotonic() + 60
    while running.poll() is None and time.monotonic() < until:
        time.sleep(0.7)
        for path in place[0].glob("drivecast-*/data/postmaster.pid"):
            with contextlib.suppress(OSError, ValueError, IndexError):
                os.kill(int(path.read_text().split()[0]), signal.SIGINT)
    _out, said = running.communicate(timeout=20)
    assert running.returncode == 2
    assert "PostgreSQL" in said
    assert "shut" in said
    database_place.must_be_gone(place[0])
    assert "PostgreSQL" in json.loads(out.read_text())["partial"]


def test_a_server_that_does_not_start_shows_its_log(place: Place, tmp_path: Path) -> None:
    few = ["--size", "32MiB", "--buffer", "16MiB", "--repeats", "1"]
    out = tmp_path / "r.json"
    done = run(place, "sysbench", *few, "--set", "innodb_page_size=5k", "-o", str(out), code=2)
    assert "innodb_page_size" in done.stderr or "page size" in done.stderr
    assert "MariaDB" in json.loads(out.read_text())["partial"]
    done = run(place, "pgbench", *few, "--set", "no_such_setting=1", code=2)
    assert "no_such_setting" in done.stderr


@pytest.mark.needs("root")
def test_root_is_never_who_runs_the_server(place: Place) -> None:
    place[0].chmod(0o700)
    few = ["--size", "32MiB", "--buffer", "16MiB", "--repeats", "1"]
    done = run(place, "sysbench", *few, code=2)
    assert "`mysql`" in done.stderr
