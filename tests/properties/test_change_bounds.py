"""Changed windows: requests stay in their stretch and their address space, and are as many as was asked for."""

from collections import Counter
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivecast.model.change import growth, rate, stretches, window_order
from drivecast.model.change.stretches import Tables, Timed
from drivecast.stage import windows_file
from small_windows import SPAN_BYTES, WIDTH_NS, WINDOWS, Request, archive

PAGE = 4096
SETTINGS = settings(max_examples=30, deadline=None)
REQUESTS = st.lists(
    st.tuples(
        st.integers(0, WINDOWS * WIDTH_NS - 1),
        st.sampled_from(["read", "write"]),
        st.integers(0, SPAN_BYTES // PAGE - 64).map(lambda page: page * PAGE),
        st.integers(1, 64).map(lambda pages: pages * PAGE),
    ),
    min_size=20,
    max_size=200,
).map(sorted)
TIMES = st.floats(0.05, 4.0)


def _each(found: Tables) -> tuple[Timed, Timed]:
    return found.played, found.whole


def _well_formed(found: Tables) -> None:
    for table in _each(found):
        time = table.rows["time_ns"].to_numpy().astype(np.int64)
        assert (np.diff(time) >= 0).all(), "in the order of time"
        end = table.rows["offset_bytes"] + table.rows["size_bytes"]
        assert (end <= found.header.span_bytes).all()


def _by_stretch(table: Timed) -> Counter[int]:
    return Counter(table.stretch(table.rows["time_ns"].to_numpy().astype(np.int64)).tolist())


@SETTINGS
@given(REQUESTS, st.integers(2, 4), st.booleans())
def test_whole_copies(requests: list[Request], copies: int, same_data: bool) -> None:
    before = stretches.of(archive(requests))
    after = rate.multiplied(before, rate.Factors(copies, copies), same_data=same_data)
    _well_formed(after)
    for old, new in zip(_each(before), _each(after), strict=True):
        times = {stretch: copies * count for stretch, count in _by_stretch(old).items()}
        assert _by_stretch(new) == times, "every window has its requests as many times"
        data = new.rows.with_columns(pl.col("offset_bytes") % SPAN_BYTES)
        columns = ["op", "offset_bytes", "size_bytes", "window"]
        counts = data.group_by(columns).len().sort(columns)
        expected = old.rows.group_by(columns).len().sort(columns)
        assert counts.equals(expected.with_columns(pl.col("len") * copies)), "the same requests, elsewhere"
        assert (new.rows["offset_bytes"] < SPAN_BYTES).all() or not same_data


@SETTINGS
@given(REQUESTS, TIMES, TIMES, st.booleans())
def test_any_factors(requests: list[Request], reads: float, writes: float, same_data: bool) -> None:
    before = stretches.of(archive(requests))
    after = rate.multiplied(before, rate.Factors(reads, writes), same_data=same_data)
    _well_formed(after)
    for op, times in (("read", reads), ("write", writes)):
        old, new = ((each.whole.rows["op"] == op).sum() for each in (before, after))
        extents = before.whole.rows.filter(pl.col("op") == op).select(
            pl.col("offset_bytes") // rate.EXTENT_BYTES
        )
        # What is thinned is kept or not by hot extents' turns: at most about a request of each is too many or too few.
        assert new == pytest.approx(times * old, abs=1 + extents.n_unique())


@SETTINGS
@given(REQUESTS, st.floats(0.05, 0.95))
def test_thinned_extents_keep_their_reuse(requests: list[Request], times: float) -> None:
    """An extent that is not hot is kept whole or not at all, by reads and writes alike."""
    before = stretches.of(archive(sorted(requests * 12)))
    assert len(before.whole.rows) == 12 * len(requests)
    extents = rate.numbered(before, same_data=False)
    cold = set(extents.filter(~pl.col("by_turns"))["extent"])
    after = rate.multiplied(before, rate.Factors(times, times), same_data=False)
    for old, new in zip(_each(before), _each(after), strict=True):
        counts = [Counter((each.rows["offset_bytes"] // rate.EXTENT_BYTES).to_list()) for each in (old, new)]
        assert all(counts[1][extent] in (0, count) for extent, count in counts[0].items() if extent in cold)


@SETTINGS
@given(REQUESTS, st.floats(0.25, 4.0))
def test_times_divided(requests: list[Request], times: float) -> None:
    before = stretches.of(archive(requests))
    after = rate.faster(before, times)
    _well_formed(after)
    for old, new in zip(_each(before), _each(after), strict=True):
        assert old.rows.drop("time_ns").equals(new.rows.drop("time_ns"))
        assert _by_stretch(old) == _by_stretch(new)
    ends = [int(each.whole.rows["time_ns"].max()) for each in (before, after)]  # type: ignore[arg-type]
    assert ends[1] == pytest.approx(ends[0] / times, abs=3 * WINDOWS)


@SETTINGS
@given(REQUESTS, st.floats(1.0, 4.0), st.integers(0, 9))
def test_a_footprint_that_grows(requests: list[Request], times: float, seed: int) -> None:
    before = stretches.of(archive(requests))
    after = growth.grown(before, times, seed)
    _well_formed(after)
    for old, new in zip(_each(before), _each(after), strict=True):
        assert old.rows.drop("offset_bytes").equals(new.rows.drop("offset_bytes"))
        assert (old.rows["offset_bytes"] == new.rows["offset_bytes"] % SPAN_BYTES).all()
        moved = new.rows.with_columns(
            extent=pl.col("offset_bytes") % SPAN_BYTES // growth.EXTENT_BYTES,
            copy=pl.col("offset_bytes") // SPAN_BYTES,
        )
        assert (moved.group_by("extent", "window").agg(pl.col("copy").n_unique())["copy"] == 1).all()


@SETTINGS
@given(REQUESTS, st.floats(0.0, 5.0), st.integers(0, 9), st.integers(1, 40))
def test_windows_in_another_order(requests: list[Request], times: float, seed: int, length: int) -> None:
    found = archive(requests)
    again = window_order.more(found, {"busy 1": times})
    counts = np.bincount(again, minlength=WINDOWS)
    assert counts[:7].sum() == pytest.approx(7 * times, abs=0.5 + 1e-9)
    assert set(counts[7:]) == {1}, "the other cluster is as it was"
    assert (np.diff(again) >= 0).all()
    chain = window_order.drawn(found, length * WIDTH_NS / 1e9, seed)
    assert len(chain) == length
    order = np.array([0] * 7 + [1] * 3)
    follows = {(order[at], (at + 1) % WINDOWS) for at in range(WINDOWS - 1)}
    assert all((order[now], behind) in follows for now, behind in pairwise(chain))
    longer = window_order.archive(found, chain, "longer")
    assert longer.header.requests == int(windows_file.requests_by_window(found)[chain].sum())
