"""Whatever drives are called and whatever a file holds: what is reported stays whole."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as plain_families

from bundled import CATALOG
from drivecast.document.drive_health import DriveInService, Horizons, ReasonKind
from drivecast.errors import InputError
from drivecast.health import concern
from drivecast.health.compare import prediction
from drivecast.health.exporter import Exporter, Found
from drivecast.present import drive_report, plugin
from judged_drives import table

NOW = datetime(2026, 11, 21, tzinfo=UTC)
NAMES = st.text(max_size=12)
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=True)


@given(st.lists(st.tuples(NAMES, NAMES, NUMBERS), max_size=5, unique_by=lambda row: row[0]))
@settings(max_examples=60)
def test_any_name_and_number_comes_out_of_a_scrape_as_it_went_in(
    drives: list[tuple[str, str, float | None]],
) -> None:
    frame = pl.DataFrame(
        drives, schema={"serial": pl.String, "model": pl.String, "wear_ratio": pl.Float64}, orient="row"
    )
    made = Exporter(lambda: Found(frame, [model for _, model, _ in drives]), 60)
    made.refresh()
    for accept, parse in (
        ("", plain_families),
        ("application/openmetrics-text; version=1.0.0", text_string_to_metric_families),
    ):
        families = [*parse(made.body(accept, zipped=False)[0].decode())]
        samples = [sample for family in families for sample in family.samples]
        wear = {
            sample.labels["serial"]: sample.value
            for sample in samples
            if sample.name == "drivecast_drive_wear_ratio"
        }
        assert wear == {serial: value for serial, _, value in drives if value is not None}
        models = {
            sample.labels["serial"]: sample.labels["model"]
            for sample in samples
            if sample.name == "drivecast_drive_info"
        }
        assert models == {serial: model for serial, model, _ in drives}


REASONS = st.sampled_from(get_args(ReasonKind)).map(lambda kind: {"kind": kind})
ROWS = st.fixed_dictionaries(
    {"serial": NAMES},
    optional={
        "model": st.none() | NAMES,
        "host": st.none() | NAMES,
        "device": st.none() | NAMES,
        "group": st.none() | NAMES,
        "forecast_reason": st.none() | REASONS,
        "passed": st.none() | st.booleans(),
        "wear_ratio": st.none() | st.floats(0, 3),
        "spare_ratio": st.none() | st.floats(0, 1),
        "spare_threshold_ratio": st.none() | st.floats(0.01, 0.5),
        "spare_end_low": st.none() | st.dates(),
        "errors_recent": st.none() | st.floats(0, 1e6),
        "error_days": st.none() | st.integers(0, 30),
        "errors_grow": st.none() | st.booleans(),
        "pending_sectors": st.none() | st.floats(0, 1e6),
        "written_bytes": st.none() | st.floats(0, 1e16),
        "rated_bytes": st.none() | st.floats(1e12, 1e16),
        "media_end": st.none() | st.dates(),
        "media_end_low": st.none() | st.dates(),
        "warranty_end": st.none() | st.dates(),
        "gap_s": st.none() | st.floats(1, 1e7),
        "silent_after_s": st.none() | st.floats(1, 1e7),
        "time": st.none()
        | st.datetimes(datetime(2000, 1, 1), datetime(2026, 11, 21), timezones=st.just(UTC)),
    },
)


@given(st.lists(ROWS, max_size=6))
def test_lists_checks_and_mails_agree_whatever_drives_say(rows: list[dict[str, Any]]) -> None:
    horizons, drives = Horizons(NOW), table(rows)
    judged = concern.judged(drives, horizons)
    counts = concern.counts(judged)
    assert sum(counts.values()) == len(rows)
    places = [concern.STATUSES.index(status) for status in judged["status"]]
    assert places == sorted(places), "a list is never broken, and a warranty never comes before what may fail"
    for row in judged.select("status", "concerns", "by").iter_rows(named=True):
        assert row["status"] == (row["concerns"][0]["status"] if row["concerns"] else "ok")
        assert (row["by"] is not None) == (row["status"] == "replace")
        assert row["by"] is None or NOW.date() <= row["by"] <= (NOW + horizons.act).date()
    for named in (False, True):
        found = plugin.document(concern.check(drives, horizons, named=named))
        assert "\n" not in plugin.line(found)
        assert plugin.line(found).count("|") == 1
        assert found.counts == counts
        states = [drive.state for drive in found.drives]
        assert (states.count("CRITICAL"), states.count("WARNING")) == (counts["replace"], counts["watch"])
    made = drive_report.document(DriveInService.rows(judged), counts, concern.silent_hosts(judged), horizons)
    lines = drive_report.text(made).split("\n")
    assert all(len(line) <= 72 and line.isascii() and (line.isprintable() or not line) for line in lines)
    assert made.drives_checked == len(rows)
    assert "\n" not in made.subject


JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
PLAN = {
    "winner": "x",
    "designs": [
        {
            "design": "x",
            "drive": "samsung-pm893-480gb",
            "count": 1,
            "verdict": "fits",
            "why": "",
            "write_amplification": {"value": 2.0, "low": 1.0, "high": 3.0},
            "dwpd_used": 0.5,
        }
    ],
    "requirements": [{"name": "growth", "value": 0.1}],
    "workload": {"profile": {"write_bytes_per_day": 1e11}},
}


@st.composite
def damaged(draw: st.DrawFn) -> Any:
    """A plan in which one value, at any depth, is something else."""
    document = json.loads(json.dumps(PLAN))
    here = document
    while True:
        key = draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if isinstance(here[key], dict | list) and here[key] and draw(st.booleans()):
            here = here[key]
            continue
        here[key] = draw(JSON)
        return document


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("plans") / "plan.json"


@given(document=damaged())
@settings(max_examples=200)
def test_a_damaged_plan_is_read_or_refused(place: Path, document: Any) -> None:
    place.write_text(json.dumps(document))
    try:
        found = prediction.read(place, None, CATALOG)
    except InputError:
        return
    assert found.array_bytes_per_day > 0
    assert found.member_share > 0
    assert found.write_amplification.low > 0


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(place: Path, data: bytes) -> None:
    place.write_bytes(data)
    with pytest.raises(InputError):
        prediction.read(place, None, CATALOG)
