"""What is made of a database's points: medians, spreads, ratios, figures; and what devices did between two readings."""

import statistics

import pytest

import database_result
from drivecast.bench.database.generator import Measured
from drivecast.bench.database.session import drift
from drivecast.bench.environment.watch import rates
from drivecast.document.findings import Findings
from drivecast.document.result import Processor
from drivecast.document.transactions import findings, varied
from drivecast.present import result_page
from drivecast.present.measured import transactions

RESULT = database_result.made()


def test_medians_and_ratios_are_of_the_repeats() -> None:
    found = findings(RESULT.points)
    assert len(found.throughput) == 24
    assert len(found.throughput_ratios) == 12
    assert varied(RESULT.points) == ["buffer_bytes", "flush_at_commit"]
    setting = {"buffer_bytes": 50 << 30, "flush_at_commit": 2}
    rates_: dict[str, list[float]] = {}
    for point in RESULT.points:
        if setting.items() <= point.settings.items() and point.transactions:
            rates_.setdefault(point.target, []).append(point.transactions.per_s)
    first, other = rates_.values()
    row = next(row for row in found.throughput_ratios if row.settings == setting)
    assert row.ratio == statistics.median(other) / statistics.median(first)
    assert row.ratio_low == min(other) / max(first)
    assert row.ratio_high == max(other) / min(first)
    told = next(row for row in found.throughput if row.settings == setting)
    assert (told.per_s_low, told.per_s, told.per_s_high) == tuple(sorted(first))


def test_one_repeat_has_no_bounds() -> None:
    found = findings(database_result.made(repeats=1).points)
    assert all(row.ratio_low is None and row.ratio > 1 for row in found.throughput_ratios)
    assert findings([]) == Findings(throughput=[], throughput_ratios=[])


def test_rows_have_one_header() -> None:
    rows = transactions.rows(RESULT)
    assert len(rows) == len(RESULT.points)
    assert {tuple(row) for row in rows} == {tuple(rows[0])}
    assert rows[0]["per_s"] > 0


def test_counters_of_a_device_are_rates() -> None:
    before = [100, 0, 1000, 5, 200, 0, 2000, 7, 0, 1000, 5000, 0, 0, 0, 0, 10, 3]
    after = [300, 0, 3000, 9, 600, 0, 6000, 9, 0, 2500, 9000, 0, 0, 0, 0, 50, 4]
    assert rates(before, after, 2.0) == {
        "reads_per_s": 100.0,
        "read_bytes_per_s": 512_000.0,
        "writes_per_s": 200.0,
        "written_bytes_per_s": 1_024_000.0,
        "queue_depth_mean": 2.0,
        "busy": 0.75,
        "flushes_per_s": 20.0,
    }
    assert "flushes_per_s" not in rates(before[:11], after[:11], 2.0)
    assert rates(before[:5], after[:5], 2.0) == {}
    assert rates([], after, 2.0) == {}


@pytest.mark.parametrize(("last", "word"), [(130.0, "rose"), (105.0, None), (70.0, "fell")])
def test_a_rate_that_still_moves_is_noted(last: float, word: str | None) -> None:
    seconds = [{"second": float(at), "per_s": 100.0 if at <= 10 else last} for at in range(1, 31)]
    notes = drift(Measured(100.0, {}, seconds))
    assert (word is None) == (notes == [])
    assert all(word in note for note in notes)
    assert drift(Measured(100.0, {}, seconds[5:15])) == []


def test_the_page_says_what_a_buyer_asks() -> None:
    measured = RESULT.model_copy(update={"findings": findings(RESULT.points)})
    page = result_page.render(measured)
    assert page.count("<svg") == 2
    assert "the machine was measured" not in page
    busy = [
        point.model_copy(
            update={
                "processor": Processor(user=0.9, system=0.08, iowait=0, steal=0),
                "devices": {"sda": {**(point.devices or {})["sda"], "busy": 0.2}},
            }
        )
        for point in RESULT.points[:4]
    ]
    page = result_page.render(measured.model_copy(update={"points": [*busy, *RESULT.points[4:]]}))
    assert "In 4 of 72 points the processors were busy and the storage was not" in page
