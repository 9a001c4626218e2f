"""Cached designs against closed forms: what uniform and hot requests meet again, p99 of misses, loss, cost and life."""

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest

from bundled import CATALOG
from drivecast.assess.endurance import years_until
from drivecast.assess.rating import failure_rate
from drivecast.caching import reuse
from drivecast.document.outcome import Cache, Outcome
from drivecast.document.profile import Profile
from drivecast.document.wear import Amplification
from drivecast.plan import cache_space, data_loss
from drivecast.plan.cached_trial import Tried, judged
from drivecast.plan.load import Stated
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench, Trial
from drivecast.quantity.year import DAY_S
from drivecast.stage import trace
from drivecast.stage.cached_design import parse_cached
from made_up_load import PEAK, PROFILE
from small_traces import READ, Io, write

BLOCK = 4096
FAST, SLOW = "kingston-dc600m-480gb", "raid6(5 * seagate-exos-x20-20tb, spares=1)"


def _log(folder: Path, blocks: int, count: int) -> reuse.Reuse:
    """Reads of blocks at random, one each millisecond."""
    draw = random.Random(5)
    requests = [Io(1000 * at, READ, BLOCK * draw.randrange(blocks), BLOCK) for at in range(count)]
    return reuse.of([write(folder, requests)], trace.AS_IT_IS)


def test_new_blocks_of_a_hot_set_become_fewer_as_they_are_met(tmp_path: Path) -> None:
    """Of n requests over N blocks the i-th meets a new one with the chance (1 − 1/N)^i."""
    blocks, count = 4000, 12_000
    found = _log(tmp_path, blocks, count)
    met = [(1 - 1 / blocks) ** at for at in range(count // 2, count)]
    expected, error = sum(met) / len(met), math.sqrt(sum(met)) / len(met)
    assert found.new_read_ratio == pytest.approx(expected, abs=4 * error)
    # All of it fits: what is left to miss are new blocks, in so far as the data do not fit.
    size, data = blocks * BLOCK, 10 * blocks * BLOCK
    assert found.read_miss_ratio(size, data) == pytest.approx(0.9 * found.new_read_ratio)
    assert found.read_miss_ratio(size, size) == 0.0
    # N (1 − (1 − 1/N)^n) blocks are met in n requests; nine tenths of the last sum before it.
    wanted = 0.9 * blocks * (1 - (1 - 1 / blocks) ** count)
    exact_s = math.log(1 - wanted / blocks) / math.log(1 - 1 / blocks) / 1000
    assert exact_s < found.warm_up_s(size) < 1.15 * exact_s, "a line between parts lies below the curve"


def test_of_uniform_requests_a_cache_serves_its_share_of_the_data(tmp_path: Path) -> None:
    blocks, count = 1 << 22, 4000
    found = _log(tmp_path, blocks, count)
    for share in (0.1, 0.5, 0.9):
        expected = found.read_miss_ratio(round(share * blocks * BLOCK), blocks * BLOCK)
        assert expected == pytest.approx(1 - share, abs=0.005)


def test_as_many_reads_may_miss_as_keep_p99_within_the_limit() -> None:
    """A share m of the reads waits a uniform share of a turn, so p99 is (0.99 − (1 − m)) / m of it."""
    slow = parse_cached(f"cache(fast={FAST}, slow={SLOW})", CATALOG).slow
    turn_ns = 60e9 / slow.drive.sheet.disk.rpm.value
    for limit_ns in (0.1 * turn_ns, 0.5 * turn_ns, 0.9 * turn_ns):
        most = cache_space.read_misses_max(slow, limit_ns)
        assert most is not None
        assert (0.99 - (1 - most)) / most * turn_ns == pytest.approx(limit_ns)
    assert cache_space.read_misses_max(slow, turn_ns) is None


def _used(**moved: int) -> Cache:
    counts = {name: 0 for name, field in Cache.model_fields.items() if field.is_required()}
    ratios = {"hit_ratio": 1.0, "read_hit_ratio": 1.0, "write_hit_ratio": 1.0, "ssd_write_amplification": 1.0}
    return Cache.model_validate(
        {**counts, **ratios, "ssd_utilization": 0.2, "disk_utilization": 0.1, **moved}
    )


def _tried(line: str, profile: Profile, amplified: float = 2.0) -> tuple[Tried, Bench]:
    """A design judged by a run that is made up: for 3 bytes of the host 1 is written to the cache, 0.5 behind."""
    used = _used(ssd_written_bytes=1_000_000_000, disk_written_bytes=500_000_000)
    peak: Outcome = PEAK.model_copy(
        update={"cache": used, "host_read_bytes": 2_000_000_000, "host_written_bytes": 1_000_000_000}
    )
    needs = replace(derive(Given(capacity_bytes=10**12, growth_per_year=0.0), profile), hours_per_day=24.0)
    bench = Bench(
        CATALOG, needs, Stated("random(4KiB, read=0.5, rate=100)"), 0, trimmed=True, profile=profile
    )
    design = parse_cached(line, CATALOG)
    members = design.fast.count
    worn = Amplification.model_validate(
        {
            **{name: 1 for name, field in Amplification.model_fields.items() if field.is_required()},
            "design": design.taken.line,
            "steady": True,
            "drives": [],
            "rounding_factor": 1.0,
            "write_amplification": amplified,
            "parity_factor": float(members),
            "members": members,
            "write_amplification_low": amplified,
            "write_amplification_high": amplified,
        }
    )
    bench.known[design.taken.serving.line, "written at random", 0] = worn
    trial = Trial(peak, None, None, None, {(op, "p99"): None for op in ("read", "write")})
    return judged(design, trial, bench, profile), bench


MOVED = PROFILE.model_copy(update={"bytes_read": 2e9, "bytes_written": 1e9, "duration_s": 3600.0})


def test_the_drives_of_a_cache_last_their_rated_writes_over_what_the_cache_sends_them() -> None:
    tried, _ = _tried(f"cache(fast=raid1(2 * {FAST}), slow={SLOW})", MOVED)
    per_day = 1e9 / 3e9 * 3e9 / 3600.0 * DAY_S
    assert tried.written_bytes_per_day == pytest.approx((per_day, per_day / 2))
    verdict, tbw = tried.fast.verdict, CATALOG.get(FAST).tbw_bytes
    assert tbw is not None
    assert verdict.life.life_years_rated_writes == pytest.approx(years_until(tbw, bytes_per_day=per_day))
    assert tried.slow.verdict.life is None, "writing does not wear disks"


@pytest.mark.parametrize("mode", ["writeback", "writethrough"])
@pytest.mark.parametrize("fast", [FAST, f"raid1(2 * {FAST})"])
def test_data_are_lost_with_the_cache_where_it_holds_what_is_nowhere_else(mode: str, fast: str) -> None:
    tried, bench = _tried(f"cache(fast={fast}, slow={SLOW}, mode={mode})", MOVED)

    def alone(side: str) -> float:
        design = parse_cached(f"cache(fast={fast}, slow={SLOW})", CATALOG)
        of = design.taken if side == "fast" else design.slow
        return data_loss.closed(of, failure_rate(of.drive), bench.requirements).probability.value

    of_cache, behind = alone("fast") if mode == "writeback" else 0.0, alone("slow")
    expected = 1 - (1 - of_cache) * (1 - behind)
    misses = [miss for miss in tried.misses(bench) if miss.kind == "data-loss"]
    if expected > bench.requirements.data_loss:
        assert misses[0].found == pytest.approx(expected)
    else:
        assert not misses
    too_few = [miss for miss in tried.misses(bench) if miss.kind == "failures-tolerated"]
    assert bool(too_few) == (mode == "writeback" and "raid1" not in fast), "one drive has what was written"


def test_a_cached_design_costs_what_its_sides_cost() -> None:
    """Of twice the mirrors before the same disks the cache costs twice as much, and the disks the same."""
    single, _ = _tried(f"cache(fast={FAST}, slow={SLOW}, mode=writethrough)", MOVED)
    mirror, _ = _tried(f"cache(fast=raid1(2 * {FAST}), slow={SLOW}, mode=writethrough)", MOVED)
    costs = [[side.verdict.cost for side in each.sides if side.verdict] for each in (single, mirror)]
    assert costs[0][1] == costs[1][1]
    slots = CATALOG.prices.host
    priced = CATALOG.price_usd(FAST) + slots.slot_usd.value
    assert costs[0][0].purchase_usd == pytest.approx(priced + slots.enclosure_usd.value)
    assert costs[1][0].purchase_usd == pytest.approx(
        2 * priced + slots.controller_usd.value + slots.enclosure_usd.value
    )
