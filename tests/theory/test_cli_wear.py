"""`drivecast wear` of uniform random writes against the mean field of greedy garbage collection, from end to end."""

from collections.abc import Callable
from typing import Any

import pytest


def mean_field(spare_factor: float, pages: int) -> float:
    """Write amplification of greedy collection in an endless drive (Bux and Iliadis 2010, Desnoyers 2012).

    A block with i valid pages loses one at a rate i, so the share of blocks with i is 1/(λ i), from i = b down to where
    the shares make up one; λ follows from the mean share of valid pages, 1 - S_f, and amplification is 1/((1 - S_f) λ).
    """
    valid = pages * (1 - spare_factor)

    def mean_valid(rate: float) -> float:
        left, total = 1.0, 0.0
        for count in range(pages, 0, -1):
            share = min(left, 1 / (rate * count))
            left, total = left - share, total + share * count
            if left <= 0:
                break
        return total

    low, high = 1e-3, 1e3
    for _ in range(200):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if mean_valid(middle) > valid else (low, middle)
    return 1 / ((1 - spare_factor) * low)


@pytest.mark.parametrize(("spare_factor", "pages", "expected"), [(0.07, 64, 6.615), (0.2, 256, 2.668)])
def test_the_mean_field_here_is_the_published_table(spare_factor: float, pages: int, expected: float) -> None:
    assert mean_field(spare_factor, pages) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("pages", [64, 256])
@pytest.mark.parametrize("spare_factor", [0.07, 0.2, 0.5])
def test_random_writes_amplify_as_the_closed_form_says(
    drivecast: Callable[..., Any], spare_factor: float, pages: int
) -> None:
    # The form is for endless drives; the blocks kept free weigh 1/4,400 of the drive each, whatever their size.
    size = f"logical={pages // 64}GiB, spare_factor={spare_factor}, pages_per_block={pages}, page=4KiB"
    design = f"ssd({size}, gc=greedy)"
    done = drivecast("wear", design, "-w", "random(4KiB, read=0)", "--output-format", "json")
    assert done.code == 0, done.err
    found = done.json
    assert found["steady"]
    assert found["write_amplification"] == pytest.approx(mean_field(spare_factor, pages), rel=0.01)
