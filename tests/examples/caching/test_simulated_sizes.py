"""`drivecast cache TRACE --backing`: latency by size, simulated; what is played, and what is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bundled import CATALOG
from conftest import Run
from drivecast import _core
from drivecast.caching import simulated_sizes
from drivecast.caching.simulated_sizes import PLAYED_MAX, SIZES_MAX, Devices, Load
from drivecast.document.cache import CacheCurves
from drivecast.present import cache_page, style
from drivecast.stage.simulate import Options
from small_traces import mixed, write

FAST, SLOW = "samsung-pm9a3-960gb", "raid1(2 * seagate-exos-15e900-300gb)"
ON = ("--drive", FAST, "--backing", SLOW)
JSON = ("--output-format", "json")
Program = Callable[..., Run]


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 random requests."""
    return write(tmp_path_factory.mktemp("trace"), mixed(2000))


@pytest.fixture(scope="module")
def simulated(drivecast: Program, trace: Path) -> Run:
    """Two sizes and two programs."""
    programs = ("--program", "flashcache", "--program", "opencas,mode=wb")
    run = drivecast("cache", trace, "--sizes", "4MiB,64MiB", "--policies", "lru", *ON, *programs, *JSON)
    assert run.code == 0, run.err
    return run


def test_each_size_is_the_run_that_simulate_makes(drivecast: Program, trace: Path, simulated: Run) -> None:
    latency = simulated.json["latency"]
    assert (latency["fast"], latency["slow"], latency["part"]) == (FAST, SLOW, "log")
    rows = {(row["program"], row["size_bytes"]): row for row in latency["rows"]}
    assert list(rows) == [
        (None, None),
        *((name, mib << 20) for name in ("flashcache", "opencas, mode=wb") for mib in (4, 64)),
    ]
    for state, part in (("steady", "warm"), ("fresh", "from_empty")):
        row = rows["opencas, mode=wb", 64 << 20]
        alone = drivecast("simulate", row["design"], "-w", trace, "--state", state, *JSON).json
        run = row[part]
        assert run["read_p99_ns"]["value"] == alone["read"]["latency_ns"]["q0.99"]
        assert run["write_p50_ns"]["value"] == alone["write"]["latency_ns"]["q0.5"]
        assert run["read_hit_ratio"] == alone["cache"]["read_hit_ratio"]
        assert run["read_p99_ns"]["low"] < run["read_p99_ns"]["value"] < run["read_p99_ns"]["high"]
    assert rows[None, None]["from_empty"] is None
    assert rows[None, None]["warm"]["read_p99_ns"]["low"] is None, "of disks no error is known"
    assert (
        rows["flashcache", 64 << 20]["from_empty"]["read_hit_ratio"]
        < rows["flashcache", 64 << 20]["warm"]["read_hit_ratio"]
    )


def test_text_and_page_have_the_latency_and_what_it_is_of(
    drivecast: Program, trace: Path, simulated: Run, tmp_path: Path
) -> None:
    cache_page.write(found := CacheCurves.check(simulated.json), page := tmp_path / "cache.html")
    html = page.read_text()
    assert f"Latency of a cache on {FAST} before" in html
    assert "opencas, mode=wb" in html
    assert html.count("<svg") == 2
    text = drivecast("cache", trace, "--sizes", "4MiB", "--policies", "lru", *ON).out
    assert "from empty" in text
    assert "no cache" in text
    assert found.latency is not None
    chart = style.spec(cache_page.cache_curve.latency(found.latency))
    rows = [row for data in chart["datasets"].values() for row in data if "behind" in row]
    assert {row["label"] for row in rows} == {
        f"{name}, {state}" for name in ("flashcache", "opencas, mode=wb") for state in ("warm", "from empty")
    }


def test_nothing_is_simulated_where_nothing_is_behind(
    drivecast: Program, trace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulated_sizes, "simulate", None)
    run = drivecast("cache", trace, "--sizes", "4MiB", "--policies", "lru", "--drive", FAST, *JSON)
    assert run.code == 0, run.err
    assert "latency" not in run.json


def test_sizes_that_cannot_be_are_left_out_and_said(drivecast: Program, trace: Path) -> None:
    run = drivecast("cache", trace, "--sizes", "64KiB,4MiB,10TB", "--policies", "lru", *ON, *JSON)
    assert [row["size_bytes"] for row in run.json["latency"]["rows"]] == [None, 4 << 20]
    said = run.json["notes"]
    assert any("64 KiB" in note for note in said)


def _load(references: float) -> Load:
    return Load(_core.Workload.line("random(4KiB)"), Options(), references)


def test_many_sizes_are_bounded_to_those_that_differ_most() -> None:
    devices = Devices(CATALOG.get(FAST), SLOW, CATALOG)
    falling = {size: 1.0 - size / 100 for size in range(1, 101)}
    assert len(simulated_sizes.chosen(falling, _load(1000.0), devices)) == SIZES_MAX
    picked = simulated_sizes.chosen(falling, _load(PLAYED_MAX / 6), devices)
    assert len(picked) == 3, "three runs warm and three from empty"
    assert picked[1] in (50, 51), "the middle of the one step there is"
    assert simulated_sizes.chosen(falling, _load(PLAYED_MAX), devices) == [1, 100]
    cliff = {size: 0.9 if size < 90 else 0.1 for size in range(1, 101)}
    picked = simulated_sizes.chosen(cliff, _load(1.0), devices)
    before, after = max(size for size in picked if size < 90), min(size for size in picked if size >= 90)
    assert after - before < 10, "one of a hundred sizes after the other comes nearer to the cliff"


def test_of_a_long_trace_the_busiest_stretch_is_played(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    devices = Devices(CATALOG.get(FAST), SLOW, CATALOG)
    whole = simulated_sizes.opened([trace], simulated_sizes.trace.AS_IT_IS, 2000.0, devices, 0)
    assert not whole.is_part
    long = simulated_sizes.opened([trace], simulated_sizes.trace.AS_IT_IS, float(PLAYED_MAX), devices, 0)
    assert not long.is_part, "ten seconds have no busiest minute"
    monkeypatch.setattr(simulated_sizes, "PEAK_S", 1.0)
    part = simulated_sizes.opened([trace], simulated_sizes.trace.AS_IT_IS, float(PLAYED_MAX), devices, 0)
    assert part.is_part
    assert part.options.length_s == part.length_s <= 1.0
    assert part.references == pytest.approx(PLAYED_MAX / 10, rel=0.2)
    found, notes = simulated_sizes.simulated(part, devices, {4 << 20: 0.5}, lambda _share, _what: None)
    assert found.part == "peak"
    assert notes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--backing", SLOW), "--drive"),
        (("--program", "bcache"), "--program is of a simulation"),
        ((*ON, "--program", "squid"), "there is no `squid`"),
        ((*ON, "--program", "bcache, size=1GiB"), "`size=1GiB` is said elsewhere"),
        ((*ON, "--program", "bcache, mode=squid"), "mode"),
        ((*ON, "--by", "object"), "--by object"),
        ((*ON, "--ram", "1GiB"), "--ram"),
        (("--drive", FAST, "--backing", "raid9(2 * x)"), "raid9"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    drivecast: Program, trace: Path, arguments: tuple[str, ...], said: str
) -> None:
    run = drivecast("cache", trace, "--sizes", "4MiB", "--policies", "lru", *arguments)
    assert run.code == 2
    assert said in run.err
