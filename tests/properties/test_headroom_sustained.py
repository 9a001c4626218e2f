"""Headroom is carried for long: a run of thirty times as many requests holds the limits at 5 % less.

The search plays 50,000 requests and ends within 10 %, at a knee where p99 rises steeply; what it finds is compared
with a run of eight times as many. Of 40 designs and loads all held at 5 % less, 34 at the whole of it.
"""

import math
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from bundled import CATALOG
from drivecast.plan.headroom import PRECISION
from drivecast.plan.load import ENOUGH, Synthetic
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.design import parse
from drivecast.stage.simulate import Options, simulate
from made_up_load import PROFILE

LIMIT_NS = 5_000_000
DRIVES = (
    "kingston-dc600m-960gb",
    "micron-7450-pro-960gb",
    "solidigm-d7-p5620-3.2tb",
    "solidigm-d5-p5336-15.36tb",
)
LEVELS = ("{}", "raid1(2 * {})", "raid5(4 * {})", "raid10(4 * {})")
SECONDS_MAX = 60.0


@given(
    st.sampled_from(DRIVES),
    st.sampled_from(LEVELS),
    st.sampled_from([0.0, 0.3, 0.7, 0.9]),
    st.sampled_from([500.0, 2000.0, 8000.0]),
    st.sampled_from([4096, 16384, 65536, 262_144]),
    st.sampled_from([0.3, 0.6, 0.9]),
)
@settings(max_examples=4)
def test_a_long_run_carries_it_but_for_a_twentieth(
    drive: str, level: str, reads: float, rate_iops: float, size_bytes: int, share: float
) -> None:
    design = parse(level.format(drive), CATALOG)
    asked = Given(capacity_bytes=int(share * design.usable_bytes), years=5, headroom=1.0)
    needs = replace(derive(asked, PROFILE), p99_read_ns=LIMIT_NS if reads else None, p99_write_ns=LIMIT_NS)
    load = CounterLoad(size_bytes, reads, rate_iops, SECONDS_MAX, None, ())
    bench = Bench(CATALOG, needs, Synthetic(load), 0, trimmed=True)
    if bench.try_out(design).miss is not None:
        return
    times = bench.headroom(design, bench.run(design)) / math.sqrt(PRECISION)
    seconds = min(SECONDS_MAX, 30 * ENOUGH / (times * rate_iops))
    fill = bench.fill(design)
    options = Options(fill=fill, duration_s=seconds, seed=7)
    outcome = simulate(design.line, load.workload(fill, times), CATALOG, options, kept=bench.kept)
    assert bench.miss(outcome) is None
