"""A comparison of wear in words: the ratios, the verdict, and what to change in the plan."""

from collections.abc import Callable, Iterator

from rich.text import Text

from drivecast.document.wear_comparison import (
    Comparison,
    Factor,
    FactorRow,
    Missing,
    Observation,
    WearComparison,
)
from drivecast.present import grid
from drivecast.quantity import number
from drivecast.quantity.interval import Interval

HOURS_PER_DAY = 24.0
UNITS = {"B/day": (1e-9, "GB/d"), "/day": (100.0, "%/d"), "/B": (1e14, "%/TB")}
"""How a unit is shown."""
MISSING: dict[Missing, str] = {
    "host writes": "no drive reports its host writes over two days or more",
    "flash writes": "no drive reports its flash writes; amplification and cycles cannot be separated",
    "wear": "no drive reports its wear over two days or more",
    "wear steps": (
        "the wear of the drives changed fewer than two times (by {0:.3f} % at most): wait, or take more time with an "
        "earlier `--since`"
    ),
}


HIGHER = ", background refresh included: plan with `--no-trim`, or with the capacity that is really filled"
LOWER = (
    ": the drive is filled less, or written in longer runs, than the plan assumed; plan with the capacity that is "
    "really filled, from a new log"
)


def document(made: Comparison) -> WearComparison:
    """Return the comparison with its wording."""
    prediction, observation = made.prediction, made.observation
    names = ("design", "drive", "members", "source", "growth_per_year")
    return WearComparison(
        **{name: getattr(prediction, name) for name in names},
        years_in_service=made.years_in_service,
        serials=[*observation.serials],
        days=observation.days,
        tolerance=made.tolerance,
        outcome=made.outcome,
        wrong=[factor.name for factor in made.wrong],
        by_luck=made.by_luck,
        factors=[_row(made, factor) for factor in (made.total, *made.factors)],
        spread=observation.spread,
        missing=_missing(observation),
    )


def _missing(observation: Observation) -> list[str]:
    return [MISSING[name].format(100 * observation.wear_change) for name in observation.missing]


def _row(made: Comparison, factor: Factor) -> FactorRow:
    spans = {"predicted": factor.predicted, "observed": factor.observed, "ratio": factor.ratio}
    return FactorRow(
        factor=factor.name,
        unit=factor.unit,
        inputs=factor.inputs,
        **{
            name + suffix: getattr(span, part)
            for name, span in spans.items()
            if span
            for suffix, part in (("", "value"), ("_low", "low"), ("_high", "high"))
        },
        apart_from_1=factor.apart_from_1,
        outcome=factor.outcome,
        change=change(made, factor) if factor in made.wrong else "",
    )


def lines(made: Comparison) -> list[str | Text]:
    """Return the ratios, the verdict, and what to change."""
    prediction, observation = made.prediction, made.observation
    years = f", grown for {made.years_in_service:.1f} years" if prediction.growth_per_year else ""
    serials = ", ".join(observation.serials[:4]) + (", …" if len(observation.serials) > 4 else "")
    held = f"{len(observation.serials)} of {prediction.members} drives over {observation.days:,.0f} days: {serials}"
    rows = [_cells(factor) for factor in (made.total, *made.factors)]
    return [
        f"predicted   {prediction.design}, by `{prediction.source}`{years}",
        f"observed    {grid.clean(held)}",
        "",
        *grid.table(("<", "predicted", "observed", "ratio", "<95 %", "<"), rows),
        "",
        *_verdict(made),  # its commands are to be copied: the terminal wraps them
    ]


def _cells(factor: Factor) -> tuple[str | None, ...]:
    note = {"holds": "holds", "wrong": "WRONG", "undetermined": "undetermined"}[factor.outcome]
    if factor.outcome == "holds" and factor.apart_from_1 and factor.predicted.low < factor.predicted.high:
        note += ", within what was allowed for"
    scale, unit = UNITS.get(factor.unit, (1.0, ""))
    span, ratio = factor.predicted, factor.ratio
    low, value, high = (number.significant(scale * bound, 3) for bound in (span.low, span.value, span.high))
    return (
        factor.name,
        f"{value} {unit}".strip() if low == high else f"{value} ({low}–{high}) {unit}".rstrip(),
        f"{number.significant(scale * factor.observed.value, 3)} {unit}".strip() if factor.observed else None,
        number.significant(ratio.value, 3) if ratio else None,
        f"{number.significant(ratio.low, 3)} to {number.significant(ratio.high, 3)}" if ratio else "",
        note,
    )


def _verdict(made: Comparison) -> Iterator[str]:
    wrong, total = made.wrong, made.total
    if wrong:
        names = " and ".join(factor.name for factor in wrong)
        tail = "; the wear itself holds by luck, as they err against each other" if made.by_luck else ""
        if total.outcome == "holds" and not made.by_luck:
            tail = "; the wear itself is still within what was allowed for"
        yield f"The prediction does not hold: {names} wrong{tail}"
        yield from (f"- {factor.name}: {change(made, factor)}" for factor in wrong)
    else:
        yield {
            "wrong": "The prediction does not hold, though no single input is shown to be wrong",
            "holds": "The prediction holds",
            "undetermined": "There are not enough data yet to say whether the prediction holds",
        }[total.outcome]
    yield from (f"- unknown: {text}" for text in _missing(made.observation))
    spread = made.observation.spread
    if spread and spread[1] > (1 + made.tolerance) * spread[0]:
        yield f"- the drives share the writes unevenly: {spread[0]:.2f} to {spread[1]:.2f} of their mean"
    held, members = len(made.observation.serials), made.prediction.members
    if held != members:
        yield (
            f"- {held} drives are compared and the design has {members}: the others are assumed to be alike "
            "(`--serial` selects drives)"
        )


def change(made: Comparison, factor: Factor) -> str:
    """Return what to change in the plan for an input that is wrong."""
    prediction, seen = made.prediction, factor.observed
    if seen is None:
        return ""
    higher = seen.value > factor.predicted.value
    found: dict[str, Callable[[], str]] = {
        "load": lambda: _new_load(made, seen),
        "load x share": lambda: (
            "the load, or the share of it that a drive gets: give what the host writes to the array with "
            "`--write-per-day`, and compare again"
        ),
        "share": lambda: (
            f"the array writes {seen.value * prediction.members:.2f} bytes to its drives for a byte of the host, "
            f"not {prediction.member_share * prediction.members:.2f}: check its level, chunk size and journal, and "
            "plan with those"
        ),
        "amplification x wear": lambda: (
            "amplification or P/E cycles: these drives do not report their flash writes, so it is ambiguous which"
        ),
        "amplification": lambda: (
            f"write amplification is {seen.value:.2f} in service{HIGHER if higher else LOWER}"
        ),
        "wear per flash byte": lambda: _new_cycles(made, seen),
    }
    return found[factor.name]()


def _new_load(made: Comparison, host: Interval) -> str:
    """Return how to plan with the load as it is."""
    prediction = made.prediction
    now = f"`drivecast wear '{prediction.design}' --write-per-day {host.value / 1e9:.3g}GB`"
    hours = prediction.hours_per_day * host.value / prediction.array_bytes_per_day
    if prediction.source == "plan" and hours <= HOURS_PER_DAY:
        return f"plan with `--hours-per-day {hours:.2g}`, or from a new log; at once: {now}"
    what = "plan from a new log; at once" if prediction.source == "plan" else "run"
    return f"the host writes {number.size(host.value)} a day: {what} {now}"


def _new_cycles(made: Comparison, worn: Interval) -> str:
    """Return how to plan with the cycles that the drive itself goes by."""
    raw, drive = made.prediction.raw_bytes, made.prediction.drive
    low, value, high = (1 / (wear * raw) for wear in (worn.high, worn.value, worn.low))
    return (
        f"the drive counts as if rated for {value:,.0f} P/E cycles ({low:,.0f} to {high:,.0f}): set `pe_cycles` of "
        f"`{drive}`, or of its generation in `nand.toml`, in a file for `--catalog`"
    )
