"""A comparison as text, as rows, and as a document of JSON."""

from collections.abc import Iterator
from typing import Any

from drivecast.assess import Interval
from drivecast.health.compare.factor import Comparison, Factor
from drivecast.quantity import number

SCHEMA_VERSION = 1


def text(made: Comparison) -> str:
    """The verdict, the ratios, and what to change."""
    prediction, observation = made.prediction, made.observation
    years = f", grown for {made.years_in_service:.1f} years" if prediction.growth_per_year else ""
    serials = ", ".join(observation.serials[:4]) + (", …" if len(observation.serials) > 4 else "")
    lines = [
        f"predicted   {prediction.design}, by `{prediction.source}`{years}",
        f"observed    {len(observation.serials)} of {prediction.members} drives "
        f"over {observation.days:,.0f} days: {serials}",
        "",
        f"{'':<21}{'predicted':>27}{'observed':>15}{'ratio':>8}  95 %",
        *(_line(one) for one in (made.total, *made.factors)),
        "",
    ]
    # Lines with commands to copy are left to the terminal to wrap.
    return "\n".join([*lines, *_verdict(made)])


def _line(one: Factor) -> str:
    ratio = f"{number.significant(one.ratio.value, 3)}" if one.ratio else "–"
    between = (
        f"{number.significant(one.ratio.low, 3)} to {number.significant(one.ratio.high, 3)}"
        if one.ratio
        else ""
    )
    note = {"holds": "holds", "wrong": "WRONG", "cannot be told": "cannot be told"}[one.outcome]
    if one.outcome == "holds" and one.apart_from_1 and one.predicted.low < one.predicted.high:
        note += ", within what was allowed for"
    scale, unit = UNITS.get(one.unit, (1.0, ""))
    observed = f"{number.significant(scale * one.observed.value, 3)} {unit}" if one.observed else "–"
    return f"{one.name:<21}{_predicted(one):>27}{observed:>15}{ratio:>8}  {between:<16}{note}".rstrip()


UNITS = {"B/day": (1e-9, "GB/d"), "/day": (100.0, "%/d"), "/B": (1e14, "%/TB")}
"""How a unit is shown."""


def _predicted(one: Factor) -> str:
    scale, unit = UNITS.get(one.unit, (1.0, ""))
    low, value, high = (
        number.significant(scale * part, 3)
        for part in (one.predicted.low, one.predicted.value, one.predicted.high)
    )
    return f"{value} {unit}" if low == high else f"{value} ({low}-{high}) {unit}".rstrip()


def _verdict(made: Comparison) -> Iterator[str]:
    wrong, total = made.wrong, made.total
    if wrong:
        names = " and ".join(one.name for one in wrong)
        words = "; the wear itself holds by luck, as they err against each other" if made.by_luck else ""
        if total.outcome == "holds" and not made.by_luck:
            words = "; the wear itself is still within what was allowed for"
        yield f"The prediction does not hold: {names} wrong{words}"
        for one in wrong:
            yield f"- {one.name}: {one.change}"
    elif total.outcome == "wrong":
        yield "The prediction does not hold, though no single input is told to be wrong"
    elif total.outcome == "holds":
        yield "The prediction holds"
    else:
        yield "Whether the prediction holds cannot be told yet"
    for reason in made.observation.missing:
        yield f"- not known: {reason}"
    spread = made.observation.spread
    if spread and spread[1] / spread[0] > 1 + made.tolerance:
        yield f"- the drives share the writes unevenly: {spread[0]:.2f} to {spread[1]:.2f} of their mean"
    held = len(made.observation.serials)
    if held != made.prediction.members:
        yield (
            f"- {held} drives are looked at and the design has {made.prediction.members}: the rest are taken to be "
            "alike (`--serial` says which)"
        )


def rows(made: Comparison) -> list[dict[str, Any]]:
    """One row an input, the wear itself first."""
    return [
        {
            "factor": one.name,
            "unit": one.unit,
            "inputs": one.inputs,
            **_spread("predicted", one.predicted),
            **_spread("observed", one.observed),
            **_spread("ratio", one.ratio),
            "apart_from_1": one.apart_from_1,
            "outcome": one.outcome,
            "change": one.change,
        }
        for one in (made.total, *made.factors)
    ]


def _spread(name: str, span: Interval | None) -> dict[str, float | None]:
    return {
        name: span.value if span else None,
        f"{name}_low": span.low if span else None,
        f"{name}_high": span.high if span else None,
    }


def document(made: Comparison) -> dict[str, Any]:
    """The whole comparison."""
    observation = made.observation
    return {
        "schema_version": SCHEMA_VERSION,
        "design": made.prediction.design,
        "drive": made.prediction.drive,
        "members": made.prediction.members,
        "source": made.prediction.source,
        "growth_per_year": made.prediction.growth_per_year,
        "years_in_service": made.years_in_service,
        "serials": [*observation.serials],
        "days": observation.days,
        "tolerance": made.tolerance,
        "outcome": made.outcome,
        "wrong": [one.name for one in made.wrong],
        "by_luck": made.by_luck,
        "factors": rows(made),
        "spread": list(observation.spread) if observation.spread else None,
        "missing": [*observation.missing],
    }
