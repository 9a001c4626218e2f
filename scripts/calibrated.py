"""Writes what the catalog has from public tables of measured drives, by `drivecast.calibration`.

    python scripts/calibrated.py DATA [--check]

`DATA` is the folder of the tables (docs/reference/measured.md). In this order: what a thread submits
(`thread_rates.toml`), what commands take of a host path's port (`catalog/controllers.toml`), then each drive by the
runs that its file names as fitted. `--check` writes nothing, and ends with exit code 1 where a file would change.

The NVMe drives under load are calibrated by the verb: their tables take longer.
"""

import sys
from pathlib import Path

from drivecast.calibration import path_calibrate, table_kind, thread_calibrate
from drivecast.catalog import load

ROOT = Path(__file__).parents[1]
DEPTH, THREADS, ACT = "fio-sata-and-disks.csv", "nvme-by-threads.csv", "act-samsung-845dc-pro.csv"
RATES = ROOT / "python/drivecast/calibration/thread_rates.toml"
CONTROLLERS = ROOT / "catalog/controllers.toml"
PATHS = ("ibm-m1015", "hp-p420i-hba", "hp-p420i-raid", "hp-microserver-g8-ahci")
DRIVES = (
    ("samsung-860-pro-512gb", DEPTH, "fio-plot"),
    ("samsung-pm883-480gb", DEPTH, "fio-plot"),
    ("kingston-dc500m-480gb", DEPTH, "fio-plot"),
    ("crucial-mx200-250gb", DEPTH, "fio-plot"),
    ("intel-d3-s4610-480gb", DEPTH, "fio-plot"),
    ("intel-p4610-1.6tb", THREADS, "threads"),
    ("intel-optane-p5800x-800gb", THREADS, "threads"),
    ("samsung-845dc-pro-400gb", ACT, "act"),
)
ACT_HELD_OUT = 3000
"""Writes a second of the row that judges."""


def put(path: Path, text: str, changed: list[str], *, check: bool) -> None:
    """Write a file that changes."""
    if path.read_text(encoding="utf-8") != text:
        changed.append(str(path.relative_to(ROOT)))
        if not check:
            path.write_text(text, encoding="utf-8")


def main() -> int:
    """Write all, or check it; 1 where `--check` finds a change."""
    folder, check = Path(sys.argv[1]), "--check" in sys.argv
    changed: list[str] = []
    put(RATES, thread_calibrate.host_toml(folder / THREADS, load()), changed, check=check)
    text = CONTROLLERS.read_text(encoding="utf-8")
    for name in PATHS:
        text = path_calibrate.with_figures(
            text, name, path_calibrate.run(name, [folder / DEPTH], load()).table
        )
    put(CONTROLLERS, text, changed, check=check)
    for name, table, by in DRIVES:
        catalog = load()
        known = catalog.get(name).calibrated
        fit = known.fitted_runs if known is not None and table == DEPTH else []
        found, text = table_kind.calibrate(
            name, [folder / table], catalog, by=by, hold_out=[ACT_HELD_OUT], fit=fit
        )
        print(f"{name}: {found.error}")
        put(catalog.get(name).file, text, changed, check=check)
    print("changed: " + (", ".join(changed) or "nothing"))
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
