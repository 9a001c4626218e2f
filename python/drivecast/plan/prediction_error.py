"""How far predictions have been off so far, for the designs of a plan: what `drivecast compare` recorded.

For the winner, or the nearest miss where nothing fits, and for every other design that was refined. The
kind of the workload is that of the peak as it was simulated: played at its own times, so an open loop. The file of a
drive that was fitted to runs states its own error on runs held out (`[held_out]`), which is reported next to it.
"""

from pathlib import Path

from drivecast.catalog import Catalog
from drivecast.compare import error_log
from drivecast.compare.error_summary import standing
from drivecast.compare.workload_kind import SEQUENTIAL_MIN, classed
from drivecast.document.plan import Plan
from drivecast.document.prediction_error import DesignError, PredictionError


def stated(plan: Plan, path: Path, catalog: Catalog) -> PredictionError:
    """The errors in the log in `path` for the designs of a plan.

    Raises `InputError` where there is no such log, or it is damaged.
    """
    logged = error_log.read(path)
    profile = plan.workload.profile
    share = profile.sequential_fraction_interleaved or profile.sequential_fraction or 0.0
    rows = []
    for design in plan.designs:
        if not design.refined or design.outcome is None or design.drive is None:
            continue
        kind = classed(design.outcome, sequential=share >= SEQUENTIAL_MIN, open_loop=True)
        found = standing(logged.records, [design.drive], kind)
        fitted = catalog.get(design.drive).sheet.held_out
        rows.append(
            DesignError(
                **dict(found),
                design=design.line,
                drive=design.drive,
                kind=kind,
                held_out=fitted.model_dump() if fitted else None,
            )
        )
    return PredictionError(comparisons=len(logged.records), designs=rows)
