"""Reads beside large writes: a table of ACT, the load generator of a key-value store (`calibration.act_run`)."""

from collections.abc import Iterable
from pathlib import Path

from drivecast.calibration.act_run import BOUNDS_US, READS, SHARES, beyond, read, smaller
from drivecast.calibration.drive_title import drive_titled
from drivecast.calibration.load_table import Wanted
from drivecast.catalog import Catalog
from drivecast.reproduce.measured_run import Kind, Reading, Run, Table


def _runs(path: Path, catalog: Catalog, wanted: Wanted) -> Iterable[Run]:
    for row in read(path, catalog, wanted):
        drive = smaller(catalog.get(row.drive), row.used)
        calibrated = drive.calibrated
        figures: list[Reading] = [
            (name, share, beyond(us))
            for name, share, us in zip(SHARES, row.shares, BOUNDS_US, strict=True)
            if share > 0
        ]
        yield Run(
            source=path.name,
            drive=row.drive,
            workload=f"ACT: {row.reads_per_s:g} reads/s, {row.writes_per_s:g} writes/s of {row.record_bytes} B",
            seconds=READS / row.reads_per_s,
            fitted=row.used == 1 and calibrated is not None and row.writes_per_s in calibrated.fitted_per_s,
            figures=figures,
            model=row.model(drive.user_bytes),
            instead=drive,
        )


ACT = Table("act-samsung-845dc-pro.csv", [Kind("share of slow reads", SHARES, 1.0, 2.0)], _runs, drive_titled)
