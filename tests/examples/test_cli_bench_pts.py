"""`drivecast bench pts` with the real fio on small files, and what it refuses."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import PROGRAM, program

Runs = Callable[..., Any]
SMALL = ("--quick", "--size", "64MiB", "--step", "0.2")


@pytest.fixture(scope="session", autouse=True)
def fio() -> None:
    program("fio", "fio")


@pytest.fixture(scope="module")
def latency(drivecast: Runs, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A quick latency test, its run and its result."""
    folder = tmp_path_factory.mktemp("pts")
    kept = folder / "latency.json"
    run = drivecast("bench", "pts", "--on", folder, "--test", "latency", *SMALL, "--rounds", "5", "-o", kept)
    return run, kept


def test_rounds_verdict_and_table(latency: tuple[Any, Path]) -> None:
    run, kept = latency
    result = json.loads(kept.read_text())
    (part,) = result["findings"]["parts"]
    assert run.code == (0 if part["reached"] else 1)
    assert run.out.startswith("quick latency test of a file in ")
    assert "not SNIA SSS PTS 2.0.2" in run.out.splitlines()[0]
    assert result["complete"]
    assert [one["settings"]["stage"] for one in result["points"]] == ["precondition", *["round"] * 15]
    preconditioned = result["points"][0]["outcome"]
    assert preconditioned["host_written_bytes"] == pytest.approx(2 * (64 << 20), rel=0.01)
    assert {one["name"] for one in part["matrix"]} == {"100/0 4 KiB", "65/35 4 KiB", "0/100 4 KiB"}
    for cell in part["matrix"]:
        assert cell["latency_ns_max"] >= cell["latency_ns_mean"]
    for one in result["points"][1:]:
        # One outstanding: the requests of a second, one after the other, take no more than a second.
        streams = [one["outcome"][op] for op in ("read", "write") if one["outcome"][op]["requests"]]
        busy_s = sum(stream["requests"] * stream["latency_ns"]["mean"] for stream in streams) / 1e9
        assert busy_s <= one["outcome"]["duration_s"] * 1.02
    assert "note: latency test, not SNIA PTS: 64 MiB, 3 cells of 0.2 s" in run.err


def test_nothing_is_left_in_the_directory(latency: tuple[Any, Path]) -> None:
    _, kept = latency
    assert [one.name for one in kept.parent.iterdir()] == [kept.name]


def test_a_complete_result_is_not_overwritten(latency: tuple[Any, Path], drivecast: Runs) -> None:
    _, kept = latency
    before = kept.read_text()
    again = drivecast(
        "bench", "pts", "--on", kept.parent, "--test", "latency", *SMALL, "--rounds", "5", "-o", kept
    )
    assert (again.code, "already, complete" in again.err) == (2, True)
    assert kept.read_text() == before


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
    assert all('"quick, not SNIA SSS PTS 2.0.2"' in row for row in rows)


def test_a_run_that_is_stopped_says_so_and_goes_on(tmp_path: Path, drivecast: Runs) -> None:
    kept = tmp_path / "r.json"
    arguments = ["bench", "pts", "--on", str(tmp_path), "--test", "throughput", "--quick", "--size", "32MiB"]
    arguments += ["--step", "0.2", "--rounds", "5", "-o", str(kept)]
    with subprocess.Popen(
        [str(PROGRAM), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        for _ in range(600):
            if kept.exists() and len(json.loads(kept.read_text())["points"]) >= 3:
                break
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
            break
        process.send_signal(2)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert b"interrupted" in said
    cut = json.loads(kept.read_text())
    assert (cut["complete"], cut["partial"]) == (False, "interrupted")
    went_on = drivecast(*arguments)
    assert "going on behind" in went_on.err
    result = json.loads(kept.read_text())
    assert result["complete"]
    assert len(result["points"]) > len(cut["points"])
    assert result["findings"]["parts"][0]["stretch"] == 2
    assert "interrupted once" in " ".join(went_on.out.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--test", "iop"], "--test: expected `iops`, `throughput`, `latency`, `saturation`, found `iop`"),
        (["--engine", "aio"], "--engine: expected `io_uring`, `libaio`, `psync`, found `aio`"),
        (["--size", "1MiB"], "the part to work on is 1 MiB, and at least 32 MiB are needed"),
        (["--size", "1XB"], "--size"),
        (["--size", "900TB"], "has no room"),
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
