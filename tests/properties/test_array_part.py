"""What a disk of an array misses by far with its share of the load, the array misses: no array that fits is lost."""

from dataclasses import replace

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from bundled import CATALOG
from drivecast.plan.load import Synthetic
from drivecast.plan.requirement import Given, derive
from drivecast.plan.trial import Bench
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.design import parse
from made_up_load import PROFILE

ARRAYS = (
    "raid5(4 * {})",
    "raid6(6 * {})",
    "raid10(4 * {})",
    "raid10(8 * {})",
    "raid0(2 * raid1(3 * {}))",
    "raid60(8 * {}, groups=2)",
    "raid6(8 * {}, chunk=1MiB)",
    "raid10(8 * {}, chunk=512KiB)",
)
DISKS = ("seagate-exos-x24-24tb", "wd-red-plus-4tb", "seagate-exos-10e2400-1.2tb")


@given(
    st.sampled_from(ARRAYS),
    st.sampled_from(DISKS),
    st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    st.floats(2, 40),
    st.sampled_from([4096, 65536, 1 << 20]),
    st.floats(0.1, 0.95),
    st.sampled_from([0.0, 0.3, 0.9]),
)
@settings(max_examples=25, phases=[Phase.generate])  # smaller examples take as long
def test_no_array_that_holds_its_limits_is_lost(
    array: str, disk: str, reads: float, each_iops: float, size_bytes: int, share: float, runs: float
) -> None:
    design = parse(array.format(disk), CATALOG)
    made = CounterLoad(size_bytes, reads, each_iops * design.count, 20.0, None, ())
    load = Synthetic(replace(made, sequential_reads=runs, sequential_writes=runs))
    needs = derive(Given(capacity_bytes=int(share * design.usable_bytes), years=5, headroom=1.0), PROFILE)
    found = Bench(CATALOG, needs, load, 0, trimmed=True).run(design)
    assume(not found.saturated)
    held = replace(
        needs, p99_read_ns=found.latency("read", "q0.99"), p99_write_ns=found.latency("write", "q0.99")
    )
    assert not Bench(CATALOG, held, load, 0, trimmed=True).misses_share(design, 1.0)
