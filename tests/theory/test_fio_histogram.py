"""fio's bins against plain numbers: how far a quantile may be off, and that merging loses nothing."""

import random
from bisect import bisect_left

import pytest

from drivecast.bench.fio.histogram import Histogram, merged, middle_of, middles


def counted(latencies: list[int]) -> Histogram:
    bins: dict[int, int] = {}
    for latency in latencies:
        bins[middle_of(latency)] = bins.get(middle_of(latency), 0) + 1
    return Histogram(len(latencies), float(sum(latencies)), max(latencies), bins)


def test_bins_are_exact_below_128_and_64_an_octave_above() -> None:
    every = [int(value) for value in middles(29 * 64)]
    assert every[:128] == list(range(128))
    assert every == sorted(set(every))
    for octave in range(7, 20):
        assert sum(1 << octave <= value < 2 << octave for value in every) == 64
    assert [middle_of(value) for value in every] == every


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99, 0.999])
def test_a_quantile_is_within_one_part_in_128(share: float) -> None:
    draw = random.Random(7)
    latencies = sorted(round(draw.lognormvariate(11.5, 1.2)) for _ in range(20_000))
    exact = latencies[max(0, -(-round(share * 1e6) * len(latencies) // 10**6) - 1)]
    (told,) = counted(latencies).at([share])
    assert abs(told - exact) <= exact / 128 + 1


def test_merging_is_the_same_as_counting_together() -> None:
    draw = random.Random(8)
    parts = [[round(draw.expovariate(1e-5)) for _ in range(500)] for _ in range(5)]
    whole = merged(map(counted, parts))
    assert whole == counted([value for part in parts for value in part])
    rows = whole.rows("read")
    assert rows[-1]["quantile"] == 1.0
    assert rows[-1]["latency_ns"] == whole.longest_ns
    shares = [float(str(row["quantile"])) for row in rows]
    assert shares == sorted(shares)
    assert bisect_left(shares, 0.5) < len(rows)
