"""NVMe drives by threads, depth and size of requests, as a table of rates (`calibration.thread_table`).

A drive does as much by one engine as by another. Where the same load did much more by another engine, the host was the
limit (threads wait for the lock of the file): such a row is shown, and not judged.
"""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from drivecast.calibration import thread_calibrate
from drivecast.calibration.thread_table import host_bound, read
from drivecast.catalog import Catalog
from drivecast.reproduce.measured_run import Kind, Reading, Run, Table

IOPS = "IOPS by threads"
HOST_IOPS = "IOPS by threads, limited by the host"
SECONDS = 1.0


def _runs(path: Path, catalog: Catalog) -> Iterable[Run]:
    """Return a run for each line, since many rows differ in nothing that the drive sees."""
    rows = read(path, catalog)
    alike: dict[tuple[str, str, bool], list[Reading]] = defaultdict(list)
    for row, bound in zip(rows, host_bound(rows), strict=True):
        key = (row.load.drive, row.load.line(catalog), thread_calibrate.was_fitted(row, catalog))
        alike[key].append((HOST_IOPS if bound else IOPS, row.iops, row.ours))
    return [
        Run(source=path.name, drive=drive, workload=line, seconds=SECONDS, fitted=fitted, figures=figures)
        for (drive, line, fitted), figures in alike.items()
    ]


THREADS = Table("nvme-by-threads.csv", [Kind(IOPS, [IOPS], 0.10)], _runs)
