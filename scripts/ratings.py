"""Writes `docs/reference/ratings.md`: rated writes of the drives beside what their flash could take of JESD219.

Rates all drives, some minutes of work, or reads what `drivecast catalog rating --output-format json` has printed into a
file, given as an argument.
"""

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

from drivecast.catalog import load
from drivecast.cli.rating import row
from drivecast.stage.rating import LOAD, ratings

PLACE = Path(__file__).parents[1] / "docs/reference/ratings.md"
HEAD = f"""# Rated writes against JESD219

What makers rate their drives for, and what the flash could take of `{LOAD}`, the load of ratings: cycles ×
flash / write amplification, which our translation layer finds on a full drive. Cycles are those of the NAND generation,
with their range; nothing is fitted to a rating. Written by `scripts/ratings.py`; the method is told in
`docs/explanation/endurance.md`.
"""


def line(one: dict[str, Any]) -> str:
    """A drive as a row of the table."""
    return (
        f"| {one['drive']} | {one['rated_tb']:,.0f} | {one['provenance']} | {one['write_amplification']:.2f} "
        f"| {one['pe_cycles']:,.0f} | {one['computed_tb']:,.0f} "
        f"| {one['computed_tb_low']:,.0f} – {one['computed_tb_high']:,.0f} | {one['ratio']:.2f} | {one['reason']} |"
    )


def summary(rows: list[dict[str, Any]]) -> str:
    """How many agree, on sale and no longer."""
    drives = load().drives
    parts = []
    for name, wanted in (("on sale", True), ("no longer sold", False)):
        part = [one for one in rows if drives[one["drive"]].available_today is wanted]
        held = sum(one["computed_tb_low"] <= one["rated_tb"] <= one["computed_tb_high"] for one in part)
        middle = median(one["ratio"] for one in part)
        parts.append(
            f"Of {len(part)} drives {name}, {held} are rated within the interval of what their flash could take;\nthe "
            f"median ratio of computed to rated is {middle:.2f}."
        )
    return "\n".join(parts)


def render(rows: list[dict[str, Any]]) -> str:
    """The page."""
    head = "| drive | rated TB | known by | write amplification | cycles | computed TB | low – high | ratio | why |"
    table = [head, "|---|---|---|---|---|---|---|---|---|", *(line(one) for one in rows)]
    return "\n".join([HEAD, summary(rows), "", *table]) + "\n"


def found() -> list[dict[str, Any]]:
    """The ratings."""
    if len(sys.argv) > 1:
        return list(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["ratings"])
    return [row(one) for one in ratings(load(), [], lambda _share, name: print(name, file=sys.stderr))]


if __name__ == "__main__":
    PLACE.write_text(render(found()), encoding="utf-8")
