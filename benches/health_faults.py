"""How many planted faults `health report` finds, and how many healthy drives it names: fleets of 400 drives.

Each seed draws a fleet of `tests/data/drive_faults.py`, stores it in a history, and judges it as `health report` does.
A fault is found where its drive is in the list that it belongs to; a false alarm is a healthy drive without an error of
late that is to be replaced, or watched. Healthy drives with errors, as the field has them, have no right list and are
counted by the one they are in. `FAULT_SEEDS` is the number of fleets.

Then healthy drives for four years, judged on every day with errors: the share that is named at least once because its
errors grow. How often months have errors and on how many days spans what the study found that `error_growth` cites.
"""

import os
import sys
import tempfile
from collections import Counter, defaultdict
from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl

from drivecast.document.drive_health import Horizons
from drivecast.health.concern import STATUSES
from drivecast.health.history import History
from drivecast.health.in_service import drives_in_service
from drivecast.health.signs import reading_interval
from drivecast.health.signs.error_growth import DAYS_MIN, error_growth

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/data"))
import drive_faults as faults

SEEDS = int(os.environ.get("FAULT_SEEDS", "20"))
DRIVES = 1_500


def judged(fleet: faults.Fleet, folder: Path) -> dict[str, str]:
    """The list of each drive, by its serial number."""
    with History.open(str(folder / "history.db"), now=lambda: faults.NOW) as history:
        history.add_table(fleet.samples)
        table = drives_in_service(history, Horizons(faults.NOW))
    return dict(table.select("serial", "status").rows())


def named_in_four_years(onset: float, days_mean: float) -> tuple[float, float]:
    """Shares of healthy drives that have errors, and that are named; a month has errors with the chance `onset`."""
    random = np.random.default_rng(1)
    cases: list[pl.DataFrame] = []
    owner: list[int] = []
    had_any = 0
    for number in range(DRIVES):
        errors = faults.healthy_errors(random, 48, onset, days_mean)
        bad = np.flatnonzero(errors)
        had_any += bad.size > 0
        for day in bad:
            if (errors[max(0, day - 29) : day + 1] > 0).sum() < DAYS_MIN:
                continue
            kept = np.unique([0, *range(max(0, day - 35), day + 1), *bad[bad < day], *(bad[bad < day] - 1)])
            kept = kept[kept >= 0]
            times = [faults.NOW + timedelta(days=int(at)) for at in kept]
            counted = errors.cumsum()[kept]
            cases.append(pl.DataFrame({"drive": len(owner), "time": times, "media_errors": counted}))
            owner.append(number)
    found = error_growth(pl.concat(cases), pl.DataFrame(schema=reading_interval.SCHEMA)).filter("errors_grow")
    return had_any / DRIVES, len({owner[case] for case in found["drive"]}) / DRIVES


def main() -> None:
    """Draw, judge, count, print."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    right: dict[str, str] = {}
    rhythms: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in range(SEEDS):
        fleet = faults.fleet(seed)
        with tempfile.TemporaryDirectory() as folder:
            lists = judged(fleet, Path(folder))
        expected = fleet.expected()
        for drive in fleet.drives:
            name = faults.name(drive)
            kind = drive.fault or ("healthy" if expected[name] == "ok" else "healthy, with errors")
            found[kind][lists.get(name, "missing")] += 1
            right[kind] = expected[name] or ""
            if "grow" in kind:
                rhythms[f"{kind}, read {drive.rhythm}"][lists.get(name, "missing")] += 1
        print(f"seed {seed}: {dict(Counter(lists.values()))}", file=sys.stderr, flush=True)
    print(f"{'planted':45} {'list':9} {'tries':>6} {'found':>6} {'missed':>6}  " + "  ".join(STATUSES))
    for kind in (*faults.PLANTED, "silent host", "healthy", "healthy, with errors"):
        counts, list_ = found[kind], right[kind]
        tries = sum(counts.values())
        hits = counts[list_] if list_ else 0
        told = f"{hits:6} {tries - hits:6}" if list_ else f"{'':6} {'':6}"
        each = "  ".join(f"{counts[status]:{len(status)}}" for status in STATUSES)
        print(f"{kind:45} {list_:9} {tries:6} {told}  {each}")
    for kind, counts in sorted(rhythms.items()):
        print(f"{kind:60} {counts['replace']:4} of {sum(counts.values()):4} to be replaced")
    healthy = found["healthy"]
    total = sum(healthy.values())
    print(
        f"health_faults_false_replace: {healthy['replace']} of {total:,} healthy drives ({SEEDS} fleets of 400 drives)"
    )
    print(f"health_faults_false_watch: {healthy['watch']} of {total:,} healthy drives")
    for onset, days in ((0.0046, 2.1), (0.0046, 3.0), (0.02, 2.1), (0.02, 3.0), (0.02, 6.0)):
        had, named = named_in_four_years(onset, days)
        print(
            f"health_faults_named_in_four_years: {named:.1%} of {DRIVES:,} healthy drives, {had:.0%} with errors; "
            f"they begin in {onset:.2%} of months and come on {days} days of each"
        )


if __name__ == "__main__":
    main()
