"""What is put into the equations of `calibration.ssd_tail` comes out of the fit."""

import math

import pytest

from drivecast.calibration import ssd_tail
from drivecast.calibration.load_table import QUANTILES, Load
from drivecast.errors import NoAnswer

STEADY = 80_000.0


def _exact(lone: float, spread: float, wait: float, load: float, share: float) -> float:
    """The quantile by search over a fine grid: not the code under test."""
    step, x = 0.05, 0.0
    while True:
        above = sum(
            1.0 if x < t else load * math.exp(-(x - t) / wait) for t in (lone - spread, lone, lone + spread)
        )
        if above / 3 <= 1 - share:
            return x
        x += step


def _load(offered: float, reads: dict[str, float], writes: dict[str, float], through: float = 1.0) -> Load:
    return Load("d", 100.0, "uniform", offered, 5000.0, offered * through, reads, writes)


@pytest.mark.parametrize(("lone", "spread", "wait"), [(60.0, 20.0, 70.0), (75.0, 0.0, 130.0)])
def test_reads_give_back_what_was_put_in(lone: float, spread: float, wait: float) -> None:
    flat = dict.fromkeys(QUANTILES, 10.0)
    rows = [
        _load(
            rate, {name: _exact(lone, spread, wait, rate / STEADY, q) for name, q in QUANTILES.items()}, flat
        )
        for rate in (10_000.0, 40_000.0, 60_000.0)
    ]
    found = ssd_tail.reads(rows, STEADY)
    assert found.lone_us.value == pytest.approx(lone, rel=0.01)
    assert found.type_spread_us.value == pytest.approx(spread, abs=1.0)
    assert found.suspend_wait_us.value == pytest.approx(wait, rel=0.01)


def test_batches_give_back_what_was_put_in() -> None:
    every, slack, time = 2000.0, 100.0, 12_000.0

    def wait(rate: float, share: float) -> float:
        return max(10.0, time - (slack + (1 - share) * every) / (rate / 1e6))

    rows = [
        _load(
            rate,
            dict.fromkeys(QUANTILES, 70.0),
            {name: wait(rate, q) for name, q in QUANTILES.items()},
        )
        for rate in (20_000.0, 40_000.0)
    ]
    found = ssd_tail.batches(rows)
    assert (found.every_pages, found.slack_pages, found.time_us) == pytest.approx(
        (every, slack, time), rel=1e-6
    )


def test_no_batches_where_no_write_waited() -> None:
    flat = dict.fromkeys(QUANTILES, 10.0)
    assert ssd_tail.batches([_load(rate, flat, flat) for rate in (20_000.0, 40_000.0)]) is None


def test_what_goes_first_is_told_by_the_median_at_saturation() -> None:
    flat = dict.fromkeys(QUANTILES, 10.0)
    rows = [
        _load(rate, {n: _exact(60, 20, 70, rate / STEADY, q) for n, q in QUANTILES.items()}, flat)
        for rate in (10_000.0, 40_000.0)
    ]
    waits = ssd_tail.reads(rows, STEADY)
    held = dict.fromkeys(QUANTILES, 4000.0)
    for median, expected in ((180.0, "reads-first"), (900.0, "programs-first"), (3900.0, "in-order")):
        full = _load(200_000.0, dict.fromkeys(QUANTILES, median), held, through=0.4)
        assert ssd_tail.when_full([*rows, full], waits) == expected


def test_data_that_cannot_carry_a_fit_are_refused() -> None:
    flat = dict.fromkeys(QUANTILES, 4000.0)
    with pytest.raises(NoAnswer, match="below saturation"):
        ssd_tail.reads([_load(200_000.0, flat, flat, through=0.4)], STEADY)
