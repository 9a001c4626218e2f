"""A plan as one self-contained HTML page, without network, for screen and for A4 or Letter paper.

The first page is for the person who signs; the rest shows the workload, the designs beside each other,
the winner in detail, every design with its reason, everything assumed, and how to get the same answer
again. A profile has a page of its own, in the same dress.
"""

from collections.abc import Callable
from functools import cache, partial
from inspect import getmembers, isfunction
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from drivecast.document.plan import Design, Plan
from drivecast.document.profile import Profile
from drivecast.files import write_whole
from drivecast.plain_text import redacted, visible
from drivecast.present import (
    answer,
    array_states,
    buyers_question,
    cache_words,
    drawing,
    embedded,
    key_figures,
    neighbours,
    price_words,
    reason,
    rent_text,
    scenarios,
    typeface,
)
from drivecast.quantity import number
from drivecast.quantity.year import today

ANSWERS: tuple[Callable[..., str], ...] = (
    answer.data_loss,
    answer.life,
    answer.value_text,
    answer.shown,
    answer.media_end,
    answer.worn_reads,
    answer.beyond_redundancy,
    answer.warranty_end,
    answer.money_span,
    answer.monthly,
)
"""Functions of `answer` that templates have as filters."""
TOP = 4
ROWS_SHOWN = 20
TERMS = {
    "IOPS": "requests (reads and writes) per second",
    "p99": "99 of 100 requests are at least this fast",
    "Headroom": "how many times the busiest measured stretch a design carries before it falls behind",
    "Peak": "the busiest stretch of the recording; designs are simulated with its requests",
    "Queue depth": "requests outstanding at one time, waiting or in service",
    "RAID 1, 10": "each byte is stored on two drives: one may fail",
    "RAID 5, 6": "parity over several drives: any one (5) or any two (6) may fail; small writes cost extra",
    "Write amplification": "bytes written to flash per byte written by the host; at least 1",
    "Drive writes per day (DWPD)": "daily host writes over the drive's capacity; makers rate drives by it",
    "P/E cycles": "how often flash can be programmed and erased before it no longer holds data",
    "Life": "years until the flash is worn out or the rated writes are exhausted, whichever is first",
    "Warranty end, media end": "the dates at which the maker's warranty ends and the flash is worn out",
    "Unpowered retention": "how long a drive keeps its data without power; less as flash wears",
    "Residual value": "what the drives are worth at the end",
    "Annual failure rate": "share of drives that fail within a year",
    "Pareto-optimal": "no other design is better in cost, latency and life at once",
    "Measured, derived": "counted in the recording, or computed from such counts",
    "Published, fitted, assumed": "from a named source, fitted to measurements, or neither",
}
"""The terms of a report, a line each, for a reader who buys storage but does not run it."""
OF_CACHES = {
    "Cache, warm, from empty": "flash before disks; as it is once it has seen the log, and as it begins",
    "Write-back, write-through": "written to the cache alone at first, or to what is behind it at once",
}
"""The terms of a report that recommends one."""


@cache
def environment() -> Environment:
    """Return the templates, with the functions of `number` as filters; whatever is put in is escaped and redacted."""
    found = Environment(
        loader=PackageLoader("drivecast.present"),
        autoescape=True,
        finalize=_fit_to_print,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(getmembers(number, isfunction))
    found.filters.update({word.__name__: word for word in ANSWERS})
    spans = {
        "latency_span": number.latency,
        "years_span": number.years,
        "months_span": number.months,
        "ratio_span": number.significant,
    }
    found.filters.update({name: partial(answer.with_span, word) for name, word in spans.items()})
    found.filters.update(code=_code, reason=reason.text)
    found.globals.update(faces=lambda: Markup(typeface.faces()))  # noqa: S704 (ours, without input)
    return found


def _fit_to_print(value: Any) -> Any:
    """What a template puts in, without secrets and control characters."""
    return redacted(visible(value)) if isinstance(value, str) and not isinstance(value, Markup) else value


def filled(template: str, **context: Any) -> str:
    """Return a template with all that it shows."""
    return environment().get_template(template).render(context)


def _code(text: str) -> Markup:
    """Text, with backticks rendered as code."""
    parts = (escape(part) for part in _fit_to_print(text).split("`"))
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts)
    )


def render(plan: Plan) -> str:
    """Return the page of a plan."""
    winner = plan.find(plan.winner)
    misses = sorted(
        (d for d in plan.designs if d.verdict == "misses"), key=lambda d: d.cost.total if d.cost else 0.0
    )
    return filled(
        "plan.html",
        **_workload(plan.workload.profile, drawing.of_workload(plan.workload.profile)),
        plan=plan,
        what_if=embedded.of(plan.carried),
        winner=winner,
        ranked=plan.ranked(),
        first=_first(plan),
        shown_rows=ROWS_SHOWN,
        title=answer.title(plan),
        sentence=answer.sentence(plan),
        tiles=answer.tiles(plan),
        caveats=answer.caveats(plan),
        years=answer.wanted(plan, "years"),
        nearest=plan.near(),
        rejected=[
            ("Miss a requirement", [(kind, len(of), of) for kind, of in reason.reasons(misses)]),
            ("Ruled out before simulation", reason.ruled_out(plan)),
        ],
        cost_latency=drawing.cost_against_latency(plan),
        design_figures=drawing.of_designs(plan),
        winner_figures=drawing.of_winner(plan, winner) if winner else [],
        sensitivity_figures=drawing.of_sensitivity(plan, winner) if winner else [],
        ranking=[*answer.ranking(plan), *buyers_question.summary(plan)],
        changes=scenarios.changes(plan),
        price_age=price_words.age(plan, today()),
        break_even=price_words.break_even(plan),
        prices=buyers_question.prices(plan),
        comparisons=buyers_question.comparisons(plan),
        states=array_states.rows(plan),
        matters=answer.matters(plan),
        rented=rent_text.summary(plan),
        no_cache=cache_words.summary(plan),
        unjudged=cache_words.unjudged(plan),
        near_cached=cache_words.nearest(plan),
        cache_facts=cache_words.facts(winner.cached) if winner else [],
        shared=[(design.title, neighbours.effects(design)) for design in neighbours.shared(plan)],
        glossary=TERMS | (OF_CACHES if winner and winner.cached else {}),
    )


def _first(plan: Plan) -> list[Design]:
    """Return the designs of the first page: the best or the nearest, what runs now behind the first, what is yours."""
    best = (plan.ranked() or plan.near())[:TOP]
    named = sorted(
        (design for design in plan.yours() if design not in best), key=lambda design: not design.today
    )
    now = [design for design in named if design.today]
    return [*best[:1], *now, *best[1:], *named[len(now) :]]


def write(plan: Plan, path: Path) -> None:
    """Write the page of a plan, whole or not at all."""
    write_whole(path, render(plan))


def _workload(profile: Profile, figures: list[drawing.Figure]) -> dict[str, Any]:
    """Return what the part about the workload shows."""
    return {
        "profile": profile,
        "key_figures": key_figures.rows(profile),
        "peak": key_figures.peak(profile),
        "workload_figures": figures,
    }


def _of_profile(profile: Profile) -> list[drawing.Figure]:
    return [*drawing.of_workload(profile), *drawing.of_detail(profile)]


def render_profile(profile: Profile, name: str) -> str:
    """Return the page of a profile of the recording called `name`."""
    return filled("profile.html", name=name, **_workload(profile, _of_profile(profile)))


def write_profile(profile: Profile, name: str, path: Path) -> None:
    """Write the page of a profile, whole or not at all."""
    write_whole(path, render_profile(profile, name))


def draw_profile(profile: Profile, folder: Path) -> list[Path]:
    """Draw each figure of a profile into a file `NAME.svg` in a folder, which is made if missing; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for figure in _of_profile(profile):
        files.append(folder / f"{figure.name}.svg")
        write_whole(files[-1], figure.svg)
    return files
