"""What of a comparison is kept in the history: ratios by drive and kind of workload, of predictions only."""

import hashlib
import json
from collections import deque
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from drivecast import __version__, _core
from drivecast.catalog import Catalog
from drivecast.compare import kind
from drivecast.compare.comparison import Comparison
from drivecast.compare.history import SCHEMA_VERSION, Ratio, Record
from drivecast.compare.judge import Pair
from drivecast.compare.predict import is_line
from drivecast.compare.side import Run
from drivecast.errors import InputError
from drivecast.simulate import drive_specs
from drivecast.simulate import workload as open_workload
from drivecast.trace import AS_IT_IS, Reading

RUNS_OPEN = 16
"""Streams that are followed at a time, as a profile does."""


def records(of: Comparison, catalog: Catalog, reading: Reading = AS_IT_IS) -> list[Record]:
    """One record a pair; none where both sides were measured, or for a run that saturated on one side."""
    if not of.predicted:
        return []
    found = []
    for pair in of.pairs:
        told = [one for one in pair.figures if one.outcome != "untold" and one.name != "max"]
        if pair.saturated_apart or pair.measured.is_database or not told:
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
                kind=kind.of(pair.measured, sequential_fraction(pair.measured, reading)).name,
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


def sequential_fraction(run: Run, reading: Reading = AS_IT_IS) -> float | None:
    """The share of a trace's or model's requests that begin where one of the last runs ended; none of a line."""
    text = run.workload
    if text is None or is_line(text) or not Path(text).exists():
        return None
    return share_sequential(open_workload(text, reading=reading))


def share_sequential(load: _core.Workload) -> float:
    """The same of an open workload."""
    rows: Mapping[str, list[int]] = (
        pl.DataFrame(load.rows()).select("offset", "size").to_dict(as_series=False)
    )
    ends: deque[int] = deque(maxlen=RUNS_OPEN)
    found = 0
    for offset, size in zip(rows["offset"], rows["size"], strict=True):
        if offset in ends:
            ends.remove(offset)
            found += 1
        ends.append(offset + size)
    return found / len(rows["offset"]) if rows["offset"] else 0.0
