"""Student's t: the closed forms, and scipy as a peer."""

import math

import pytest
from scipy.special import stdtrit

from drivecast import _core


@pytest.mark.parametrize("probability", [0.5, 0.6, 0.75, 0.9, 0.975, 0.9995])
def test_closed_forms(probability: float) -> None:
    half = probability - 0.5
    assert _core.student(1, probability) == pytest.approx(math.tan(math.pi * half), rel=1e-9, abs=1e-12)
    expected = 2 * half * math.sqrt(2 / (1 - 4 * half**2)) if half else 0.0
    assert _core.student(2, probability) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 6, 7, 8, 11, 20, 99, 100, 1_001])
@pytest.mark.parametrize("probability", [0.55, 0.9, 0.95, 0.999])
def test_as_the_peer_has_it(degrees: int, probability: float) -> None:
    assert _core.student(degrees, probability) == pytest.approx(
        float(stdtrit(degrees, probability)), rel=1e-9
    )
