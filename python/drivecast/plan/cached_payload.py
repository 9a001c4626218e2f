"""What a plan carries of its cached designs, for the page of its report.

Model. A candidate's own shape and figures are those of the drives behind; `cached` has the cache before them, as
`crates/assess/src/what_if/cached.rs` reads it. Designs that were tried carry their runs and what the cache sent to each
side; those that a bound ruled out carry what an LRU cache of their size is expected to miss and to write. Of a log so
long that cached designs play a part only, the page judges them, and plays none.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from drivecast.caching.reuse import Reuse
from drivecast.catalog import Drive
from drivecast.catalog.sheet import HddSheet
from drivecast.document.miss import Miss
from drivecast.document.profile import Profile
from drivecast.plan import facts
from drivecast.plan.cached_trial import WORN_BY, Tried
from drivecast.plan.candidate import Candidate
from drivecast.plan.design_runs import DesignRuns, Runs, run
from drivecast.plan.trial import Bench
from drivecast.quantity.year import DAY_S
from drivecast.stage.cached_design import CachedDesign, option
from drivecast.stage.design import Design, items

OWN = ("fast", "slow", "policy", "mode")
"""Arguments of a line that have a field of their own."""


@dataclass(frozen=True)
class Carries:
    """The cached designs of a plan."""

    bench: Bench
    """What they were tried on: of a long log a part."""
    again: Reuse | None
    tried: tuple[tuple[Tried, bool], ...] = ()
    """Each with whether somebody named it."""
    ruled_out: tuple[tuple[CachedDesign, Miss], ...] = ()
    today: str | None = None

    def drives(self, never: Iterable[str]) -> dict[str, Drive]:
        """The drives of all that go along, by name."""
        designs = [*(each.design for each, _ in self.tried), *self.open(never)]
        return {side.drive.name: side.drive for design in designs for side in (design.fast, design.slow)}

    def open(self, never: Iterable[str]) -> list[CachedDesign]:
        """Those that a bound ruled out which the page may lift."""
        return [design for design, miss in self.ruled_out if miss.kind not in never]

    def designs(self) -> list[dict[str, Any]]:
        """Those that were tried."""
        runs = Runs(self.bench)
        return [self._tried(each, runs, yours=yours) for each, yours in self.tried]

    def space(self, never: Iterable[str]) -> list[dict[str, Any]]:
        """The shapes of those that were not."""
        return [self._shape(design) for design in self.open(never)]

    def _shape(self, design: CachedDesign, *, yours: bool = False) -> dict[str, Any]:
        return parts(design.slow) | {
            "line": design.line,
            "title": design.title,
            "usable_bytes": design.usable_bytes,
            "today": design.line == self.today,
            "yours": yours,
            "cached": self._cached(design),
        }

    def _cached(self, design: CachedDesign) -> dict[str, Any]:
        again, size = self.again, design.cache_bytes
        sheet = design.slow.drive.sheet
        written = again.sent_bytes_per_day(size, write_back=design.is_write_back) if again else (0.0, 0.0)
        others = (item for item in items(design.line, "cache") or () if option(item)[0] not in OWN)
        return {
            "cache": parts(design.fast),
            "policy": design.policy,
            "mode": design.mode,
            "options": ", ".join(others),
            "size_bytes": design.size_bytes,
            "written_bytes_per_day": written,
            "read_misses": again and again.read_misses(size),
            "turn_ns": 60e9 / sheet.disk.rpm.value if isinstance(sheet, HddSheet) else None,
        }

    def _tried(self, tried: Tried, runs: Runs, *, yours: bool) -> dict[str, Any]:
        design, trial = tried.design, tried.trial
        seen = runs.of(design)
        if not seen.runs:  # it was tried elsewhere
            seen = DesignRuns(
                seen.fill, [run(self.bench.times, trial.peak)], seen.whole, seen.held, seen.missed
            )
        found = self._shape(design, yours=yours) | seen.with_trial(trial)
        cached = found["cached"] | {
            "seen": _seen(tried.fast),
            "written_bytes_per_day": tried.written_bytes_per_day,
            "simulated_loss": simulated(tried.fast),
            "hit_ratio": tried.warm.hit_ratio,
        }
        return found | {
            "seen": _seen(tried.slow),
            "simulated_loss": simulated(tried.slow),
            "cached": cached,
        }


def played(profile: Profile) -> dict[str, Any]:
    """By what a cached design is judged once it was played."""
    moved = (profile.bytes_read + profile.bytes_written) / profile.duration_s * DAY_S
    return {"moved_bytes_per_day": moved, "worn_by": WORN_BY}


def parts(design: Design) -> dict[str, Any]:
    """The shape of a design of one kind of drive."""
    return {
        "drive": design.drive.name,
        "level": design.level,
        "count": design.bays,
        "groups": design.redundancy.groups,
        "spares": design.spares,
        "partition": design.partition,
    }


def _seen(side: Candidate) -> dict[str, Any] | None:
    return None if side.trial is None else facts.of_trial(side.trial)


def simulated(side: Candidate) -> dict[str, float] | None:
    """The chance of losing data that was simulated, where it was."""
    loss = side.verdict and side.verdict.loss
    return loss.probability.model_dump() if loss and loss.method == "simulated" else None
