"""Real servers on attached designs: what a point says of the disk, ratios, and that nothing outlives a run."""

import contextlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import database_place
import waiting
from conftest import PROGRAM
from drivecast.attach import kernel
from drivecast.bench.database.configure import Request, planned
from drivecast.bench.database.session import carried_out
from drivecast.present import result_page
from needs import needs

SSD = "design:intel-x25-e-32gb"
DISK = "design:seagate-cheetah-15k5-73gb"
SMALL = ["--size", "40MiB", "--buffer", "16MiB", "--threads", "4", "--ramp", "1", "--log-size", "96MiB"]
Place = tuple[Path, dict[str, str]]

pytestmark = pytest.mark.needs("root", "fuse", "loop")


@pytest.fixture
def place() -> Iterator[Place]:
    with database_place.target() as found:
        yield found


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    needs("sysbench", "mariadbd", "mkfs.ext4")


def nothing_is_left(place: Place) -> None:
    on, _environment = place
    database_place.must_be_gone(on)
    assert not [where for where, _kind, _source in kernel.mounts() if str(on.parent) in where]


def group_of_server(on: Path) -> str:
    """The control groups of the server that runs below this test's directory."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                program, *options = (entry / "cmdline").read_text().split("\0")
                if program.endswith("mariadbd") and any(
                    f"--datadir={on.parent}" in option for option in options
                ):
                    return (entry / "cgroup").read_text()
    return ""


def test_mariadb_on_two_designs(place: Place, tmp_path: Path) -> None:
    _on, environment = place
    out, page = tmp_path / "r.json", tmp_path / "r.html"
    targets = ["--on", DISK, "--on", SSD]
    command = [
        str(PROGRAM),
        "bench",
        "database",
        "sysbench",
        *targets,
        *SMALL,
        "--runtime",
        "2",
        "--repeats",
        "2",
    ]
    done = subprocess.run(
        [*command, "-o", str(out), "--report", str(page)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    nothing_is_left(place)
    result = json.loads(out.read_text())
    assert [row["name"] for row in result["targets"]] == [DISK, SSD]
    (disk,), (ssd,) = (row["attached"] for row in result["targets"])
    assert ("state" in disk, ssd["state"], ssd["holds"]) == (False, "steady", "data and log")
    assert result["targets"][0]["account"] != "root"
    for point in result["points"]:
        (carried,) = point["attached"]
        assert 1.5 < carried["elapsed_s"] < 5, "the measured time alone"
        assert carried["writes_per_s"] > 0
        assert carried["flushes_per_s"] > 0
        assert carried["write_p99_ns"] >= carried["write_p50_ns"] > 0
        assert 0 <= carried["late_share"] < 1
        assert carried["lateness"]["requests"] > 100
    found = result["findings"]
    _disk_row, ssd_row = found["throughput"]
    assert isinstance(ssd_row["on_time"], bool)
    ratio = found["throughput_ratios"][0]
    assert (ratio["target"], ratio["over"]) == (SSD, DISK)
    assert 0 < ratio["ratio_low"] <= ratio["ratio"] <= ratio["ratio_high"]
    reads = {row["target"]: row["attached"][0]["read_p50_ns"] for row in result["points"][:2]}
    assert reads[DISK] > reads[SSD] or not ssd_row["on_time"], "a disk is slower than flash that is on time"
    assert "Attached designs" in page.read_text()


@pytest.mark.needs("pgbench", "postgres")
def test_postgresql_with_its_log_on_a_design_of_its_own(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", place[1]["TMPDIR"])
    small = {"size": "32MB", "buffer": "16MiB", "threads": "4", "ramp": 1, "runtime": 2, "repeats": 1}
    result = carried_out(planned(Request("pgbench", [SSD], [DISK], log_size="96MiB", **small)))  # type: ignore[arg-type]
    nothing_is_left(place)
    assert result.complete
    data, log = result.points[0].attached or []
    assert (data.holds, log.holds) == ("data", "log")
    assert (log.flushes_per_s > 10, log.writes_per_s > 10) == (True, True), (
        "commits are forced to the log's disk"
    )
    assert result.targets[0].name.startswith(SSD)
    assert result.targets[0].name.endswith(DISK)
    assert "<html" in result_page.render(result)


def test_nothing_outlives_a_run_on_a_design(place: Place, tmp_path: Path) -> None:
    on, environment = place
    out = tmp_path / "r.json"
    command = [str(PROGRAM), "bench", "database", "sysbench", "--on", SSD, *SMALL]
    running = subprocess.Popen(
        [*command, "--runtime", "1", "--repeats", "30", "-o", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    waiting.until(
        lambda: running.poll() is not None or (out.exists() and json.loads(out.read_text())["points"]),
        "the first point is stored",
    )
    assert running.poll() is None
    assert [where for where, _kind, _source in kernel.mounts() if str(on.parent) in where]
    if kernel.group_directory() is not None:
        assert "/drivecast-disk-" in group_of_server(on), (
            "its reads do not wait for flushes of the loop device"
        )
    running.kill()
    running.wait(60)
    nothing_is_left(place)
    result = json.loads(out.read_text())
    assert not result["complete"]
    assert result["points"][0]["attached"][0]["design"] == SSD.removeprefix("design:")
