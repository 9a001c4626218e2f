"""Predicted compared with observed: which input of the wear of a drive was wrong.

Model. Wear a day is a product, and so is its ratio of observed to predicted:

    wear/day = load × share × amplification × wear per flash byte

    load     what the host writes to the array a day, grown as planned until the middle of the time observed
    share    bytes written to one drive for a byte of the host: copies and parity over the members
    wear per flash byte    1 / (raw bytes × P/E cycles)

Drives alone show load × share; `written_per_day`, what the host writes to the array, separates them. Drives that do
not report their flash writes leave amplification and cycles joined. An input is wrong where the whole interval of its
ratio (95 %) lies beyond what the prediction allowed for, widened by a tolerance below which nobody would plan anew;
it holds where the interval lies within; else there is not enough data. The logarithms' variances add, as the inputs err
apart from each other.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from drivecast.document.wear_comparison import Comparison, Factor, Observation, Outcome, Prediction
from drivecast.quantity.interval import Interval

TOLERANCE = 0.10
"""Of an input: nobody plans anew for less (assumed)."""


class Input(NamedTuple):
    """One input of the prediction, or a product of those that cannot be separated."""

    name: str
    unit: str
    inputs: int
    predicted: Interval
    observed: Interval | None


def compare(
    prediction: Prediction,
    observation: Observation,
    *,
    written_per_day: float | None = None,
    years_in_service: float | None = None,
    tolerance: float = TOLERANCE,
) -> Comparison:
    """Compare a prediction with what drives did."""
    known = years_in_service if years_in_service is not None else observation.years_in_service
    years = known or 0.0
    load = prediction.array_bytes_per_day_after(years)
    inputs = [*_writes(prediction, observation, load, written_per_day), *_flash(prediction, observation)]
    observed = [part.observed for part in inputs if part.observed]
    whole = _product(observed) if len(observed) == len(inputs) else None
    total = Input("wear a day", "/day", 0, _product([part.predicted for part in inputs]), whole)
    factors = [_factor(part, tolerance) for part in inputs]
    return Comparison(prediction, observation, years, _factor(total, tolerance), factors, tolerance)


def _factor(part: Input, tolerance: float) -> Factor:
    ratio = part.observed and part.observed.rising(lambda value: value / part.predicted.value)
    return Factor(*part, ratio, judged(ratio, part.predicted, tolerance))


def judged(ratio: Interval | None, predicted: Interval, tolerance: float) -> Outcome:
    """Return whether a ratio lies within what was allowed for, beyond it, or across its edge."""
    if ratio is None:
        return "undetermined"
    low = predicted.low / predicted.value / (1 + tolerance)
    high = predicted.high / predicted.value * (1 + tolerance)
    if ratio.low > high or ratio.high < low:
        return "wrong"
    return "holds" if low <= ratio.low and ratio.high <= high else "undetermined"


def _product(parts: Sequence[Interval]) -> Interval:
    """Return the product of intervals that err apart from each other, by their logarithms."""
    value = math.prod(part.value for part in parts)
    low = math.sqrt(sum(math.log(part.value / part.low) ** 2 for part in parts))
    high = math.sqrt(sum(math.log(part.high / part.value) ** 2 for part in parts))
    return Interval(value * math.exp(-low), value, value * math.exp(high))


def _writes(
    prediction: Prediction, observation: Observation, load: float, written: float | None
) -> list[Input]:
    """Return load and share, apart where the array's own writes are known: given, or those of its one drive."""
    seen, share = observation.bytes_per_day, prediction.member_share
    if written is None and prediction.members > 1:
        return [Input("load x share", "B/day", 2, Interval.exactly(load * share), seen)]
    if written is None:
        host = seen and seen.rising(lambda value: value / share)
        return [Input("load", "B/day", 1, Interval.exactly(load), host)]
    return [
        Input("load", "B/day", 1, Interval.exactly(load), Interval.exactly(written)),
        Input("share", "", 1, Interval.exactly(share), seen and seen.rising(lambda value: value / written)),
    ]


def _flash(prediction: Prediction, observation: Observation) -> list[Input]:
    """Return amplification and cycles, apart where the drives report their flash writes."""
    per_byte, amplification = prediction.wear_per_nand_byte, prediction.write_amplification
    seen = observation.write_amplification
    if seen is None:
        joined = _product([amplification, per_byte])
        return [Input("amplification x wear", "/B", 2, joined, observation.wear_per_host_byte)]
    return [
        Input("amplification", "", 1, amplification, seen),
        Input("wear per flash byte", "/B", 1, per_byte, observation.wear_per_nand_byte),
    ]
