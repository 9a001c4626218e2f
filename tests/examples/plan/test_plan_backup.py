"""A day's log: the backup in it, met or left out; and the hours of a day that it is."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

import real_plan
from bundled import CATALOG
from conftest import ROOT, Run
from drivecast.document.outcome import Outcome, Seconds
from drivecast.document.plan import Plan
from drivecast.document.profile import PeakWindow, Profile
from drivecast.plan import backup, trial
from drivecast.plan.load import load
from drivecast.plan.requirement import Given, derive
from drivecast.plan.result import hours_like
from drivecast.plan.trial import Bench
from drivecast.present import answer
from drivecast.stage import trace
from drivecast.stage.design import Design
from made_up_load import PROFILE

DAY = ROOT / "examples" / "day-of-mysql"
SDB = trace.Reading(disk="sdb")


@cache
def profile(form: str = "sadf-d.csv.xz", disk: str = "sdb") -> Profile:
    return trace.profile([DAY / form], trace.Reading(disk=disk))


@pytest.mark.parametrize("form", ["sadf-d.csv.xz", "iostat12.txt.xz"])
def test_the_backup_is_found_with_sizes_of_both_kinds_together_and_apart(form: str) -> None:
    found = backup.find(profile(form), "meet")
    nightly = found.backup
    assert (nightly.start, nightly.end, nightly.length_s) == ("01:59", "02:29", 1800.0)
    assert nightly.bytes == pytest.approx(300e9, rel=0.01)
    assert nightly.request_bytes == pytest.approx(256 * 1024, rel=0.03)
    assert "299 GB" in backup.noted(nightly)
    without = backup.without(profile(form), found)
    assert without.block_size_mean_bytes == pytest.approx(16384, rel=0.001)
    requirements = derive(Given(capacity_bytes=10**12), without)
    assert requirements.p99_read_ns == 5_000_000


def test_disks_added_up_have_what_both_write() -> None:
    both, data, log = (profile(disk=disk) for disk in ("sdb,sdc", "sdb", "sdc"))
    assert both.bytes_written == pytest.approx(data.bytes_written + log.bytes_written, abs=2)
    assert both.write_bytes_per_day == pytest.approx(1.18e12 + 212e9, rel=0.01)


def day(backup_at_min: int | None, *, usual_bytes: int = 16384, length_min: int = 30) -> Profile:
    """A day of 100 reads a second, with a backup of 256 KiB requests on top."""
    rows = []
    for second in range(86_400):
        minute = second // 60
        runs = backup_at_min is not None and backup_at_min <= minute < backup_at_min + length_min
        more = 500 if runs else 0
        read_bytes = 100 * usual_bytes + more * 262_144
        rows.append(
            {
                "second": second,
                "reads": 100 + more,
                "writes": 50,
                "flushes": 0,
                "discards": 0,
                "read_bytes": read_bytes,
                "written_bytes": 50 * usual_bytes,
                "queue_depth": None,
            }
        )
    reads = sum(row["reads"] or 0 for row in rows)
    window = PeakWindow(
        start_s=60.0 * (backup_at_min or 0), length_s=60.0, iops_mean=650.0 if backup_at_min else 150.0
    )
    return PROFILE.model_copy(
        update={
            "duration_s": 86_400.0,
            "reads": reads,
            "requests": reads + 50 * 86_400,
            "bytes_read": sum(row["read_bytes"] or 0 for row in rows),
            "bytes_written": 50 * usual_bytes * 86_400,
            "seconds": Seconds(rows),  # type: ignore[arg-type]
            "peak_window": window,
        }
    )


def test_the_peak_lies_outside_of_what_is_left_out() -> None:
    busy = day(120)
    found = backup.find(busy, "exclude")
    assert (found.backup.start, found.backup.start_s, found.backup.requests) == (None, 7200.0, 900_000)
    assert "2.0 h" in backup.noted(found.backup)
    without = backup.without(busy, found)
    assert (without.peak_window.iops_mean, without.requests) == (150.0, 150 * 86_400)


@pytest.mark.parametrize(
    "quiet",
    [
        lambda: day(None),
        lambda: day(120, usual_bytes=131_072),
        lambda: day(120, length_min=3),
        lambda: day(120, length_min=12 * 60 + 1),
        lambda: day(120).model_copy(update={"duration_s": 3600.0}),
        lambda: day(120).model_copy(update={"seconds": Seconds()}),
    ],
    ids=["none", "all large", "too short", "most of the day", "short log", "no seconds"],
)
def test_what_is_no_backup(quiet: Callable[[], Profile]) -> None:
    assert backup.find(quiet(), "meet") is None


def test_a_design_must_keep_up_with_the_backup() -> None:
    of = profile()
    found = backup.find(of, "meet")
    assert found is not None
    beneath = backup.without(of, found)
    requirements = derive(Given(capacity_bytes=10**11, growth_per_year=0.0), beneath)
    played = load([DAY / "sadf-d.csv.xz"], beneath, SDB)
    met = Bench(CATALOG, requirements, played, 0, trimmed=True, backup=found, profile=beneath)
    disks = Design(CATALOG.get("seagate-exos-x20-20tb"), "raid1", 2)
    flash = Design(CATALOG.get("samsung-pm9a3-1.92tb"), "raid1", 2)
    miss = met.misses_backup(disks)
    assert miss.kind == "backup"
    assert met.misses_backup(flash) is None
    assert replace(met, backup=None).misses_backup(disks) is None


def test_a_log_of_a_day_is_a_day() -> None:
    for given, profile_of, expected in (
        (Given(), day(None), "derived"),
        (Given(), PROFILE, "assumed"),
        (Given(hours_per_day=8), day(None), "given"),
    ):
        origins = {name: how for name, how, _ in derive(given, profile_of).origins}
        assert origins["hours a day"] == expected


@pytest.mark.parametrize(
    ("length_s", "hours", "said"),
    [
        (86_400.0, None, "every day like this one"),
        (3 * 86_400.0, None, "every day like these 3"),
        (86_400.0, 8.0, "8 h a day like these 86,400 s"),
        (3600.0, None, "24 h a day like these 3,600 s"),
    ],
)
def test_the_first_page_says_what_a_day_is(length_s: float, hours: float | None, said: str) -> None:
    lasting = PROFILE.model_copy(update={"duration_s": length_s})
    context: Any = SimpleNamespace(profile=lasting, requirements=derive(Given(hours_per_day=hours), lasting))
    assert hours_like(context) == said
    made = real_plan.document()
    made["workload"]["hours_like"] = said
    (first, *_) = answer.caveats(Plan.check(made))
    assert first.text.startswith(said)


def test_counters_are_simulated_and_worn(drivecast: Callable[..., Run]) -> None:
    log = DAY / "sar-d.txt.xz"
    found = ("-w", log, "--disk", "sdc", "--output-format", "json")
    run = drivecast("simulate", "samsung-pm9a3-1.92tb", *found, "--state", "fresh")
    assert run.code == 0, run.err
    assert "assumed: addresses:" in run.err
    window = profile(disk="sdc").peak_window
    assert run.json["iops"] == pytest.approx(window.iops_mean, rel=0.05)
    run = drivecast("simulate", "samsung-pm9a3-1.92tb", "-w", log, "--iodepth", "4")
    assert run.code == 2
    assert "--iodepth" in run.err
    worn = drivecast("wear", "ssd(logical=4GiB, spare_factor=0.2)", *found).json
    assert worn["write_bytes_per_day"] == pytest.approx(212e9, rel=0.01)


def test_a_backup_is_simulated_once_on_a_design(monkeypatch: pytest.MonkeyPatch) -> None:
    beneath = profile()
    found = backup.find(beneath, "meet")
    runs: list[str] = []

    def simulate(line: str, *_: Any, **__: Any) -> Outcome:
        runs.append(line)
        return Outcome(iops=1.0, saturated=True)

    monkeypatch.setattr(trial, "simulate", simulate)
    needs = derive(Given(capacity_bytes=10**11), beneath)
    bench = Bench(CATALOG, needs, load([], beneath, SDB), 0, trimmed=True, backup=found, profile=beneath)
    pair = Design(CATALOG.get("samsung-pm9a3-1.92tb"), "raid1", 2)
    assert bench.misses_backup(pair) is None
    assert runs == [], "a quarter of what the drives read in order is kept up with"
    heavy = found.backup.model_copy(update={"throughput_bytes_per_s": 10e9})
    bench = replace(bench, backup=replace(found, backup=heavy))
    assert bench.misses_backup(pair) is not None
    assert replace(bench, times=2.0).misses_backup(pair) is not None
    assert len(runs) == 1
    replace(bench, seed=1).misses_backup(pair)
    assert len(runs) == 2
