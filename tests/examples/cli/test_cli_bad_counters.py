"""Counter logs: damage is reported with place and extent, `--strict` refuses it, bombs fill no memory."""

import lzma
import re
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import PROGRAM, ROOT, Run
from drivecast.stage import trace
from needs import lacks
from small_traces import READ, blktrace, mixed, record

LOG = ROOT / "examples/perfmon/db1.csv"
MEMORY_BYTES = 4 << 30


def lines() -> list[str]:
    """The example log."""
    return LOG.read_text().splitlines(keepends=True)


def test_a_line_of_a_megabyte(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    """The log is read, and told to be damaged; with `--strict` it is refused, and nothing is written."""
    log, out = tmp_path / "log.csv", tmp_path / "out.parquet"
    log.write_text("".join([*lines()[:50], '"' + "x" * (1 << 20) + "\n", *lines()[50:]]))
    note = "log.csv: 1 of 123 lines could not be read and were skipped, the first is line 51"
    run = drivecast("convert", log, "-o", out)
    assert run.code == 0, run.err
    assert note in run.err
    out.unlink()
    strict = drivecast("convert", log, "--strict", "-o", out)
    assert strict.code == 2
    assert note in strict.err
    assert not out.exists()


def test_a_heading_that_comes_again_is_no_damage(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("".join([*lines()[:50], lines()[0], *lines()[50:]]))
    run = drivecast("convert", tmp_path / "log.csv", "--strict", "-o", tmp_path / "out.parquet")
    assert run.code == 0, run.err


def test_a_log_of_a_language_that_is_not_known(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    text = LOG.read_text().replace("PhysicalDisk", "物理ディスク").replace("Disk Reads/sec", "読み取り/秒")
    (tmp_path / "log.csv").write_bytes(text.encode("utf-16"))
    run = drivecast("profile", tmp_path / "log.csv")
    assert run.code == 2
    assert r"`物理ディスク(0 C:)\読み取り/秒`" in run.err


def test_binary_where_a_format_was_named(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_bytes(blktrace(mixed()))
    run = drivecast("profile", tmp_path / "log.csv", "--format", "perfmon")
    assert run.code == 2
    assert "`PhysicalDisk`" in run.err


def bounded() -> None:
    """Leave a child little memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


BOMBS = {
    "perfmon": ("".join(lines()[:2]), '"11/21/2026 14:00:05.000"' + ',"1"' * 21 + "\n"),
    "prometheus": (
        '{"status": "success", "data": {"resultType": "matrix", "result": [{"metric":'
        ' {"__name__": "node_disk_reads_completed_total", "device": "a"}, "values": [',
        '[1,"1"],\n',
    ),
}


@pytest.mark.parametrize("name", [*BOMBS])
def test_a_bomb_is_refused_before_it_fills_memory(tmp_path: Path, name: str) -> None:
    head, line = BOMBS[name]
    log = tmp_path / "log"
    log.write_bytes(lzma.compress((head + line * ((40 << 20) // len(line))).encode(), preset=0))
    command = [PROGRAM, "convert", log, "-o", tmp_path / "out.parquet"]
    done = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=bounded, timeout=120, check=False
    )
    assert done.returncode == 2, done.stderr[-400:]
    assert "-fold" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_thousands_of_cpus(tmp_path: Path) -> None:
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 4_000:
        lacks("open files")
    folder = tmp_path / "set"
    folder.mkdir()
    for cpu in range(3_000):
        content = record(1, 1_000_000 + 100 * cpu, 8 * cpu, 4096, READ | 7)
        (folder / f"sda.blktrace.{cpu}").write_bytes(content)
    command = [PROGRAM, "convert", folder, "-o", tmp_path / "out.parquet", "--output-format", "json"]
    done = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=few_files, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert '"rows": 3000' in done.stdout


def few_files() -> None:
    """What a login shell usually allows."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


@pytest.mark.parametrize("number", ["9" * 25, "1e308"])
@pytest.mark.parametrize("log", [form for form in trace.formats() if form["kind"] == "counters"])
def test_numbers_that_no_disk_counts(
    drivecast: Callable[..., Run], tmp_path: Path, log: dict[str, Any], number: str
) -> None:
    """Rates whose sums no document holds ended as a fault; now the log is refused, or read with what it says."""
    place = tmp_path / "log.txt"
    head, *rest = log["sample"].split("\n")
    place.write_text(
        "\n".join([head, *(re.sub(r"(?<![\w.:/-])\d+\.\d+(?![\w:/-])", number, line) for line in rest)])
    )
    for verb in (("profile", place), ("convert", place, "-o", tmp_path / "log.parquet")):
        run = drivecast(*verb, "-q")
        assert run.code in {0, 2}
    assert (tmp_path / "log.parquet").exists() == (run.code == 0)
