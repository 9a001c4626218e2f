"""Quantiles of counted values against the sorted values themselves."""

import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from drivecast.bench.database.generator import quantiles
from drivecast.document.outcome import QUANTILES


@given(st.lists(st.integers(0, 50), min_size=1, max_size=3000))
def test_a_quantile_is_the_least_value_that_so_many_do_not_exceed(values: list[int]) -> None:
    buckets = sorted((float(value), count) for value, count in Counter(values).items())
    found = quantiles(buckets)
    ordered = sorted(values)
    for name, share in QUANTILES.items():
        told = found.get(name)
        assert (told is not None) == (len(values) * (1 - share) >= 1 - 1e-9)
        if told is not None:
            assert told == ordered[math.ceil(share * len(values) - 1e-9) - 1]


def test_names_are_those_of_an_outcome() -> None:
    names = list(quantiles([(1.0, 10**6)]))
    assert names == ["q0.5", "q0.9", "q0.95", "q0.99", "q0.999", "q0.9999", "q0.99999"]
