"""Processors do not rest while a disk is in use, by means that give way to everything and end with the disk."""

import os
from pathlib import Path

import pytest

from attached import DESIGN
from drivecast.attach.attach_options import AttachOptions
from drivecast.attach.attached import attached
from drivecast.catalog import load

pytestmark = pytest.mark.needs("attached")


def spinners() -> list[int]:
    """Threads of this process that see to it."""
    tasks = Path("/proc/self/task").iterdir()
    return [int(task.name) for task in tasks if (task / "comm").read_text().strip() == "awake"]


@pytest.mark.needs("processors that do not rest", "processors without a limit")
def test_spinners_give_way_to_all_and_end_with_the_disk() -> None:
    before = spinners()
    with attached(AttachOptions(DESIGN, load([]))):
        ours = set(spinners()) - set(before)
        assert 1 <= len(ours) <= min(8, len(os.sched_getaffinity(0)))
        for thread in ours:
            assert os.sched_getscheduler(thread) == os.SCHED_IDLE
            assert os.getpriority(os.PRIO_PROCESS, thread) == 19
            assert len(os.sched_getaffinity(thread)) == 1
    assert spinners() == before
