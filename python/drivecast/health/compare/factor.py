"""Predicted against observed: which input of the wear of a drive was wrong, and what to change.

Model. Wear a day is a product, and so is its ratio of observed to predicted:

    wear/day = load × share × amplification × wear per flash byte

    load     what the host writes to the array a day, grown as planned until the middle of the time looked at
    share    what one drive is asked to write for a byte of the host: copies and parity over the members
    wear per flash byte    1 / (raw bytes × P/E cycles)

Drives alone tell load × share: `written_per_day`, what the host writes to the array, tells them apart. Drives that do
not tell their flash writes leave amplification and cycles joined. An input is wrong where the whole interval of its
ratio (95 %) lies beyond what the prediction allowed for, widened by a tolerance below which nobody would plan anew;
it holds where the interval lies within; else it cannot be told. The logarithms' variances add, as the inputs err
apart from each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from drivecast.assess import Interval
from drivecast.health.compare.prediction import HOURS_PER_DAY, Prediction
from drivecast.health.compare.wear_observation import Observation
from drivecast.quantity import number

Outcome = Literal["holds", "wrong", "cannot be told"]

TOLERANCE = 0.10
"""Of an input: nobody plans anew for less (assumed)."""


class Input(NamedTuple):
    """One input of the prediction, or a product of those that cannot be told apart."""

    name: str
    unit: str
    inputs: int
    """How many inputs are in it; 0 for the wear a day itself."""
    predicted: Interval
    observed: Interval | None
    change: str = ""
    """What to change in the plan if it is wrong."""


@dataclass(frozen=True)
class Factor:
    """An input that was judged."""

    name: str
    unit: str
    inputs: int
    predicted: Interval
    observed: Interval | None
    ratio: Interval | None
    """Observed over the predicted value."""
    outcome: Outcome
    change: str
    """What to change in the plan; empty where nothing is."""

    @property
    def apart_from_1(self) -> bool:
        """Whether the ratio is told apart from 1, be it within what the prediction allowed for or not."""
        return self.ratio is not None and not self.ratio.low <= 1 <= self.ratio.high

    @property
    def effect(self) -> float:
        """How far the input is off, either way."""
        return abs(math.log(self.ratio.value)) if self.ratio else 0.0


@dataclass(frozen=True)
class Comparison:
    """What came of a prediction."""

    prediction: Prediction
    observation: Observation
    years_in_service: float
    total: Factor
    factors: Sequence[Factor]
    tolerance: float

    @property
    def wrong(self) -> list[Factor]:
        """The inputs that are wrong, the worst first."""
        return sorted((one for one in self.factors if one.outcome == "wrong"), key=lambda one: -one.effect)

    @property
    def by_luck(self) -> bool:
        """Whether wrong inputs err against each other so that the wear comes out right."""
        ways = {one.ratio.value > 1 for one in self.wrong if one.ratio}
        return self.total.outcome == "holds" and len(ways) > 1

    @property
    def outcome(self) -> Outcome:
        """Wrong where the wear or any input of it is."""
        return "wrong" if self.wrong else self.total.outcome


def compare(
    prediction: Prediction,
    observation: Observation,
    *,
    written_per_day: float | None = None,
    years_in_service: float | None = None,
    tolerance: float = TOLERANCE,
) -> Comparison:
    """Hold a prediction against what drives did."""
    known = years_in_service if years_in_service is not None else observation.years_in_service
    years = known or 0.0
    load = prediction.array_bytes_per_day_after(years)

    inputs = [*_writes(prediction, observation, load, written_per_day), *_flash(prediction, observation)]
    observed = [one.observed for one in inputs]
    total = Input(
        "wear a day",
        "/day",
        0,
        _product([one.predicted for one in inputs]),
        _product([one for one in observed if one]) if all(observed) else None,
    )
    factors = [_factor(one, tolerance) for one in inputs]
    return Comparison(prediction, observation, years, _factor(total, tolerance), factors, tolerance)


def _factor(one: Input, tolerance: float) -> Factor:
    ratio = one.observed and one.observed.rising(lambda value: value / one.predicted.value)
    outcome = judged(ratio, one.predicted, tolerance)
    return Factor(
        one.name,
        one.unit,
        one.inputs,
        one.predicted,
        one.observed,
        ratio,
        outcome,
        one.change if outcome == "wrong" else "",
    )


def judged(ratio: Interval | None, predicted: Interval, tolerance: float) -> Outcome:
    """Whether a ratio lies within what was allowed for, beyond it, or across its edge."""
    if ratio is None:
        return "cannot be told"
    low = predicted.low / predicted.value / (1 + tolerance)
    high = predicted.high / predicted.value * (1 + tolerance)
    if ratio.low > high or ratio.high < low:
        return "wrong"
    return "holds" if low <= ratio.low and ratio.high <= high else "cannot be told"


def _product(parts: Sequence[Interval]) -> Interval:
    """The product of intervals that err apart from each other, by their logarithms."""
    value = math.prod(one.value for one in parts)
    low = math.sqrt(sum(math.log(one.value / one.low) ** 2 for one in parts))
    high = math.sqrt(sum(math.log(one.high / one.value) ** 2 for one in parts))
    return Interval(value * math.exp(-low), value, value * math.exp(high))


def _writes(
    prediction: Prediction, observation: Observation, load: float, written: float | None
) -> list[Input]:
    """Load and share, apart where the array's own writes are known: told, or those of its one drive."""
    seen, share = observation.bytes_per_day, prediction.member_share
    if prediction.members == 1 and written is None:
        host = seen and seen.rising(lambda value: value / share)
        return [Input("load", "B/day", 1, Interval.exactly(load), host, _new_load(prediction, host))]
    if written is None:
        change = (
            "the load, or the share of it that a drive gets: say what the host writes to the array with "
            "`--write-per-day`, and compare again"
        )
        return [Input("load x share", "B/day", 2, Interval.exactly(load * share), seen, change)]
    given = Interval.exactly(written)
    each = seen and seen.rising(lambda value: value / written)
    words = (
        f"the array asks {each.value * prediction.members:.2f} bytes of its drives for a byte of the host, not "
        f"{share * prediction.members:.2f}: check its level, chunk size and journal, and plan with those"
        if each
        else ""
    )
    return [
        Input("load", "B/day", 1, Interval.exactly(load), given, _new_load(prediction, given)),
        Input("share", "", 1, Interval.exactly(share), each, words),
    ]


def _new_load(prediction: Prediction, host: Interval | None) -> str:
    """How to plan with the load as it is."""
    if host is None:
        return ""
    now = f"`drivecast wear '{prediction.design}' --write-per-day {host.value / 1e9:.3g}GB`"
    hours = prediction.hours_per_day * host.value / prediction.array_bytes_per_day
    if prediction.source == "plan" and hours <= HOURS_PER_DAY:
        return f"plan with `--hours-per-day {hours:.2g}`, or from a new log; at once: {now}"
    what = "plan from a new log; at once" if prediction.source == "plan" else "run"
    return f"the host writes {number.size(host.value)} a day: {what} {now}"


def _flash(prediction: Prediction, observation: Observation) -> list[Input]:
    """Amplification and cycles, apart where the drives tell their flash writes."""
    per_byte, amplification = prediction.wear_per_nand_byte, prediction.write_amplification
    seen = observation.write_amplification
    if seen is None:
        joined = observation.wear_per_host_byte
        change = "amplification or P/E cycles: these drives do not tell their flash writes, so which one cannot be told"
        return [Input("amplification x wear", "/B", 2, _product([amplification, per_byte]), joined, change)]
    higher = (
        f"write amplification is {seen.value:.2f} in service, background refresh included: plan with `--no-trim`, or "
        "with the capacity that is really filled"
    )
    lower = (
        f"write amplification is {seen.value:.2f} in service: the drive is filled less, or written in longer runs, "
        "than the plan took; plan with the capacity that is really filled, from a new log"
    )
    change = higher if seen.value > amplification.value else lower
    worn = observation.wear_per_nand_byte
    return [
        Input("amplification", "", 1, amplification, seen, change),
        Input("wear per flash byte", "/B", 1, per_byte, worn, _new_cycles(prediction, worn)),
    ]


def _new_cycles(prediction: Prediction, worn: Interval | None) -> str:
    """How to plan with the cycles that the drive itself goes by."""
    if worn is None:
        return ""
    low, value, high = (1 / (one * prediction.raw_bytes) for one in (worn.high, worn.value, worn.low))
    return (
        f"the drive counts as if rated for {value:,.0f} P/E cycles ({low:,.0f} to {high:,.0f}): set `pe_cycles` of "
        f"`{prediction.drive}`, or of its generation in `nand.toml`, in a file for `--catalog`"
    )
