"""The interval of a sum against the sum of independent draws, whose squares add."""

import random
from statistics import NormalDist, quantiles

import pytest

from drivecast.assess.sensitivity import Input, combined, moves
from drivecast.quantity.interval import Interval

SPREAD = NormalDist().inv_cdf(0.9)


def test_bounds_of_a_sum_of_normal_inputs_hold_as_much_as_those_of_each() -> None:
    """Eight draws of ten within 80 % bounds: so must the sum be within its own."""
    sigmas = {"a": 1.0, "b": 2.0, "c": 0.5, "d": 3.0}
    spans = {name: Interval(-SPREAD * sigma, 0.0, SPREAD * sigma) for name, sigma in sigmas.items()}
    inputs = [Input(name, "", span, "assumed", "") for name, span in spans.items()]
    whole = combined(0.0, moves(inputs, lambda at: sum(at.values())))
    draw = random.Random(0)
    sums = [sum(draw.gauss(0, sigma) for sigma in sigmas.values()) for _ in range(20_000)]
    tenths = quantiles(sums, n=10)
    assert whole.low == pytest.approx(tenths[0], rel=0.03)
    assert whole.high == pytest.approx(tenths[-1], rel=0.03)
    assert [move.input.name for move in moves(inputs, lambda at: sum(at.values()))] == ["d", "b", "a", "c"]
