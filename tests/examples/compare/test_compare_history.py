"""The log of errors: what is added and where, two writers, a killed one, damage, and what a plan says of it."""

import fcntl
import json
import multiprocessing
import os
import signal
from dataclasses import replace
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from conftest import invoke
from drivecast import files
from drivecast.catalog import Catalog, load
from drivecast.catalog.figure import HeldOut
from drivecast.compare import error_log, error_summary
from drivecast.document.error_log import Ratio, Record, Spread, Standing
from drivecast.document.plan import Plan
from drivecast.document.prediction_error import DesignError, PredictionError
from drivecast.errors import InputError
from drivecast.plan import prediction_error, search
from drivecast.present import page
from drivecast.present.error_history import statement, worded
from measured import run
from small_traces import mixed, write

DISK = "hdd(capacity=300GB, rpm=15000)"
LINE = "random(4KiB, read=0.7, iodepth=4)"
KIND = "random-mixed-small-open-deep"


def record(key: str, ratio: float = 1.0, *, drive: str = "a-drive", kind: str = KIND) -> Record:
    """One comparison."""
    ratios = [Ratio(op=op, figure=name, ratio=ratio) for op, name in (("all", "iops"), ("read", "q0.99"))]
    return Record(
        schema_version=1,
        key=key,
        measured="2026-11-21T10:00:00+00:00",
        version="1",
        design=f"raid1(2 * {drive})",
        drives=[drive],
        drives_hash="0",
        kind=kind,
        workload=LINE,
        target="/mnt/candidate",
        tolerance=0.2,
        outcome="within",
        ratios=ratios,
    )


def test_errors_are_logged_once(tmp_path: Path) -> None:
    measured = run(tmp_path / "r.json", DISK, [LINE])
    place = tmp_path / "new" / "errors.jsonl"
    first = invoke("compare", measured, DISK, "--history", place)
    assert f"`{place}`" in first.err
    invoke("compare", measured, DISK, "--history", place)
    listed = invoke("compare", "history", "--history", place, "--output-format", "json").json
    assert listed["comparisons"] == 1
    assert listed["rows"][0]["kind"] == "random-mixed-small-closed-shallow"
    assert listed["rows"][0]["iops"] == pytest.approx(1.0, rel=0.1)
    each = invoke("compare", "history", "--history", place, "--each")
    assert LINE in each.out
    before = place.read_bytes()
    assert "errors of" not in invoke("compare", measured, DISK, "--history", "none").err
    assert place.read_bytes() == before


def test_the_default_place_is_the_state_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(error_log.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert error_log.place(None) == tmp_path / "drivecast" / "errors.jsonl"
    monkeypatch.setenv(error_log.VARIABLE, str(tmp_path / "mine"))
    assert error_log.place("default") == tmp_path / "mine"
    assert error_log.place("none") is None
    monkeypatch.setenv(error_log.VARIABLE, "none")
    assert error_log.place(None) is None


def test_an_empty_home_is_not_the_root_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    without = files.state_folder()
    monkeypatch.setenv("HOME", "")
    assert files.state_folder() == without
    monkeypatch.setattr("getpass.getuser", lambda: "nobody by this name")
    with pytest.raises(InputError, match="no home directory\nhint: set XDG_STATE_HOME"):
        files.state_folder()


def _many(path: Path, name: str, begun: Event | None = None) -> None:
    for at in range(50):
        error_log.add(path, [record(f"{name}-{at}")])
        if begun is not None and at == 5:
            begun.set()


def _late(path: Path, waiting: Event) -> None:
    """Write, and report where the lock was found held."""
    flock = fcntl.flock

    def reporting(file: Any, operation: int) -> None:
        try:
            flock(file, operation | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting.set()
            flock(file, operation)

    with mock.patch.object(fcntl, "flock", reporting):
        error_log.add(path, [record("late")])


def test_a_writer_waits_for_the_other(tmp_path: Path) -> None:
    path = tmp_path / "errors.jsonl"
    error_log.add(path, [record("first")])
    waiting = multiprocessing.Event()
    writer = multiprocessing.Process(target=_late, args=(path, waiting))
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        writer.start()
        assert waiting.wait(60)
        assert len(error_log.read(path).records) == 1
        fcntl.flock(held, fcntl.LOCK_UN)  # the writer has inherited the open file, and with it the lock
    writer.join(60)
    assert len(error_log.read(path).records) == 2


def test_a_killed_writer_leaves_whole_lines_and_the_next_continues(tmp_path: Path) -> None:
    path = tmp_path / "errors.jsonl"
    begun = multiprocessing.Event()
    writer = multiprocessing.Process(target=_many, args=(path, "a", begun))
    writer.start()
    assert begun.wait(60)
    os.kill(writer.pid or 0, signal.SIGKILL)
    writer.join()
    known = len(error_log.read(path).records)
    assert known > 5
    with path.open("ab") as file:
        file.write(b'{"schema_version": 1, "key": "cut o')
    cut = error_log.read(path)
    assert len(cut.records) == known
    assert len(cut.notes) == 1
    assert error_log.add(path, [record("b")]) == 1
    whole = error_log.read(path)
    assert len(whole.records) == known + 1
    assert not whole.notes


def test_the_last_word_on_a_run_counts(tmp_path: Path) -> None:
    path = tmp_path / "errors.jsonl"
    assert error_log.add(path, [record("a", 1.5)]) == 1
    assert error_log.add(path, [record("a", 1.5)]) == 0
    assert error_log.add(path, [record("a", 0.9), record("b")]) == 2
    assert [known.ratios[0].ratio for known in error_log.read(path).records] == [0.9, 1.0]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a letter to my mother\n", 1),
        ("a letter without an end", 1),
        (json.dumps({**record("a").model_dump(), "schema_version": 9}) + "\n", 1),
        (record("a").model_dump_json() + "\n\x00\x00\n", 2),
        (record("a").model_dump_json().replace("1.0", "NaN") + "\n", 1),
    ],
)
def test_what_is_no_log_is_refused_and_left_as_it_is(tmp_path: Path, content: str, line: int) -> None:
    path = tmp_path / "errors.jsonl"
    path.write_text(content)
    with pytest.raises(InputError) as refused:
        error_log.read(path)
    assert (refused.value.path, refused.value.line) == (str(path), line)
    with pytest.raises(InputError):
        error_log.add(path, [record("b")])
    assert path.read_text() == content


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    measured = run(tmp_path / "r.json", DISK, [LINE], seconds=20)
    (tmp_path / "file").write_text("")
    found = invoke("compare", measured, DISK, "--history", tmp_path / "file" / "errors.jsonl")
    assert found.code == 2
    assert "`--history none`" in found.err
    assert f"`{tmp_path / 'none'}`" in invoke("compare", "history", "--history", tmp_path / "none").err


def sentence(found: Standing, drive: str, kind: str) -> str:
    """The errors so far for a design of one drive, in words."""
    return statement(DesignError(**dict(found), design=drive, drive=drive, kind=kind))


def test_the_nearest_errors_speak_for_a_design() -> None:
    records = [
        record("a", 0.8),
        record("b", 1.2),
        record("c", 1.0),
        record("d", 3.0, kind="random-read-small-open-deep"),
        record("e", 0.2, drive="another"),
    ]
    same = error_summary.standing(records, ["a-drive"], KIND)
    assert (same.scope, same.n) == ("drive and kind", 3)
    assert same.p99 == Spread(n=3, median=1.0, low=0.8, high=1.2)
    assert "1.00 (0.80 to 1.20)" in sentence(same, "a-drive", KIND)
    other = error_summary.standing(records, ["a-drive"], "sequential-read-large-open-deep")
    assert (other.scope, other.n) == ("drive", 4)
    assert error_summary.standing(records, ["new"], KIND).scope == "kind"
    assert error_summary.standing(records[:1], ["new"], "sequential-read-large-open-deep").n == 0


def said(plan: Plan, place: Path, catalog: Catalog) -> PredictionError:
    """The errors so far for the designs of a plan, in words."""
    stated = prediction_error.stated(plan, place, catalog)
    found = worded(plan.model_copy(update={"prediction_error": stated})).prediction_error
    assert found is not None
    return found


def test_a_plan_says_how_far_predictions_have_been_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three drives compete: whichever wins is said to be off."""
    names = ("kingston-dc600m-480gb", "samsung-pm893-480gb", "samsung-pm9a3-960gb")
    few = replace(load(), drives={name: load().get(name) for name in names})
    monkeypatch.setattr(search, "load_catalog", lambda _paths: few)
    place = tmp_path / "errors.jsonl"
    place.touch()
    trace = write(tmp_path, mixed())
    options = ("--capacity", "200GB", "--budget", "1300", "--threads", "2", "--output-format", "json", "-q")
    plan = Plan.check(invoke("plan", trace, *options, "--history", place).json)
    never = plan.prediction_error
    plan = plan.model_copy(update={"prediction_error": None})
    assert never.comparisons == 0
    leading = never.designs[0]
    error_log.add(place, [record("a", 0.9, drive=leading.drive, kind=leading.kind)])
    summary = said(plan, place, load())
    assert leading.drive in summary.statement
    spread = {"n": 1, "median": 0.9, "low": 0.9, "high": 0.9}
    assert summary.model_dump()["designs"][0]["p99"] == spread
    catalog = load()
    drive = catalog.get(leading.drive)
    held = HeldOut(
        runs=6, p50_error_median=0.06, p50_error_max=0.14, p99_error_median=0.1, p99_error_max=0.19
    )
    sheet = drive.sheet.model_copy(update={"held_out": held})
    fitted = replace(catalog, drives={**catalog.drives, drive.name: replace(drive, sheet=sheet)})
    stated = said(plan, place, fitted).statement
    assert all(f"{share} %" in stated for share in (6, 14, 10, 19))
    shown = plan.model_copy(update={"prediction_error": summary})
    assert summary.statement[1:] in page.render(shown)
    assert summary.statement[1:] not in page.render(plan)


def test_a_plan_refuses_a_history_that_is_none_before_it_works(tmp_path: Path) -> None:
    trace = write(tmp_path, mixed())
    missing = invoke("plan", trace, "--history", tmp_path / "none")
    assert missing.code == 2
    assert f"`{tmp_path / 'none'}`" in missing.err
