"""`drivecast bench pts` with the real fio on small files, and what it refuses."""

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import waiting
from conftest import PROGRAM
from needs import needs

Runs = Callable[..., Any]
SMALL = ("--quick", "--size", "64MiB", "--step", "0.2")


@pytest.fixture(scope="session", autouse=True)
def fio() -> None:
    needs("fio")


class Latency:
    """A quick latency test that was stopped after its first round, and then went on to its end."""

    def __init__(self, drivecast: Runs, folder: Path) -> None:
        self.kept = folder / "latency.json"
        self.page = folder / "latency.html"
        self.arguments = ["bench", "pts", "--on", str(folder), "--test", "latency", *SMALL, "--rounds", "5"]
        self.arguments += ["-o", str(self.kept), "--report", str(self.page)]
        self.code, self.said = self._stopped()
        self.cut = json.loads(self.kept.read_text())
        self.cut_page = self.page.read_text()
        self.run = drivecast(*self.arguments)
        self.result = json.loads(self.kept.read_text())

    def _stopped(self) -> tuple[int, str]:
        with subprocess.Popen(
            [str(PROGRAM), *self.arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            waiting.until(
                lambda: self.kept.exists() and len(json.loads(self.kept.read_text())["points"]) >= 4,
                "four points are stored",
            )
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
        return process.returncode, said


@pytest.fixture(scope="module")
def latency(drivecast: Runs, tmp_path_factory: pytest.TempPathFactory) -> Latency:
    return Latency(drivecast, tmp_path_factory.mktemp("pts"))


def test_rounds_verdict_and_table(latency: Latency) -> None:
    run, points = latency.run, latency.result["points"]
    (part,) = latency.result["findings"]["parts"]
    assert run.code == (0 if part["reached"] else 1)
    assert run.out.startswith("quick latency test of a file in ")
    assert "not SNIA SSS PTS 2.0.2" in run.out.splitlines()[0]
    assert latency.result["complete"]
    last = [point for point in points if point["settings"]["stretch"] == 2]
    assert [point["settings"]["stage"] for point in last] == ["precondition", *["round"] * 15]
    assert last[0]["outcome"]["host_written_bytes"] == pytest.approx(2 * (64 << 20), rel=0.01)
    assert {cell["name"] for cell in part["matrix"]} == {"100/0 4 KiB", "65/35 4 KiB", "0/100 4 KiB"}
    for cell in part["matrix"]:
        assert cell["latency_ns_max"] >= cell["latency_ns_mean"]
    for point in last[1:]:
        # One outstanding: the requests of a second, one after the other, take no more than a second.
        streams = [point["outcome"][op] for op in ("read", "write") if point["outcome"][op]["requests"]]
        busy_s = sum(stream["requests"] * stream["latency_ns"]["mean"] for stream in streams) / 1e9
        assert busy_s <= point["outcome"]["duration_s"] * 1.02
    assert "64 MiB" in run.err
    assert 'id="figure-convergence"' in latency.page.read_text()


def test_a_run_that_is_stopped_says_so_and_goes_on(latency: Latency) -> None:
    assert latency.code == 2
    assert "interrupted" in latency.said
    assert (latency.cut["complete"], latency.cut["partial"]) == (False, "interrupted")
    assert "Partial result" in latency.cut_page
    assert str(len(latency.cut["points"])) in latency.run.err
    assert latency.result["points"][: len(latency.cut["points"])][0] == latency.cut["points"][0]
    assert latency.result["findings"]["parts"][0]["stretch"] == 2
    assert "interrupted once" in " ".join(latency.run.out.split())


def test_nothing_is_left_in_the_directory(latency: Latency) -> None:
    assert {path.name for path in latency.kept.parent.iterdir()} == {"latency.json", "latency.html"}


def test_a_complete_result_is_not_overwritten(latency: Latency, drivecast: Runs) -> None:
    before = latency.kept.read_text()
    again = drivecast(*latency.arguments)
    assert (again.code, "already, complete" in again.err) == (2, True)
    assert latency.kept.read_text() == before


def test_write_saturation_as_rows(drivecast: Runs, tmp_path: Path) -> None:
    run = drivecast(
        "bench",
        "pts",
        "--on",
        tmp_path,
        "--test",
        "saturation",
        *SMALL,
        "--rounds",
        "5",
        "--output-format",
        "csv",
    )
    assert run.code == 0
    head, *rows = run.out.splitlines()
    assert head.split(",")[:4] == ["target", "rules", "part", "steady_state"]
    assert 1 <= len(rows) <= 5
    assert all("SNIA" in row for row in rows)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--test", "iop"], "'iop' is not one of 'iops', 'throughput', 'latency', 'saturation'"),
        (["--engine", "aio"], "'aio' is not one of 'io_uring', 'libaio', 'psync'"),
        (["--size", "1MiB"], "the active range is 1 MiB, expected at least 32 MiB"),
        (["--size", "1XB"], "--size"),
        (["--size", "900TB"], "too little space"),
        (["--test", "latency", "--iodepth", "8"], "the latency test has one request outstanding"),
    ],
)
def test_wrong_use(arguments: list[str], words: str, drivecast: Runs, tmp_path: Path) -> None:
    run = drivecast("bench", "pts", "--on", tmp_path, *arguments)
    assert run.code == 2
    assert words in run.err
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_given_up_by_name(drivecast: Runs, tmp_path: Path) -> None:
    path = tmp_path / "data"
    path.write_bytes(b"a" * (32 << 20))
    run = drivecast("bench", "pts", "--on", path)
    assert (run.code, f"--destroy {path}" in run.err) == (2, True)
    assert path.read_bytes() == b"a" * (32 << 20)
    sized = drivecast("bench", "pts", "--on", path, "--size", "64MiB")
    assert (sized.code, "--active-range" in sized.err) == (2, True)
    gone = drivecast("bench", "pts", "--on", tmp_path / "gone")
    assert (gone.code, "cannot use" in gone.err) == (2, True)
