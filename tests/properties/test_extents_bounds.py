"""A permutation of an address space: pages are one to one, requests whole, runs and reuse as they were."""

from collections.abc import Iterator

import polars as pl
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from drivecast.errors import InputError
from drivecast.stage import address_map, extents

CHUNK, PAGE = address_map.CHUNK_BYTES, 4096
SPAN = 160 * CHUNK + 3 * PAGE
Request = tuple[str, int, int]

PLACES = st.tuples(st.just("at"), st.integers(0, SPAN // PAGE - 1), st.integers(1, 40))
WHOLE = st.builds(
    lambda chunk: ("at", chunk * CHUNK // PAGE, CHUNK // PAGE), st.integers(0, SPAN // CHUNK - 1)
)
RESUMED = st.tuples(st.just("after"), st.integers(1, 6), st.integers(1, 40))
STEPS = st.lists(
    st.tuples(st.sampled_from(["read", "write"]), PLACES | WHOLE | RESUMED), min_size=2, max_size=50
)


def _requests(steps: list[tuple[str, tuple[str, int, int]]]) -> list[Request]:
    """Pages of a few streams: some at random, some where an earlier request ended."""
    found: list[Request] = []
    for op, (how, value, pages) in steps:
        back = found[-min(value, len(found))] if found and how == "after" else None
        offset = back[1] + back[2] if back else value * PAGE
        size = min(pages * PAGE, SPAN - offset)
        if size > 0:
            found.append((op, offset, size))
    return found


def _table(requests: list[Request]) -> pl.DataFrame:
    columns = {"op": pl.String, "offset_bytes": pl.UInt64, "size_bytes": pl.UInt32}
    return pl.DataFrame(requests, schema=columns, orient="row")


def _permuted(tables: list[list[Request]], key: bytes) -> list[list[Request]]:
    frames = [_table(requests) for requests in tables]
    try:
        found = extents.permutation(frames, SPAN, key)
    except InputError:
        assume(condition=False)
    return [found.of(frame).rows() for frame in frames]  # type: ignore[misc]


def _resumed(requests: list[Request]) -> list[list[int]]:
    """Of each request how many before it the ones are that ended where it begins."""
    return [
        [back for back in range(1, min(at, extents.REACH) + 1) if sum(requests[at - back][1:]) == begin]
        for at, (_op, begin, _size) in enumerate(requests)
    ]


def _reuse(requests: list[Request]) -> Iterator[tuple[int, int | None, int | None]]:
    """Of each page of each request, how many requests and written bytes ago it was accessed last."""
    seen: dict[int, tuple[int, int]] = {}
    written = 0
    for at, (op, offset, size) in enumerate(requests):
        for page in range(offset // PAGE, (offset + size) // PAGE):
            last = seen.get(page)
            yield at, last and at - last[0], last and written - last[1]
            seen[page] = (at, written)
        written += size if op == "write" else 0


@settings(max_examples=60, deadline=None)
@given(STEPS, STEPS, st.binary(min_size=1, max_size=8))
def test_runs_and_reuse_are_as_they_were(
    steps: list[tuple[str, tuple[str, int, int]]], more: list[tuple[str, tuple[str, int, int]]], key: bytes
) -> None:
    tables = [_requests(steps), _requests(more)]
    moved = _permuted(tables, key)
    for before, after in zip(tables, moved, strict=True):
        assert [(op, size) for op, _, size in after] == [(op, size) for op, _, size in before]
        assert all(offset >= 0 and offset + size <= SPAN for _, offset, size in after), "nothing beyond it"
        assert _resumed(after) == _resumed(before)
        assert list(_reuse(after)) == list(_reuse(before))


@settings(max_examples=50, deadline=None)
@given(STEPS, STEPS, st.binary(min_size=1, max_size=8))
def test_pages_are_one_to_one_in_both_tables(
    steps: list[tuple[str, tuple[str, int, int]]], more: list[tuple[str, tuple[str, int, int]]], key: bytes
) -> None:
    tables = [_requests(steps), _requests(more)]
    moved = _permuted(tables, key)
    place: dict[int, int] = {}
    for before, after in zip(tables, moved, strict=True):
        for (_, old, size), (_, new, _) in zip(before, after, strict=True):
            for page in range(size // PAGE):
                assert place.setdefault(old // PAGE + page, new // PAGE + page) == new // PAGE + page
    assert len(set(place.values())) == len(place)


@given(st.integers(1, 1 << 50))
def test_extents_hold_whole_chunks(span: int) -> None:
    length = extents.extent_bytes(span)
    assert length % CHUNK == 0
    assert length == min(max(length, extents.BYTES_MIN), extents.BYTES_MAX)
    if extents.BYTES_MIN < length < extents.BYTES_MAX:
        assert extents.EXTENTS <= span // length < 2 * extents.EXTENTS


@given(st.binary(min_size=1, max_size=8))
def test_a_block_moves_by_an_eighth_and_the_order_is_another(key: bytes) -> None:
    pages = [("read", chunk * CHUNK, PAGE) for chunk in range(0, 160, 2)]
    found = extents.permutation([_table(pages)], SPAN, key)
    assert abs(found.moved).max() <= extents.FAR * SPAN + CHUNK
    assert (found.moved != 0).mean() > 0.5
    assert found.moved[-1] == 0, "what is shorter than an extent keeps its place"
    other = extents.permutation([_table(pages)], SPAN, key + b"1")
    assert (found.moved != other.moved).any()
    again = extents.permutation([_table(pages)], SPAN, key)
    assert (found.moved == again.moved).all()


@given(st.binary(min_size=1, max_size=8), st.integers(1, extents.REACH))
def test_a_run_from_extent_to_extent_is_one_block(key: bytes, streams: int) -> None:
    """A run of whole extents, of which no request crosses a boundary, among as many others as may be followed."""
    run = [("read", chunk * CHUNK, CHUNK) for chunk in range(20, 28)]
    others = [("read", PAGE * (at % 7), PAGE) for at in range(streams - 1)]
    found = extents.permutation([_table([each for io in run for each in (io, *others)])], SPAN, key)
    blocks = found.block(_table(run)).tolist()
    assert blocks == [blocks[0]] * 8
    assert len(found.begins) == 161 - 7
