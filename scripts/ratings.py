"""Writes `docs/reference/ratings.md`: rated writes of the drives next to what their flash could take of JESD219.

Rates all drives, some minutes of work, or reads what `drivecast catalog rating --output-format json` has printed into a
file, given as an argument.
"""

import sys
from pathlib import Path
from statistics import median

from drivecast.catalog import load
from drivecast.document.calibration import Rating, Ratings
from drivecast.present.drives import rating_reason
from drivecast.stage.jesd219 import LOAD, ratings

PLACE = Path(__file__).parents[1] / "docs/reference/ratings.md"
HEAD = f"""# Rated writes against JESD219

What makers rate their drives for, and what the flash could take of `{LOAD}`, the load of ratings: cycles ×
flash / write amplification, which our translation layer finds on a full drive. Cycles are those of the NAND generation,
with their range; nothing is fitted to a rating. Written by `scripts/ratings.py`; the method is in
`docs/explanation/endurance.md`.
"""


def line(row: Rating) -> str:
    """A drive as a row of the table."""
    return (
        f"| {row.drive} | {row.rated_tb:,.0f} | {row.provenance} | {row.write_amplification:.2f} "
        f"| {row.pe_cycles:,.0f} | {row.computed_tb:,.0f} | {row.computed_tb_low:,.0f} – {row.computed_tb_high:,.0f} "
        f"| {row.ratio:.2f} | {rating_reason(row)} |"
    )


def summary(rows: list[Rating]) -> str:
    """How many agree, on sale and no longer."""
    drives = load().drives
    parts = []
    for name, wanted in (("on sale", True), ("no longer sold", False)):
        part = [row for row in rows if drives[row.drive].available_today is wanted]
        held = sum(row.computed_tb_low <= row.rated_tb <= row.computed_tb_high for row in part)
        middle = median(row.ratio for row in part)
        parts.append(
            f"Of {len(part)} drives {name}, {held} are rated within the interval of what their flash could take;\nthe "
            f"median ratio of computed to rated is {middle:.2f}."
        )
    return "\n".join(parts)


def render(rows: list[Rating]) -> str:
    """The page."""
    head = "| drive | rated TB | known by | write amplification | cycles | computed TB | low – high | ratio | why |"
    table = [head, "|---|---|---|---|---|---|---|---|---|", *map(line, rows)]
    return "\n".join([HEAD, summary(rows), "", *table]) + "\n"


def found() -> list[Rating]:
    """The ratings."""
    if len(sys.argv) > 1:
        return Ratings.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8")).ratings
    return ratings(load(), [], lambda _share, name: print(name, file=sys.stderr)).ratings


if __name__ == "__main__":
    PLACE.write_text(render(found()), encoding="utf-8")
