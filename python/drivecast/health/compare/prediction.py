"""The daily wear of one drive as a plan, or a wear run, predicts it: the product of its inputs."""

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from drivecast.catalog import Catalog, Drive
from drivecast.document.plan import Plan
from drivecast.document.wear import Wear
from drivecast.document.wear_comparison import Prediction
from drivecast.errors import HintedError, InputError
from drivecast.files import read_text
from drivecast.quantity.interval import Interval

HOURS_PER_DAY = 24.0


def read(path: Path, design: str | None, catalog: Catalog) -> Prediction:
    """The prediction for a design in a JSON document of `plan` or of `wear`; the winner's where none is named.

    Raises `InputError` for a file that is neither, or whose design has no wear to compare.
    """
    text = read_text(path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise HintedError(f"`{path}` is no JSON: {error}", _HINT) from None
    try:
        if isinstance(document, dict) and isinstance(document.get("designs"), list):
            return _of_plan(Plan.check(document), design, catalog)
        if isinstance(document, dict) and "parity_factor" in document:
            return _of_wear(Wear.model_validate(document), design, catalog)
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise HintedError(
            f"`{path}` lacks what a comparison needs, or holds it damaged: {error}", _HINT
        ) from None
    raise HintedError(f"`{path}` is neither a plan nor a wear run", _HINT)


_HINT = (
    "`drivecast plan TRACE -o plan.json` and `drivecast wear … --output-format json > wear.json` write them"
)


def _of_plan(plan: Plan, design: str | None, catalog: Catalog) -> Prediction:
    line = design or plan.winner
    if line is None:
        raise InputError("nothing fits in this plan, so it has no winner; name a design with `--design`")
    rows = {row.line: row for row in plan.designs}
    if line not in rows:
        near = "".join(f"did you mean `{name}`?" for name in get_close_matches(line, rows, 1))
        raise HintedError(f"the plan has no design `{line}`", near)
    row = rows[line]
    amplified = row.write_amplification
    if amplified is None or row.dwpd_used is None or row.drive is None or row.count is None:
        raise InputError(f"the plan has no wear of `{line}`, which it {row.verdict}")
    drive = catalog.get(row.drive)
    needs = {need.name: need.value for need in plan.requirements}
    hours = float(needs.get("hours_a_day") or HOURS_PER_DAY)
    per_day = (plan.workload.profile.write_bytes_per_day or 0.0) * hours / HOURS_PER_DAY
    return Prediction(
        source="plan",
        design=line,
        drive=drive.name,
        members=row.count,
        array_bytes_per_day=_positive(per_day, "host writes a day"),
        growth_per_year=float(needs.get("growth") or 0.0),
        hours_per_day=hours,
        member_share=_positive(row.dwpd_used, "writes of a drive") * drive.user_bytes / per_day,
        write_amplification=Interval(amplified.low or 0.0, amplified.value or 0.0, amplified.high or 0.0),
        **_flash(drive),
    )


def _of_wear(wear: Wear, design: str | None, catalog: Catalog) -> Prediction:
    if design is not None and design != wear.design:
        raise InputError(f"this wear run is of `{wear.design}`, not of `{design}`")
    if wear.write_bytes_per_day is None:
        raise InputError("this wear run has no daily writes; run it again with `--write-per-day`")
    names = {drive.drive for drive in wear.drives}
    if len(names) != 1:
        raise InputError(f"`{wear.design}` mixes drives; a comparison takes one kind")
    drive = catalog.get(names.pop())
    return Prediction(
        source="wear",
        design=wear.design,
        drive=drive.name,
        members=wear.members,
        array_bytes_per_day=_positive(wear.write_bytes_per_day, "host writes a day"),
        growth_per_year=wear.growth_per_year,
        hours_per_day=HOURS_PER_DAY,
        member_share=_positive(wear.parity_factor, "parity factor") / wear.members,
        write_amplification=wear.of_bytes,
        **_flash(drive),
    )


def _flash(drive: Drive) -> dict[str, Any]:
    if drive.pe_cycles is None or drive.raw_bytes is None:
        raise InputError(f"`{drive.name}` does not wear: there is nothing to compare")
    cycles = drive.pe_cycles
    return {"pe_cycles": Interval(cycles.low, cycles.typical, cycles.high), "raw_bytes": drive.raw_bytes}


def _positive(value: float, what: str) -> float:
    if not value > 0:
        raise InputError(
            f"nothing is written in this prediction ({what}: {value:g}): there is no wear to compare"
        )
    return value
