"""How long a rebuild takes: on the simulator under the workload, or by arithmetic without one.

Model. One drive of the array has failed and is written anew onto a spare, at most at half of its sequential
write rate, while the workload continues. The run covers a stretch of the rebuild; its rate is taken for all of
it, so the capacity over that rate is the time. Flash starts in the steady state of the workload, and drives
that are simulated at a smaller scale are rebuilt at the same bytes a second. Without a workload the time is
the capacity over half of the sequential write rate.
"""

import re

from drivecast import _core
from drivecast.assess.mttdl import rebuild_time_h
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.errors import HintedError
from drivecast.stage.design import Design
from drivecast.stage.simulate import Options, simulate

SHARE = 0.5
"""Share of a drive's sequential write rate that a rebuild may take while the array serves (assumed)."""

REQUESTS = 100_000
"""Requests of a workload that a rebuild is watched under."""

_PLAIN = re.compile(r"^\s*(raid\d+)\(\s*(\d+)\s*\*(.*)\)\s*$", re.DOTALL)
_NESTED = re.compile(
    r"^\s*(?P<outer>raid\d+)\(\s*(?P<arrays>\d+)\s*\*\s*(?P<inner>raid\d+\([^()]*\))(?P<rest>[^()]*)\)\s*$"
)
_OWN = ("degraded", "failed", "rebuild")


def bytes_per_s(drive: Drive) -> float:
    """The rate that a rebuild may take."""
    sheet = drive.sheet
    rate = sheet.disk.inner_mb_s if isinstance(sheet, HddSheet) else sheet.performance.sequential_write_mb_s
    return rate.value * 1e6 * SHARE


def idle_h(drive: Drive) -> float:
    """Hours to write a drive whole at that rate."""
    return rebuild_time_h(drive.user_bytes, bytes_per_s(drive))


def loaded_h(design: Design, load: _core.Workload, catalog: Catalog, options: Options) -> float:
    """Hours to rebuild a drive of `design` under `load`, played as `options` say.

    Raises `InputError` for a design that names failures of its own, or under whose load the rebuild does not move.
    """
    drive = design.drive
    if not design.failures_tolerated:
        return idle_h(drive)
    outcome = simulate(rebuilding(design), load, catalog, options)
    whole_s = outcome.rebuild.whole_s if outcome.rebuild else None
    if not whole_s:
        raise HintedError(
            f"`{design.line}`: under this load the rebuild got nowhere", "give `--rebuild-hours`"
        )
    return max(whole_s / 3600, idle_h(drive))


def rebuilding(design: Design) -> str:
    """The line of a design with one drive failed, and a spare that it is rebuilt onto; of arrays in an array the first.

    Raises `InputError` for a design that names failures, or whose members are not written as one count.
    """
    line, rate = design.line, f"degraded=1, rebuild={bytes_per_s(design.drive) / 1e6:g}MB/s"
    nested = _NESTED.match(line)
    array = _PLAIN.match(nested["inner"] if nested else line)
    if array is None or any(f"{name}=" in line.replace(" ", "") for name in _OWN):
        raise HintedError(
            f"`{line}`: a rebuild is simulated on an array of equal drives that is whole",
            "give `--rebuild-hours`",
        )
    level, count, rest = array.groups()
    if "spares=" in rest.replace(" ", ""):
        hit = f"{level}({count} *{rest}, {rate})"
    else:
        hit = f"{level}({int(count) + 1} *{rest}, spares=1, {rate})"
    if nested is None:
        return hit
    others = f", {int(nested['arrays']) - 1} * {nested['inner']}" if int(nested["arrays"]) > 1 else ""
    return f"{nested['outer']}({hit}{others}{nested['rest']})"
