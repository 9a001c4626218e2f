"""What of a comparison is kept in the history: ratios by drive and kind of workload, of predictions only."""

import hashlib
import json

from drivecast import __version__
from drivecast.catalog import Catalog
from drivecast.compare.comparison import Comparison
from drivecast.compare.error_log import SCHEMA_VERSION, Ratio, Record
from drivecast.compare.judge import Pair
from drivecast.errors import InputError
from drivecast.stage.simulate import drive_specs


def records(of: Comparison, catalog: Catalog) -> list[Record]:
    """One record a pair; none where both sides were measured, or for a run that saturated on one side."""
    if not of.predicted:
        return []
    found = []
    for pair, kind in zip(of.pairs, of.kinds, strict=True):
        told = [one for one in pair.figures if one.outcome != "untold" and one.name != "max"]
        if pair.saturated_apart or kind is None or not told:
            continue
        design = pair.predicted.target
        drives, spec = _drives(design, catalog)
        found.append(
            Record(
                schema_version=SCHEMA_VERSION,
                key=_key(of, pair),
                measured=pair.measured.started or "",
                version=__version__,
                design=design,
                drives=drives,
                drives_hash=spec,
                kind=kind,
                workload=pair.measured.title,
                target=pair.measured.target,
                tolerance=of.rule.tolerance,
                outcome=pair.outcome,
                ratios=[
                    Ratio(
                        op=one.op,
                        figure=one.name,
                        ratio=one.ratio.value,
                        low=one.ratio.low,
                        high=one.ratio.high,
                    )
                    for one in told
                ],
            )
        )
    return found


def _drives(design: str, catalog: Catalog) -> tuple[list[str], str]:
    """The drives of a design, and a hash of what they are simulated as; a design without names is its own drive."""
    try:
        specs = drive_specs(design, catalog)
    except InputError:  # an outcome made elsewhere, with a catalog that is not here
        specs = {}
    text = json.dumps([design, specs], sort_keys=True)
    return sorted(specs) or [design], hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _key(of: Comparison, pair: Pair) -> str:
    """Of the measurement itself, so that the same comparison made again is known."""
    run = pair.measured
    figures = [{key: one.get(key) for key in ("iops", "read", "write")} for one in run.outcomes]
    parts: list[object] = [
        of.measured.hash,
        run.started,
        run.target,
        run.title,
        figures,
        pair.predicted.target,
    ]
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).hexdigest()
