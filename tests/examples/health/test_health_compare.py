"""`drivecast health compare`, from a wear run or a plan to a verdict, and what it says of bad input."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from conftest import Run, invoke
from drivecast.catalog import load
from drivecast.health.history import History

DRIVE = "samsung-pm893-480gb"
DESIGN = f"raid1(2 * {DRIVE})"


def keep(
    path: Path, *, factor: float = 1.0, model: str = "SAMSUNG MZ7L3480HCHQ-00A07", catalog: str | None = DRIVE
) -> None:
    """Two mirrored drives that write `factor` × 300 GB a day with an amplification of 2, for half a year."""
    drive = load().get(DRIVE)
    assert drive.raw_bytes
    assert drive.pe_cycles
    rows: list[dict[str, Any]] = []
    start = datetime.now(UTC).replace(microsecond=0) - timedelta(days=180, minutes=5)
    for day in range(181):
        host = 1e12 + 300e9 * factor * day
        rows += [
            {
                "serial": serial,
                "model": model,
                "capacity_bytes": drive.user_bytes,
                "time": start + timedelta(days=day),
                "host_written_bytes": host,
                "nand_written_bytes": 2 * host,
                "wear_ratio": 2 * host / (drive.raw_bytes * drive.pe_cycles.typical),
                "power_on_hours": 24.0 * day,
                "catalog": catalog,
            }
            for serial in ("A1", "B2")
        ]
    with History.open(str(path)) as history:
        assert not history.add_table(pl.DataFrame(rows)).refused


def plan(path: Path, **change: Any) -> Path:
    """A plan's document, cut down to what a comparison reads: 300 GB a day on a mirror."""
    drive = load().get(DRIVE)
    design = {
        "line": DESIGN,
        "drive": DRIVE,
        "count": 2,
        "title": "two of them",
        "verdict": "fits",
        "best": ["cost"],
        "write_amplification": {"value": 2.0, "low": 1.9, "high": 2.1},
        "dwpd_used": 300e9 / drive.user_bytes,
    }
    pruned = {
        "line": "raid5(4 * other)",
        "drive": DRIVE,
        "count": 4,
        "title": "four of them",
        "verdict": "pruned",
        "misses": [{"kind": "link"}],
    }
    document = {
        "schema_version": 3,
        "version": "1.0",
        "seed": 0,
        "counts": dict.fromkeys(("considered", "simulated", "fits", "misses", "pruned"), 1),
        "winner": DESIGN,
        "designs": [design | change, pruned],
        "requirements": [
            {"name": "growth", "value": 0.0, "display": "0 %", "origin": "given"},
            {"name": "hours_a_day", "value": 12.0, "display": "12 h", "origin": "given"},
        ],
        "workload": {
            "name": "oltp",
            "profile": {"schema_version": 1, "source": "trace", "write_bytes_per_day": 600_000_000_000},
        },
    }
    path.write_text(json.dumps(document))
    return path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A history that is as the plan expects."""
    path = tmp_path_factory.mktemp("history") / "h.db"
    keep(path)
    return path


def compare(*arguments: str | Path) -> Run:
    """The verb."""
    return invoke("health", "compare", *arguments)


def test_a_plan_that_holds_and_one_that_does_not(kept: Path, tmp_path: Path) -> None:
    keep(tmp_path / "more.db", factor=1.5)
    document = plan(tmp_path / "plan.json")
    right = compare(document, "--history", kept)
    assert right.code == 0, right.err
    run = compare(document, "--history", tmp_path / "more.db", "--output-format", "json")
    answer = run.json
    assert run.code == 1
    assert (answer["outcome"], answer["wrong"], answer["source"]) == ("wrong", ["load x share"], "plan")
    told = compare(document, "--history", tmp_path / "more.db", "--write-per-day", "450GB")
    assert told.code == 1
    assert "--hours-per-day 18" in told.out
    assert "--write-per-day 450GB" in told.out
    rows = compare(document, "--history", tmp_path / "more.db", "--output-format", "csv")
    assert rows.out.startswith("factor,unit,inputs,predicted,")
    assert len(rows.out.splitlines()) == 1 + 4


def test_a_wear_run(kept: Path, tmp_path: Path) -> None:
    load_line = "random(16KiB, read=0, span=0.5)"
    given = ("--fill", "0.5", "--write-per-day", "300GB", "--output-format", "json")
    made = invoke("wear", DESIGN, "-w", load_line, *given)
    (tmp_path / "wear.json").write_text(made.out)
    run = compare(tmp_path / "wear.json", "--history", kept, "--output-format", "json")
    # Half the drive written at random, the rest empty, gives an amplification near 1.2; these two show 2.
    assert made.json["write_amplification"] < 1.5
    assert (run.code, run.json["wrong"]) == (1, ["amplification"]), run.err
    (tmp_path / "blind.json").write_text(json.dumps({**made.json, "write_bytes_per_day": None}))
    blind = compare(tmp_path / "blind.json", "--history", kept)
    assert blind.code == 2
    assert "`--write-per-day`" in blind.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--design", "raid1(2 * samsung-pm893-480g)"], f"did you mean `{DESIGN}`?"),
        (["--design", "raid5(4 * other)"], "has no wear of `raid5(4 * other)`, which it pruned"),
        (["--serial", "Z9"], "no drive `Z9` in the history"),
        (["--since", "yesterday"], "--since: expected a date"),
        (["--write-per-day", "0"], "nothing is written"),
        (["--write-per-day", "much"], "--write-per-day: "),
    ],
)
def test_wrong_questions(options: list[str], message: str, kept: Path, tmp_path: Path) -> None:
    run = compare(plan(tmp_path / "plan.json"), "--history", kept, *options)
    assert run.code == 2
    assert message in run.err


def test_a_table_without_names_of_the_catalog_is_known_by_its_models(tmp_path: Path) -> None:
    keep(tmp_path / "h.db", catalog=None)
    run = compare(plan(tmp_path / "plan.json"), "--history", tmp_path / "h.db")
    assert run.code == 0
    assert "2 of 2 drives" in run.out


def test_drives_of_another_kind(tmp_path: Path) -> None:
    keep(tmp_path / "h.db", model="OTHER", catalog="")
    document = plan(tmp_path / "plan.json")
    run = compare(document, "--history", tmp_path / "h.db")
    assert run.code == 2
    assert f"`{DRIVE}`" in run.err
    assert "`OTHER`" in run.err
    assert compare(document, "--history", tmp_path / "h.db", "--serial", "A1").code == 0


def test_a_plan_without_a_winner(tmp_path: Path) -> None:
    document = json.loads(plan(tmp_path / "plan.json").read_text())
    (tmp_path / "x.json").write_text(json.dumps({**document, "winner": None}))
    run = compare(tmp_path / "x.json", "--history", tmp_path / "none.db")
    assert run.code == 2
    assert "winner" in run.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no JSON"),
        ('{"designs": [', "is no JSON"),
        ("[]", "is neither a plan nor a wear run"),
        ('{"designs": [], "winner": null}', "expected `schema_version` 3, found no `schema_version`"),
        ('{"designs": [{}], "winner": "x"}', "lacks what a comparison needs"),
        ('{"parity_factor": 2}', "lacks what a comparison needs"),
    ],
)
def test_files_that_are_no_prediction(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    run = compare(tmp_path / "x.json", "--history", tmp_path / "none.db")
    assert run.code == 2
    assert message in run.err
