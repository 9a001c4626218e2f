"""Figures of `docs/explanation/reliability.md`: what scrubs and policies do to the chance of losing data.

Run as `.venv/bin/python scripts/figures/loss.py`; writes `docs/images/loss-*.svg` and prints the table of policies.
"""

from pathlib import Path
from typing import Any, Literal

import altair as alt
import polars as pl

from drivecast.assess.policy import POLICIES, Policy
from drivecast.catalog import load
from drivecast.document.design import Level
from drivecast.present import style
from drivecast.quantity.interval import Interval
from drivecast.stage.design import Design
from drivecast.stage.loss import Loss, Service, lose, wearing
from drivecast.stage.rebuild import idle_h

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
DRIVE = load().get("samsung-pm893-960gb")
YEARS = 10.0
LIFE_YEARS = 3.0
"""In which even wear uses up the rated cycles."""
DESIGNS: dict[str, tuple[Level, int]] = {
    "RAID 5 of 8": ("raid5", 8),
    "RAID 10 of 8": ("raid10", 8),
}
NAMES: dict[Policy, str] = {
    "one-age": "kept until they fail",
    "together": "replaced together",
    "staggered": "staggered",
    "uneven": "uneven parity",
}
SCRUBS = (1.0, 2.0, 4.0, 7.0, 14.0, 30.0, 60.0, 120.0, 365.0)


def worn(level: Level, count: int) -> Any:
    """Wear that uses up the typical cycles in `LIFE_YEARS`."""
    group = 2 if level == "raid10" else count
    return wearing(Interval.exactly(1 / (LIFE_YEARS * 365)), (1.0,) * group, 0.0, YEARS)


def ask(level: Level, count: int, policy: Policy, replacement: Literal["copied", "rebuilt"]) -> Loss:
    """Ask what a policy loses."""
    service = Service(years=YEARS, rebuild_h=idle_h(DRIVE), spares=1, policy=policy, replacement=replacement)
    return lose(Design(DRIVE, level, count), service, worn(level, count), seed=1, precision=0.03)


def policies() -> alt.FacetChart:
    """Draw the chance of losing data by policy."""
    rows = []
    for title, (level, count) in DESIGNS.items():
        for policy in POLICIES:
            if policy == "uneven" and level != "raid5":
                continue
            ways: tuple[Literal["copied", "rebuilt"], ...] = ("rebuilt", "copied")
            for way in ways if policy != "one-age" else ways[:1]:
                found = ask(level, count, policy, way)
                chance = found.probability
                rows.append(
                    {
                        "design": title,
                        "policy": NAMES[policy],
                        "at the limit": way if policy != "one-age" else "nothing is done",
                        "chance": chance.value,
                        "low": chance.low,
                        "high": chance.high,
                        "failures": found.failure_probability.value,
                    }
                )
                print(
                    f"{title}, {NAMES[policy]}, {way}: {chance.value:.3g} ({chance.low:.2g} to {chance.high:.2g}), "
                    f"by failures {found.failure_probability.value:.3g}"
                )
    ticks = alt.Axis(values=[0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1])
    base = alt.Chart(pl.DataFrame(rows)).encode(
        y=alt.Y("policy:N", sort=list(NAMES.values()), title=None),
        yOffset=alt.YOffset("at the limit:N"),
        color=alt.Color("at the limit:N", scale=alt.Scale(range=style.LINES)),
    )
    scale = alt.Scale(type="log", nice=False)
    span = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", scale=scale, axis=ticks, title=f"chance of losing data within {YEARS:g} years"),
        x2="high:Q",
    )
    point = base.mark_point(filled=True, size=60).encode(x=alt.X("chance:Q", scale=scale, axis=ticks))
    chart: alt.FacetChart = (
        (span + point)
        .properties(width=520, height=150)
        .facet(row=alt.Row("design:N", title=None, sort=list(DESIGNS)))
        .resolve_scale(y="independent", yOffset="independent")
    )
    return chart


def scrubs() -> alt.Chart:
    """Draw the chance of losing data over the time between scrubs."""
    rows = []
    for title, (level, count) in {**DESIGNS, "RAID 6 of 8": ("raid6", 8)}.items():
        for days in SCRUBS:
            service = Service(years=5.0, rebuild_h=idle_h(DRIVE), scrub_days=days)
            found = lose(Design(DRIVE, level, count), service, seed=1, precision=0.02)
            rows += [
                {"design": title, "days": days, "chance": found.probability.value, "by": "simulated"},
                {"design": title, "days": days, "chance": found.closed.probability, "by": "closed form"},
            ]
    chart: alt.Chart = (
        alt.Chart(pl.DataFrame(rows))
        .mark_line()
        .encode(
            x=alt.X(
                "days:Q",
                scale=alt.Scale(type="log", nice=False),
                axis=alt.Axis(values=list(SCRUBS)),
                title="days between scrubs",
            ),
            y=alt.Y(
                "chance:Q",
                scale=alt.Scale(type="log"),
                axis=alt.Axis(format="~e"),
                title="chance within 5 years",
            ),
            color=alt.Color("design:N", sort=list(DESIGNS), scale=alt.Scale(range=style.LINES)),
            strokeDash=alt.StrokeDash(
                "by:N", sort=["simulated", "closed form"], legend=alt.Legend(symbolType="stroke")
            ),
        )
        .properties(width=520, height=280)
    )
    return chart


def main() -> None:
    """Write the figures."""
    for name, chart in (("policies", policies()), ("scrubs", scrubs())):
        style.save_svg(chart, IMAGES / f"loss-{name}.svg")


if __name__ == "__main__":
    main()
