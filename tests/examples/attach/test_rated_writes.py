"""What a run takes of the rated writes: by the application's bytes on the screen, by the drives' at the end."""

import pytest

from bundled import CATALOG
from drivecast.attach import rated_writes
from drivecast.attach.attach_options import AttachOptions
from drivecast.document.outcome import Outcome
from drivecast.stage.design import shape

DRIVE = "samsung-pm893-480gb"
TBW = CATALOG.get(DRIVE).tbw_bytes or 0.0


@pytest.mark.parametrize(
    ("design", "drives_of_data", "drives"),
    [
        (DRIVE, 1, 1),
        (f"raid10(4 * {DRIVE})", 2, 4),
        (f"raid10(5 * {DRIVE}, spares=1)", 2, 4),
        (f"raid5(5 * {DRIVE})", 4, 5),
    ],
)
def test_mirrors_parity_and_spares(design: str, drives_of_data: int, drives: int) -> None:
    setting = AttachOptions(design, CATALOG)
    by_host = rated_writes.by_host(shape(design, CATALOG), setting)
    assert by_host == pytest.approx(drives_of_data * TBW, rel=1e-3)
    used = rated_writes.used(Outcome(iops=1, device_written_bytes=10**12), setting)
    assert used == pytest.approx(1e12 / (drives * TBW))


@pytest.mark.parametrize(
    "design",
    [
        "seagate-exos-15e900-600gb",
        f"cache(fast={DRIVE}, slow=seagate-exos-15e900-600gb)",
        "ssd(logical=1GiB)",
    ],
)
def test_what_has_no_rating_has_no_share(design: str) -> None:
    setting = AttachOptions(design, CATALOG)
    assert rated_writes.by_host(shape(design, CATALOG), setting) is None
    assert rated_writes.used(Outcome(iops=1, device_written_bytes=10**12), setting) is None
