"""Writes `web/src/serve/plan_form.json`: the fields of the form for a new plan, from the definitions of its options.

An option of `drivecast plan` has a field here, or a reason in `LEFT_OUT` why it has none.
"""

import json
import re
from pathlib import Path
from typing import Any

from drivecast.document.option import Defined, defined
from drivecast.document.plan_options import (
    DESIGNS,
    LIMITS,
    MONEY,
    READING,
    RUN,
    WORKLOAD,
    PlanOptions,
)

PLACE = Path(__file__).parents[1] / "web/src/serve/plan_form.json"
GROUPS = (LIMITS, DESIGNS, WORKLOAD, MONEY, READING, RUN)
"""In the order of the page; the first is open."""
LEFT_OUT = {
    "--cluster": "where plans are made is the server's affair, and an address that anybody may give would have it call"
    " any machine that it reaches",
    "--threads": "each plan has its part of the cores: `drivecast serve --jobs`",
    "--catalog": "drives are the same for all who use a server: `drivecast serve --catalog`",
    "--out": "every plan has its report, to be read and to be taken away",
    "--output-format": "a plan is taken away as a report, JSON or CSV",
    "--quiet": "progress is what a page shows",
    "--verbose": "a server says what it does in the log of a job, in its data folder",
    "--help": "each field has its text",
}
"""Options of `drivecast plan` that the form lacks, and why."""


def fields() -> list[dict[str, Any]]:
    """The fields in order, each with its heading."""
    options = [*defined(PlanOptions)]
    labels = {option.flag: option.option.label for option in options}
    ordered = sorted(options, key=lambda option: GROUPS.index(option.option.group))
    return [field(option, labels) for option in ordered]


def field(option: Defined, labels: dict[str, str]) -> dict[str, Any]:
    """An option as a form shows it; `plain` is the text of what it is when nothing is given."""
    what, kind = option.option, option.kind
    found = {
        "name": option.name,
        "group": what.group,
        "label": what.label,
        "kind": entry(option),
        "help": worded(what.help, labels),
        "example": what.example,
        "shape": what.shape,
        "low": what.low if what.shape is None else None,
        "high": what.high if what.shape is None else None,
        "whole": kind.inner is int or None,
        "choices": choices(option),
        "plain": "" if option.default in (None, ()) else plain(option.default),
        "flag": option.flag,
    }
    if kind.inner is bool:
        found["flag"], found["off"] = option.on_and_off
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def entry(option: Defined) -> str:
    """How it is entered; what can only be switched off is a switch that is on for off."""
    kind = option.kind
    if option.option.choices or (kind.inner is bool and option.default is not False and not option.inverse):
        return "choice"
    if kind.inner is bool:
        return "unless" if option.inverse else "switch"
    if kind.several:
        return "lines"
    if option.option.shape == "file":
        return "file"
    return "number" if kind.inner in (int, float) else "text"


def choices(option: Defined) -> list[list[str]]:
    """Values with what they are called; the default is what is left empty."""
    if entry(option) != "choice":
        return []
    called = option.option.choices or {"true": "yes", "false": "no"}
    default = "" if option.default is None else plain(option.default)
    rest = [[value, text] for value, text in called.items() if value != default]
    return [["", called[default]], *rest]


def plain(value: object) -> str:
    """A value as the page has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def worded(text: str, labels: dict[str, str]) -> str:
    """A help text, with fields by their labels where it names options."""
    return re.sub(r"`(--[\w-]+)`", lambda found: f"“{labels.get(found[1], found[1])}”", text)


def render() -> str:
    """The text of the file."""
    return json.dumps(fields(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(render(), encoding="utf-8")
