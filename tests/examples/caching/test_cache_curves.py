"""`drivecast cache TRACE`: miss ratios by size and policy, the knee, memory before the cache, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, Run

BLOCK = 4096
HEADER = "time_ns,op,offset_bytes,size_bytes,stream,latency_ns\n"
LOOP = [f"{at * 1000},read,{at % 4 * BLOCK},{BLOCK},0," for at in range(40)]
"""Four blocks in turn, ten times: LRU with three of them misses all, with four only the first four."""


def written(path: Path, rows: list[str]) -> Path:
    path.write_text(HEADER + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    return written(tmp_path / "loop.csv", LOOP)


def curves(run: Run) -> dict[tuple[str, int], dict[str, Any]]:
    assert run.code == 0, run.err
    return {(point["policy"], point["size_bytes"]): point for point in run.json["curves"]}


def test_a_loop_that_is_one_block_too_long(drivecast: Callable[..., Run], loop: Path) -> None:
    sizes = ",".join(str(blocks * BLOCK) for blocks in (1, 3, 4))
    run = drivecast("cache", loop, "--sizes", sizes, "--policies", "lru,belady", "--output-format", "json")
    found = curves(run)
    assert {key: point["misses"] for key, point in found.items()} == {
        ("lru", BLOCK): 40,
        ("lru", 3 * BLOCK): 40,
        ("lru", 4 * BLOCK): 4,
        ("belady", BLOCK): 40,
        ("belady", 3 * BLOCK): 16,  # three stay for two of three rounds
        ("belady", 4 * BLOCK): 4,
    }
    assert found["lru", 4 * BLOCK]["miss_ratio"] == pytest.approx(0.1)
    assert found["lru", 4 * BLOCK]["fill_bytes"] == 4 * BLOCK
    knees = {knee["policy"]: knee for knee in run.json["knees"]}
    assert knees["lru"] == {"policy": "lru", "size_bytes": 4 * BLOCK, "miss_ratio": 0.1, "exact": True}
    assert not knees["belady"]["exact"]


def test_memory_before_the_cache_takes_its_reads(drivecast: Callable[..., Run], loop: Path) -> None:
    run = drivecast(
        *("cache", loop, "--ram", str(4 * BLOCK), "--pool", str(BLOCK), "--policies", "lru"),
        *("--output-format", "json"),
    )
    assert run.json["memory"]["read_hits"] == 36
    assert run.json["memory"]["known"] == "assumed"
    assert run.json["requests"] == 4


def test_writes_are_written_and_written_back(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    rows = [f"{at * 1000},write,{at * BLOCK},{BLOCK},0," for at in range(10)]
    path = written(tmp_path / "writes.csv", rows)
    run = drivecast("cache", path, "--sizes", str(4 * BLOCK), "--policies", "lru", "--output-format", "json")
    point = curves(run)["lru", 4 * BLOCK]
    assert point["write_bytes"] == 10 * BLOCK
    assert point["write_back_bytes"] == 6 * BLOCK
    assert point["dirty_bytes"] == 4 * BLOCK


def test_life_of_the_drive_is_rated_writes_over_what_is_written(
    drivecast: Callable[..., Run], tmp_path: Path
) -> None:
    rows = [f"{at * 864_000_000_000},write,{at * BLOCK},{BLOCK},0," for at in range(101)]
    path = written(tmp_path / "day.csv", rows)
    run = drivecast(
        *("cache", path, "--sizes", str(4 * BLOCK), "--policies", "lru", "--drive", "samsung-pm893-480gb"),
        *("--output-format", "json"),
    )
    point = curves(run)["lru", 4 * BLOCK]
    assert point["cache_written_bytes_per_day"] == pytest.approx(101 * BLOCK, rel=1e-6)
    rated = 876e12  # its data sheet
    assert point["drive_life_years"] == pytest.approx(rated / (101 * BLOCK) / 365.25, rel=1e-3)


def test_published_misses_come_out_to_the_digit(drivecast: Callable[..., Run], corpus: Path) -> None:
    trace = corpus / "traces/cloudphysics/cloudPhysicsIO.vscsi"
    sizes = [128, 256, 384, 512, 640, 768, 896, 1024]
    published = {
        "lru": (93_374, 89_783, 83_572, 81_722, 72_494, 72_104, 71_972, 71_704),
        "fifo": (93_403, 89_386, 84_387, 84_025, 72_498, 72_228, 72_182, 72_140),
        "arc": (90_252, 85_861, 78_168, 74_297, 67_381, 65_685, 64_439, 64_772),
        "belady": (79_256, 70_724, 65_481, 61_594, 59_645, 57_599, 50_873, 48_974),
    }
    run = drivecast(
        *("cache", trace, "--by", "object", "--policies", ",".join(published), "--output-format", "json"),
        *("--sizes", ",".join(f"{size}MiB" for size in sizes)),
    )
    found = curves(run)
    for policy, misses in published.items():
        assert tuple(found[policy, size << 20]["misses"] for size in sizes) == misses
    assert {point["requests"] for point in found.values()} == {113_872}


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (["--sizes", "1GiB,1MiB"], "sizes must rise", "1GiB,2GiB,4GiB"),
        (["--sizes", "0B"], "a cache of 0 bytes holds nothing", "1GiB,2GiB,4GiB"),
        (["--sizes", "100B"], "less than the least size of a block: 4096 bytes", "begin with 4096 bytes"),
        (["--sizes", "many"], "--sizes", ""),
        (["--policies", "arcc"], "there is no policy `arcc`", "did you mean `arc`?"),
        (["--pool", "1GiB"], "`--pool` bounds what `--ram` may do", "add `--ram 64GB`"),
        (["--drive", "seagate-exos-15e900-300gb"], "has no rated writes", "name a flash drive"),
        (["--drive", "samsung-pm89"], "samsung-pm89", "samsung-pm893"),
        (["--ram", "0B"], "0 bytes hold nothing", "leave it out"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    drivecast: Callable[..., Run], loop: Path, options: list[str], message: str, hint: str
) -> None:
    run = drivecast("cache", loop, *options)
    assert run.code == 2
    assert message in run.err
    assert hint in run.err


def test_a_counter_log_has_no_requests(drivecast: Callable[..., Run]) -> None:
    run = drivecast("cache", ROOT / "examples/day-of-mysql/iostat12.txt.xz")
    assert run.code == 2
    assert "counter" in run.err
