"""How long a rebuild takes: on the simulator under the workload, or by arithmetic without one.

Model. One drive of the array has failed and is written anew onto a spare, at most at half of its sequential
write rate, while the workload continues. The run covers a stretch of the rebuild; its rate is taken for all of
it, so the capacity over that rate is the time. Flash starts in the steady state of the workload, and drives
that are simulated at a smaller scale are rebuilt at the same bytes a second. Without a workload the time is
the capacity over half of the sequential write rate.
"""

import re
from collections.abc import Callable

from drivecast import _core
from drivecast.assess.mttdl import rebuild_time_h
from drivecast.catalog import Catalog, Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage.design import Design
from drivecast.stage.simulate import Options, simulate

SHARE = 0.5
"""Share of a drive's sequential write rate that a rebuild may take while the array serves (assumed)."""
SHARES = (SHARE, SHARE / 2, SHARE / 4)
"""What an administrator limits it to (`sync_speed_max` of md, a controller's rebuild rate) where p99 suffers: a disk of
24 TB takes 4, 8 or 16 days (assumed)."""

REQUESTS = 100_000
"""Requests of a workload that a rebuild is watched under."""

_PLAIN = re.compile(r"^\s*(raid\d+)\(\s*(\d+)\s*\*(.*)\)\s*$", re.DOTALL)
_NESTED = re.compile(
    r"^\s*(?P<outer>raid\d+)\(\s*(?P<arrays>\d+)\s*\*\s*(?P<inner>raid\d+\([^()]*\))(?P<rest>[^()]*)\)\s*$"
)
_OWN = ("degraded", "failed", "rebuild")
_SPARES = re.compile(r",\s*spares\s*=\s*\d+")


def bytes_per_s(drive: Drive, share: float = SHARE) -> float:
    """The rate that a rebuild may take."""
    sheet = drive.sheet
    rate = sheet.disk.inner_mb_s if isinstance(sheet, HddSheet) else sheet.performance.sequential_write_mb_s
    return rate.value * 1e6 * share


def idle_h(drive: Drive, share: float = SHARE) -> float:
    """Hours to write a drive whole at that rate."""
    return rebuild_time_h(drive.user_bytes, bytes_per_s(drive, share))


def loaded_h(
    design: Design,
    load: _core.Workload,
    catalog: Catalog,
    options: Options,
    *,
    share: float = SHARE,
    kept: _core.Kept | None = None,
) -> float:
    """Hours to rebuild a drive of `design` under `load`, played as `options` say.

    Raises `InputError` for a design that names failures of its own, or under whose load the rebuild does not move.
    """
    drive = design.drive
    if not design.failures_tolerated:
        return idle_h(drive, share)
    found = watched_h(simulate(rebuilding(design, share), load, catalog, options, kept=kept), drive, share)
    if found is None:
        raise HintedError(
            f"`{design.line}`: under this load the rebuild got nowhere", "give `--rebuild-hours`"
        )
    return found


def watched_h(outcome: Outcome, drive: Drive, share: float = SHARE) -> float | None:
    """Hours of a whole rebuild at the rate that a run had; none where it got nowhere."""
    whole_s = outcome.rebuild.whole_s if outcome.rebuild else None
    return max(whole_s / 3600, idle_h(drive, share)) if whole_s else None


def degraded(design: Design) -> str:
    """The line of a design with one drive failed, and none in its place. Raises as `loaded_h`."""
    return _hit(design, lambda level, count, rest: f"{level}({count} *{_SPARES.sub('', rest)}, degraded=1)")


def rebuilding(design: Design, share: float = SHARE) -> str:
    """The line of a design with one drive failed, and a spare that it is rebuilt onto. Raises as `loaded_h`."""
    rate = f"degraded=1, rebuild={bytes_per_s(design.drive, share) / 1e6:g}MB/s"

    def hit(level: str, count: int, rest: str) -> str:
        if _SPARES.search(rest):
            return f"{level}({count} *{rest}, {rate})"
        return f"{level}({count + 1} *{rest}, spares=1, {rate})"

    return _hit(design, hit)


def is_whole(line: str) -> bool:
    """Whether the design is an array of equal drives, or of equal arrays of them, without failures of its own."""
    own = any(f"{name}=" in line.replace(" ", "") for name in _OWN)
    return not own and (_PLAIN.match(line) or _NESTED.match(line)) is not None


def _hit(design: Design, hit: Callable[[str, int, str], str]) -> str:
    """The line of a design with an array changed; of arrays in an array the first."""
    line = design.line
    nested = _NESTED.match(line)
    array = _PLAIN.match(nested["inner"] if nested else line)
    if array is None or not is_whole(line):
        raise HintedError(
            f"`{line}`: a rebuild is simulated on an array of equal drives that is whole",
            "give `--rebuild-hours`",
        )
    level, count, rest = array.groups()
    changed = hit(level, int(count), rest)
    if nested is None:
        return changed
    others = f", {int(nested['arrays']) - 1} * {nested['inner']}" if int(nested["arrays"]) > 1 else ""
    return f"{nested['outer']}({changed}{others}{nested['rest']})"
