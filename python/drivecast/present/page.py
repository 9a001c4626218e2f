"""A plan as one self-contained HTML page: no script, no network, for screen and for A4 or Letter paper.

The first page is for the person who signs; the rest shows the workload, the designs beside each other,
the winner in detail, every design with its reason, everything assumed, and how to get the same answer
again.
"""

from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from drivecast.document.plan import Plan
from drivecast.files import write_whole
from drivecast.present import answer, drawing, glossary, key_figures, reason
from drivecast.quantity import number

TOP = 5
ROWS_SHOWN = 20


@cache
def environment() -> Environment:
    """Return the templates, with the functions of `number` as filters; whatever is put in is escaped."""
    found = Environment(
        loader=PackageLoader("drivecast.present"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    words = (
        number.size,
        number.latency,
        number.multiple,
        number.headroom,
        number.percent,
        number.money,
        number.power,
        number.energy,
        number.years,
        number.probability,
        number.count,
        number.iops,
        number.significant,
        number.throughput,
        answer.data_loss,
        answer.life,
        answer.value_text,
        answer.shown,
    )
    found.filters.update({word.__name__: word for word in words})
    found.filters["latency_span"] = lambda interval: answer.with_span(number.latency, interval)
    found.filters["years_span"] = lambda interval: answer.with_span(number.years, interval)
    found.filters["months_span"] = lambda interval: answer.with_span(number.months, interval)
    found.filters["media_end"] = answer.media_end
    found.filters["warranty_end"] = answer.warranty_end
    found.filters["quantity"] = number.quantity
    found.filters["code"] = _code
    found.filters["reason"] = reason.text
    found.filters["money_span"] = answer.money_span
    found.filters["ratio_span"] = lambda interval: answer.with_span(number.significant, interval)
    return found


def _code(text: str) -> Markup:
    """Text with what stands in backticks as code."""
    parts = (escape(part) for part in text.split("`"))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts)
    )


def render(plan: Plan) -> str:
    """Return the page of a plan."""
    winner = plan.find(plan.winner)
    misses = sorted(
        (d for d in plan.designs if d.verdict == "misses"), key=lambda d: d.cost.total if d.cost else 0.0
    )
    pruned = [d for d in plan.designs if d.verdict == "pruned"]
    return (
        environment()
        .get_template("plan.html")
        .render(
            plan=plan,
            profile=plan.workload.profile,
            winner=winner,
            ranked=plan.ranked(),
            top=TOP,
            shown_rows=ROWS_SHOWN,
            title=answer.title(plan),
            sentence=answer.sentence(plan),
            tiles=answer.tiles(plan),
            caveats=answer.caveats(plan),
            years=answer.years(plan),
            nearest=plan.near(),
            misses=answer.reasons(misses),
            pruned=answer.reasons(pruned),
            key_figures=key_figures.rows(plan.workload.profile),
            peak=key_figures.peak(plan.workload.profile),
            cost_latency=drawing.cost_against_latency(plan),
            workload_figures=drawing.of_workload(plan.workload.profile),
            design_figures=drawing.of_designs(plan),
            winner_figures=drawing.of_winner(plan, winner) if winner else [],
            sensitivity_figures=drawing.of_sensitivity(plan, winner) if winner else [],
            matters=answer.matters(plan),
            glossary=glossary.TERMS,
        )
    )


def write(plan: Plan, path: Path) -> None:
    """Write the page of a plan, whole or not at all."""
    write_whole(path, render(plan))
