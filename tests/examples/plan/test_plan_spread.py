"""A trace of a small part of what will be stored is spread over it: a small part of a disk is a fast disk."""

from dataclasses import replace

import pytest

from bundled import CATALOG
from drivecast.plan.load import Replay, Synthetic, spread
from drivecast.stage import trace
from drivecast.stage.counter_load import CounterLoad
from drivecast.stage.simulate import simulate
from small_traces import GIB, mixed, write

DISK = "seagate-exos-15e900-300gb"
STORED_BYTES = 250 * 10**9


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """400 random requests within a gibibyte."""
    log = write(tmp_path_factory.mktemp("trace"), mixed())
    return Replay(trace.workload([log]), 0.0, 2.0)


def test_a_trace_of_a_part_reaches_over_all_that_is_stored_and_says_so(replay: Replay) -> None:
    wide = spread(replay, STORED_BYTES)
    assert isinstance(wide, Replay)
    assert 0.95 * STORED_BYTES < wide.trace.span_bytes <= STORED_BYTES
    (said,) = wide.assumed
    assert said[0] == "addresses"
    assert "16 MiB" in said[1]
    assert wide.trace.written_bytes == replay.trace.written_bytes


def test_a_disk_is_slower_over_all_of_it(replay: Replay) -> None:
    def mean_ns(load: Replay) -> float:
        workload, options = load.peak(0.9, 1.0)
        return simulate(DISK, workload, CATALOG, options).latency_of("read", "mean")

    wide = spread(replay, STORED_BYTES)
    assert isinstance(wide, Replay)
    assert mean_ns(wide) > 1.2 * mean_ns(replay)


def test_what_covers_its_capacity_and_counters_stay_as_they_are(replay: Replay) -> None:
    assert spread(replay, GIB // 2) is replay
    counters = Synthetic(CounterLoad(4096, 0.5, 100.0, 1.0, None, ()))
    assert spread(counters, STORED_BYTES) is counters


def test_streams_stay_apart_where_several_traces_are_spread(replay: Replay) -> None:
    wide = spread(replace(replay, streams=2), STORED_BYTES)
    assert wide.peak(0.9, 1.0)[1].streams == 2
