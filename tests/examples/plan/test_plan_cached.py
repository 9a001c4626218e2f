"""Flash caches before disks in a plan: what wins, what is left out and why, and what is said of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bundled import CATALOG
from cached_plan import CACHE, CAPACITY, DISK, FLASH, SMALL, planned, requests
from drivecast.document.nightly_backup import Backup
from drivecast.document.plan import Design, Plan
from drivecast.errors import InputError
from drivecast.plan import block_reuse, cache_space, cached, cached_trial, search
from drivecast.plan.backup import Stretch
from drivecast.plan.block_reuse import BlockReuse
from drivecast.plan.bound import Limits
from drivecast.plan.candidate import Options
from drivecast.plan.load import Recorded, Replay, Synthetic, WholeLog, load
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.present import page, terminal
from drivecast.stage import trace
from drivecast.stage.cached_design import parse_cached
from drivecast.stage.simulate import simulate
from small_traces import write

Program = Callable[..., Any]


@pytest.fixture(scope="module")
def hot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All requests go to 2 MiB."""
    return write(tmp_path_factory.mktemp("hot"), requests(512))


@pytest.fixture(scope="module")
def uniform(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Hardly a block is met twice."""
    return write(tmp_path_factory.mktemp("uniform"), requests(1 << 28, 4000, stride=30, reads=1.0))


@pytest.fixture(scope="module")
def of_hot(hot: Path) -> Plan:
    """The plan of the hot workload."""
    return planned(hot, threads=2)


def _cached(found: Plan) -> list[Design]:
    return [design for design in found.designs if design.cached is not None]


def test_a_cache_before_disks_wins_where_a_small_part_of_the_data_is_hot(of_hot: Plan) -> None:
    winner = of_hot.find(of_hot.winner)
    assert winner.cached is not None
    assert winner.line.startswith(f"cache(fast=raid1(2 * {CACHE}")
    part = winner.cached
    assert part.mode == "writeback"
    assert part.fast is not None
    assert "HDD" in part.slow.title
    assert part.hit_ratio > 0.99
    assert part.hit_ratio_from_empty < part.hit_ratio
    served = winner.outcome.cache
    assert served.read_hits + served.write_hits > 0.99 * (served.reads + served.writes)
    flash = [design for design in of_hot.ranked() if design.cached is None and design.cost]
    assert all(design.cost is not None and design.cost.total > winner.cost.total for design in flash)
    assert flash, "flash alone fits, too, and is dearer"
    assert not any(design.fits for design in of_hot.designs if design.flash == "HDD"), "disks alone do not"


def test_every_cached_design_says_why_it_was_taken_or_left(of_hot: Plan) -> None:
    assert len(_cached(of_hot)) <= 14
    for design in _cached(of_hot):
        assert design.fits == (not design.misses)
        assert design.fits or design.verdict in ("misses", "pruned")
    through = [each for each in _cached(of_hot) if each.cached and not each.cached.loses_dirty]
    assert through
    reasons = [miss for design in through for miss in design.misses if miss.kind != "dearer"]
    assert {miss.op for miss in reasons if not miss.is_bound} == {"write"}, "disks take the writes"
    assert all(miss.kind == "latency" for miss in reasons)


def test_a_cached_winner_says_what_would_change_it_and_what_its_cost_is_sensitive_to(of_hot: Plan) -> None:
    winner = of_hot.find(of_hot.winner)
    assert winner.sensitivity
    names = [move.input for move in winner.sensitivity]
    assert {"drive price of the cache", "drive price of the disks", "electricity", "growth"} <= {*names}
    assert [(each.input, each.value) for each in of_hot.flips] == [
        ("growth", "0 %/y"),
        ("growth", "10 %/y"),
        ("growth", "40 %/y"),
        ("prices", "low"),
        ("prices", "high"),
        ("peak", "2"),
        ("hours a day", "12 h"),
        ("limits on p99", "halved"),
        ("seed", "1"),
        ("hits", "as from empty"),
        ("hits", "with 2 times the misses expected"),
    ]
    costs = {each.value: each.cost for each in of_hot.flips if each.input == "prices"}
    assert (costs["low"] or 0) < winner.cost.total < (costs["high"] or 0)
    assert not any(each.changed for each in of_hot.flips), "flash alone costs almost three times as much"


def test_fewer_hits_take_the_place_from_a_cache_that_is_not_warm(uniform: Path) -> None:
    profile = trace.profile([uniform])
    needs = derive(Given(capacity_bytes=CAPACITY), profile)
    log = load([uniform], profile, trace.AS_IT_IS)
    bench = Bench(SMALL, needs, log, 0, trimmed=True, profile=profile)
    design = parse_cached(f"cache(fast=raid1(2 * {CACHE}), slow=raid6(4 * {DISK}))", SMALL)
    assert bench.miss(bench.run(design)) is None, "once it has seen each block"
    miss = cached_trial.misses_from_empty(design, bench)
    assert miss.op == "read"
    limits = Limits(SMALL, needs, profile, include_old=False, trimmed=True)
    again = block_reuse.of(Recorded([uniform], trace.AS_IT_IS, profile), log, Options(), SMALL).again
    expected = again.read_miss_ratio(design.cache_bytes, CAPACITY)
    many = cache_space.too_many_misses(design, limits, again, 0.5)
    assert many.found == pytest.approx(expected / 2)


def test_one_drive_with_write_back_is_ruled_out_since_it_loses_what_is_dirty(of_hot: Plan) -> None:
    lossy = [each for each in _cached(of_hot) if "mode=writeback" in each.line and "raid1" not in each.line]
    assert [each.verdict for each in lossy] == ["pruned"]
    assert lossy[0].misses[0].kind == "failures-tolerated"
    assert lossy[0].misses[0].volume == "cache"


def test_text_and_page_say_what_the_cache_serves_and_what_is_lost_with_it(of_hot: Plan) -> None:
    text = " ".join(terminal.render(of_hot).plain.split())
    html = page.render(of_hot)
    for shown in (text, html):
        assert "once it has seen the log" in shown
        assert "in the cache alone until it is cleaned" in shown
    assert "The cache and what is behind it" in html
    assert "cache has seen the log before" in text, "assumed"


def test_no_cache_where_hardly_a_block_is_met_twice(uniform: Path) -> None:
    found = planned(uniform)
    assert _cached(found)
    assert not any(design.fits for design in _cached(found))
    assert {design.verdict for design in _cached(found)} == {"pruned"}, "no simulation is needed to say so"
    reasons = [miss for design in _cached(found) for miss in design.misses if miss.kind == "cache-misses"]
    share = (reasons[0].found or 0.0) + 0.8 * 480e9 / CAPACITY
    assert share == pytest.approx(1.0, abs=0.01), "of uniform requests a cache serves its share of the data"
    assert "none fits" in terminal.render(found).plain


def _met(
    log: Recorded, options: Options, backup: Stretch | None = None, *, counters: bool = False
) -> BlockReuse:
    played = load(log.files, log.profile, log.reading)
    if counters:
        return block_reuse.of(log, Synthetic(None), options, SMALL, backup)  # type: ignore[arg-type]
    return block_reuse.of(log, played, options, SMALL, backup)


def test_what_is_met_again_is_asked_where_caches_are_wanted_and_known(hot: Path) -> None:
    log = Recorded([hot], trace.AS_IT_IS, trace.profile([hot]))
    found = _met(log, Options())
    assert found.again is not None
    assert found.load is None, "all of it is played"
    assert _met(log, Options(caches=False)) == BlockReuse()
    assert _met(log, Options(), counters=True) == BlockReuse(why_not="counters")
    with pytest.raises(InputError, match="--caches: "):
        _met(log, Options(caches=True), counters=True)
    backup = Stretch(
        Backup(
            start_s=0.0,
            length_s=60.0,
            bytes=1 << 30,
            requests=1024,
            request_bytes=float(1 << 20),
            throughput_bytes_per_s=2e7,
            handling="meet",
        ),
        reads_per_s=20.0,
        base_read_iops=10.0,
        base_write_iops=1.0,
    )
    assert _met(log, Options(), backup) == BlockReuse(why_not="backup")
    with pytest.raises(InputError, match="--caches: "):
        _met(log, Options(caches=True), backup)


def test_of_a_long_log_cached_designs_play_the_peak_after_what_came_before(
    hot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(block_reuse, "PLAYED_MAX", 6000)
    log = Recorded([hot], trace.AS_IT_IS, trace.profile([hot], peak_window_s=5.0))
    whole = load(log.files, log.profile, log.reading)
    assert isinstance(whole, Replay)
    late = replace(whole, start_s=20.0, length_s=5.0)
    part = block_reuse.of(log, late, Options(), SMALL).load
    assert part.is_part
    assert part.start_s == pytest.approx(6000 / 400 - 5.0, abs=0.1), "6,000 requests end with the peak"
    line = f"cache(fast=raid1(2 * {CACHE}), slow=raid6(4 * {DISK}))"

    def peak(of: Replay) -> int:
        load_, options = of.peak(0.5, 1.0)
        return simulate(line, load_, SMALL, options).read.requests

    assert peak(part) == peak(late), "the same requests"


def test_of_a_long_log_a_cache_drive_is_written_as_of_a_short_one(
    hot: Path, of_hot: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What LRU alone would write is a third of it: the program writes metadata, as at the peak."""
    short = of_hot.find(of_hot.winner)
    assert short.cached.hits_over == "log"
    monkeypatch.setattr(block_reuse, "PLAYED_MAX", 10_000)
    profile = trace.profile([hot])
    needs = derive(Given(capacity_bytes=CAPACITY), profile)
    met = block_reuse.of(
        Recorded([hot], trace.AS_IT_IS, profile), load([hot], profile, trace.AS_IT_IS), Options(), SMALL
    )
    assert met.load is not None
    assert met.again is not None
    bench = Bench(SMALL, needs, met.load, 0, trimmed=True, profile=profile)
    design = parse_cached(short.line, SMALL)
    a_day = cached.sent(design, bench, met.again)
    tried = cached_trial.briefly(design, bench, profile, a_day)
    assert not tried.misses(bench)
    assert a_day[0] < 0.5 * (short.cached.fast.written_bytes_per_day or 0.0)
    assert tried.written_bytes_per_day[0] == pytest.approx(
        short.cached.fast.written_bytes_per_day or 0.0, rel=0.1
    )


def test_of_windows_what_is_met_again_is_that_of_the_pass(hot: Path, tmp_path: Path) -> None:
    """An excerpt meets fewer blocks again than the pass that it is of."""
    log = Recorded([hot], trace.AS_IT_IS, trace.profile([hot]))
    played = load(log.files, log.profile, log.reading)
    assert isinstance(played, Replay)
    trace.convert([hot], passed := tmp_path / "pass.parquet", trace.AS_IT_IS)
    excerpt = replace(log, files=[write(tmp_path, requests(1 << 20, 100))])
    windows = WholeLog(played.trace, windows_hash="x", passed=passed)
    found = block_reuse.of(excerpt, played, Options(whole_log=windows), SMALL)
    assert found.searched
    assert found.again.references == 12_000
    assert not replace(played, whole_log=windows).is_whole
    assert replace(played, whole_log=WholeLog(played.trace)).is_whole


def test_counters_say_why_no_cache_was_judged_and_what_to_record(of_hot: Plan) -> None:
    counters = of_hot.model_copy(update={"no_caches": "counters"})
    text = " ".join(terminal.render(counters).plain.split())
    assert "drivecast capture" in text
    assert "drivecast capture" in page.render(counters)
    assert "drivecast capture" not in terminal.render(of_hot).plain


def test_caches_need_disks(hot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flash = replace(SMALL, drives={name: SMALL.get(name) for name in (CACHE, FLASH)})
    monkeypatch.setattr(search, "load_catalog", lambda _paths: flash)
    with pytest.raises(InputError) as refused:
        search.plan([hot], Given(), Options(caches=True), lambda _share, _what: None)
    assert "--caches: " in str(refused.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--design", f"cache(fast={FLASH}, slow=raid1(2 * seagate-exos-10e2400-1.2tb))"), "size: "),
        (("--caches", "--where", "cloud"), "--caches: "),
    ],
    ids=["a cache larger than what is behind it", "caches of rented volumes"],
)
def test_caches_that_cannot_be_are_refused(
    drivecast: Program, hot: Path, options: tuple[str, ...], said: str
) -> None:
    found = drivecast("plan", hot, *options)
    assert found.code == 2
    assert said in found.err
    assert "hint:" in found.err


def test_a_line_is_read_back_with_what_its_program_does_by_default() -> None:
    sides = f"fast={CACHE}, slow=raid1(2 * {DISK})"
    assert parse_cached(f"cache({sides})", CATALOG).is_write_back
    assert not parse_cached(f"cache({sides}, policy=bcache)", CATALOG).is_write_back
    assert parse_cached(f"cache({sides}, policy=opencas, mode=wb)", CATALOG).is_write_back
    part = parse_cached(f"cache({sides}, size=120GB)", CATALOG)
    assert part.cache_bytes == 120_000_000_000
    assert part.taken.partition == pytest.approx(0.25, rel=1e-3), "the rest is spare"
    assert part.failures_tolerated == 0, "what was written is on one drive"
    assert parse_cached(f"cache({sides}, mode=writethrough)", CATALOG).failures_tolerated == 1
    with pytest.raises(InputError) as refused:
        parse_cached(f"cache(fast={CACHE}, slow=cache({sides}))", CATALOG)
    assert "cache" in str(refused.value)
