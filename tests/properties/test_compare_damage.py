"""Damaged documents and histories are reported, or compared; they never end in a traceback or a number that is none."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from damaged import changed, places
from drivecast.cli.verb import json_text
from drivecast.compare import comparison, comparison_side, error_log
from drivecast.compare.comparison import Rule
from drivecast.document.error_log import Ratio, Record
from drivecast.errors import InputError
from drivecast.present import comparison_text
from drivecast.present.comparison_text import worded
from measured import document, outcome, point

DISK = "hdd(capacity=300GB, rpm=15000)"
LINE = "random(4KiB, read=0.7, iodepth=4)"
WHOLE = document([point(outcome(DISK, LINE, seed=1, seconds=12.0), LINE)]).model_dump(mode="json")
SMALL: dict[str, Any] = {
    **WHOLE["points"][0]["outcome"],
    "latencies": WHOLE["points"][0]["outcome"]["latencies"][:40],
    "latencies_by_second": [
        {"second": at, "op": "read", "latency_ns": [1e6, 5e6], "count": [9, 1]} for at in range(12)
    ],
}
VALUES = st.sampled_from(
    [None, 0, -1, 1e300, float("nan"), float("inf"), "text", [], {}, True, 10**30, [[1]], {"op": 1}]
)


PLACES = places(SMALL)[1:]


@settings(max_examples=150)
@given(st.sampled_from(PLACES), VALUES)
def test_a_damaged_outcome_is_refused_or_compared(path: tuple[Any, ...], to: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "r.json")
        points = [{**WHOLE["points"][0], "outcome": changed(SMALL, path, to)}]
        file.write_text(json.dumps({**WHOLE, "points": points}))
        good = Path(folder, "good.json")
        good.write_text(json.dumps(WHOLE))
        try:
            made = worded(
                comparison.with_side(comparison_side.read(file), comparison_side.read(good), Rule())
            )
        except InputError:
            return
        json_text(made)
        assert comparison_text.lines(made)


LINES = b"".join(
    Record(
        schema_version=1,
        key=key,
        measured="",
        version="1",
        design="d",
        drives=["d"],
        drives_hash="0",
        kind="k",
        workload="w",
        target="t",
        tolerance=0.2,
        outcome="within",
        ratios=[Ratio(op="all", figure="iops", ratio=1.0)],
    )
    .model_dump_json()
    .encode()
    + b"\n"
    for key in "ab"
)


@settings(max_examples=100)
@given(st.binary(max_size=60), st.integers(0, len(LINES)), st.integers(0, 40))
def test_a_damaged_log_is_refused_or_read(noise: bytes, at: int, gone: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "errors.jsonl")
        path.write_bytes(LINES[:at] + noise + LINES[at + gone :])
        try:
            found = error_log.read(path)
        except InputError:
            return
        assert len(found.records) <= 3
