"""The commands that make an array are those of mdadm, and say what the design line says."""

import pytest

from drivecast.catalog import load
from drivecast.stage import mdadm
from drivecast.stage.design import parse

DRIVE = "samsung-pm9a3-3.84tb"
CREATE = "mdadm --create /dev/md"
MADE = {
    f"raid1(2 * {DRIVE})": [f"{CREATE}0 --level=1 --raid-devices=2 DRIVES"],
    f"raid10(4 * {DRIVE})": [f"{CREATE}0 --level=10 --layout=n2 --raid-devices=4 --chunk=64K DRIVES"],
    f"raid0(3 * raid1(3 * {DRIVE}), chunk=512KiB)": [
        f"{CREATE}0 --level=10 --layout=n3 --raid-devices=9 --chunk=512K DRIVES"
    ],
    f"raid6(7 * {DRIVE}, chunk=1MiB, spares=1)": [
        f"{CREATE}0 --level=6 --raid-devices=6 --chunk=1M --spare-devices=1 DRIVES"
    ],
    f"raid50(7 * {DRIVE}, groups=2, spares=1)": [
        f"{CREATE}1 --level=5 --raid-devices=3 --chunk=64K --spare-devices=1 DRIVES",
        f"{CREATE}2 --level=5 --raid-devices=3 --chunk=64K DRIVES",
        f"{CREATE}0 --level=0 --raid-devices=2 --chunk=64K /dev/md{{1..2}}",
    ],
    DRIVE: [],
    f"raid5(4 * {DRIVE}, controller=iop348)": [],
}


@pytest.mark.parametrize("line", MADE)
def test_a_line_as_commands(line: str) -> None:
    assert mdadm.commands(parse(line, load())) == MADE[line]
