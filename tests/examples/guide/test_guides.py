"""Guides and tutorials: every command in them is run, and what they show is what it printed.

A block of `console` has commands behind `$ ` and what they print, on either channel; a block of `sh` has commands whose
output differs from run to run. `UPDATE_SNAPSHOTS=1` writes the pages anew.
"""

import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cache_samples
import database_place
import prometheus_server
from conftest import ROOT
from needs import NEEDS, needs

DOCS = ROOT / "docs"
BLOCK = re.compile(r"```(console|sh)\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"(?:^|[|;&(] *)([a-z][\w.-]*)", re.MULTILINE)


def play(name: str, folder: Path, said: dict[str, str]) -> None:
    """Run a page of `docs` in a folder; `said` maps what the page calls things to what they are here."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "120"}

    def run(command: str) -> str:
        needs("bash", *{*COMMAND.findall(command)} & {*NEEDS})
        for word, meaning in said.items():
            command = command.replace(word, meaning)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=folder,
            env=environment,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"
        printed = done.stdout
        for word, meaning in said.items():
            printed = printed.replace(meaning, word)
        return printed

    def block(found: re.Match[str]) -> str:
        kind, text = found.groups()
        text = text.replace("\\\n", "\\\x00")
        commands = [line.replace("\\\x00", "\\\n") for line in text.splitlines()]
        if kind == "sh":
            run("set -e\n" + "\n".join(commands))
            return found[0]
        commands = [line for line in commands if line.startswith("$ ")]
        return "```console\n" + "".join(f"{line}\n{run(line[2:])}" for line in commands) + "```"

    page = DOCS / name
    text = page.read_text()
    again = BLOCK.sub(block, text)
    if os.environ.get("UPDATE_SNAPSHOTS"):
        page.write_text(again)
    assert page.read_text() == again, "write it anew with UPDATE_SNAPSHOTS=1, and read what changed"


def test_a_running_cache(tmp_path: Path) -> None:
    for path in (ROOT / "examples/caches").iterdir():
        shutil.copy(path, tmp_path)
    play("guides/running-cache.md", tmp_path, {"examples/mariadb": f"{ROOT}/examples/mariadb"})


def test_would_a_flash_cache_do(tmp_path: Path) -> None:
    """The curve as it is shown; of a short load what is simulated: the figures of that table are not for this test."""
    recording = "examples/mariadb-oltp/mariadb-oltp.blktrace"
    said = {
        f"-w {recording}": "-w 'random(4KiB, read=0.7, span=0.01, iodepth=4)' --requests 20000",
        "examples/": f"{ROOT}/examples/",
    }
    play("guides/flash-cache.md", tmp_path, said)


def test_the_published_counters_are_those_of_the_golden_tests() -> None:
    assert (ROOT / "examples/caches/flashcache-158.txt").read_text() == cache_samples.flashcache()


@pytest.mark.needs("fio")
def test_from_perfmon_to_fio(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples/perfmon/db1.csv", tmp_path)
    play("guides/perfmon-to-fio.md", tmp_path, {})


def test_the_perfmon_log_is_what_its_script_makes() -> None:
    script = runpy.run_path(str(ROOT / "examples/perfmon/make.py"))
    assert (ROOT / "examples/perfmon/db1.csv").read_bytes() == script["render"]().encode()


def totals(seconds: range, iops: Callable[[int], float]) -> Iterator[str]:
    """node_exporter's totals of one disk in OpenMetrics: 7 of 10 requests are reads of 16 KiB, writes are of 8 KiB."""
    shape = {
        "reads_completed": 0.7,
        "writes_completed": 0.3,
        "read_bytes": 0.7 * 16384,
        "written_bytes": 0.3 * 8192,
        "read_time_seconds": 0.7 * 0.003,
        "write_time_seconds": 0.3 * 0.001,
        "io_time_seconds": 0.0008,
        "io_time_weighted_seconds": 0.7 * 0.003 + 0.3 * 0.001,
    }
    for name, each in shape.items():
        yield f"# TYPE node_disk_{name} counter"
        done = 0.0
        for second in seconds:
            labels = 'device="sda",instance="db1:9100",job="node"'
            yield f"node_disk_{name}_total{{{labels}}} {done * each:.6f} {second}"
            done += seconds.step * iops(second)
    yield "# EOF"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A Prometheus server that has scraped a database's disk for ten minutes, every 5 s; its address."""
    folder = tmp_path / "prometheus"
    folder.mkdir()
    noon = 1_795_262_400
    busy = range(noon + 240, noon + 360)
    lines = totals(range(noon, noon + 601, 5), lambda second: 200.0 if second in busy else 40.0)
    prometheus_server.fill(folder, lines)
    with prometheus_server.prometheus(folder) as address:
        yield address


def test_from_prometheus_to_a_plan(server: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    play("guides/prometheus-to-plan.md", folder, {"prometheus.example:9090": server})


@pytest.mark.needs("sysbench", "mariadbd")
def test_which_of_two_disks_for_mariadb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = "--size 16MiB --buffer 16MiB --threads 2 --ramp 0 --runtime 1 --repeats 1"
    with database_place.target() as (on, environment):
        monkeypatch.setenv("TMPDIR", environment["TMPDIR"])
        (on / "a").mkdir()
        (on / "b").mkdir()
        said = {"/mnt/": f"{on}/", "--quick": small, "--size 50GB": small}
        play("guides/compare-disks-for-mariadb.md", tmp_path, said)
        assert not [*(on / "a").iterdir(), *(on / "b").iterdir()]
    assert (tmp_path / "disks.html").stat().st_size > 10_000


@pytest.mark.needs("fio")
def test_from_a_disk_to_a_checked_prediction(tmp_path: Path) -> None:
    """Fewer and shorter runs than on the page; whether the prediction is off is not for this machine to decide."""
    disk = tmp_path / "disk"
    disk.mkdir()
    near = "|".join(f"{share / 100:g}" for share in range(60, 81))  # what a few requests came to
    said = {
        "/mnt/disk": str(disk),
        "examples/": f"{ROOT}/examples/",
        "1,2,4,8,16,32,64 --runtime 3 --ramp 0.5": "1,4 --runtime 0.2 --ramp 0",
        "--repeats 8 --size 4GiB": "--repeats 1 --size 64MiB",
        "read_fraction=0.7,iodepth=4|16|64": f"read_fraction={near},iodepth=4",
        "-o replay.json": "--pack --start 136 --length 2 -o replay.json",
        "-o comparison.html": "-o comparison.html --history none || test $? = 1",
    }
    play("guides/predict-and-verify.md", tmp_path, said)
    assert (tmp_path / "this-disk.toml").exists()
    assert (tmp_path / "comparison.html").stat().st_size > 10_000
    assert not [*disk.iterdir()]


@pytest.mark.needs("fio")
def test_what_a_disk_carries(tmp_path: Path) -> None:
    """Every command that measures, on files and with small settings; the answers are not the point here."""
    disks = tmp_path / "mnt"
    for name in ("candidate", "a", "b"):
        (disks / name).mkdir(parents=True)
    small = {
        "bench quick": "bench quick --within 30",
        "sweep depth": "sweep depth -w 'random(16KiB)' --values 1,8",
        "sweep matrix": "sweep matrix --sizes 4KiB,16KiB --mixes 70%",
        "--size 50GiB": "--size 16MiB --ramp 0 --runtime 0.2",
        "/mnt/": f"{disks}/",
    }
    play("guides/bench-a-disk.md", tmp_path, small)
    assert not [file for disk in disks.iterdir() for file in disk.iterdir()]
    pages = sorted(page.name for page in tmp_path.glob("*.html"))
    assert len(pages) == 4
    assert pages[0] == "depth.html"
    assert all((tmp_path / page).stat().st_size > 10_000 for page in pages)


def test_designs_side_by_side(tmp_path: Path) -> None:
    """Every command, on a shorter peak and at one load: that the figures are those of the page is not for this test."""
    small = {
        "--peak-window 5": "--peak-window 1",
        "--speedup 1,10": "--speedup 1",
        "--iodepth 1,32": "--iodepth 1",
    }
    play("guides/side-by-side.md", tmp_path, {"examples/": f"{ROOT}/examples/", **small})
    assert (tmp_path / "versus.html").stat().st_size > 10_000


@pytest.mark.needs("attached")
@pytest.mark.needs("fio")
def test_a_database_on_drives_that_are_not_there(tmp_path: Path) -> None:
    """Every command that needs no root, for a second each; whether this machine is on time is not for this test."""
    small = {f"--runtime={seconds}": "--runtime=1" for seconds in (10, 8, 5)}
    small |= {
        "--fail 1@2s --rebuild 200MB/s@4s --slow 2@6s:5": "--fail 1@0.2s --rebuild 1GB/s@0.4s --slow 2@0.6s:5"
    }
    play("guides/try-your-database.md", tmp_path, {**small, "--size 4GB": "--size 1100MB"})
    names = {path.name for path in tmp_path.iterdir()}
    assert {"ssd.json", "disks.json", "dying.json", "live.json", "asked.parquet", "simulated.json"} <= names
