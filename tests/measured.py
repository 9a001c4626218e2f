"""Results as `drivecast bench` writes them, measured on a simulated device that stands for a real one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bundled import CATALOG
from drivecast.document import result
from drivecast.document.outcome import Outcome
from drivecast.stage.simulate import Options, simulate, workload


def outcome(design: str, line: str, *, seed: int, seconds: float) -> Outcome:
    """What the device does under a line."""
    options = Options(seed=seed, duration_s=seconds)
    return simulate(design, workload(line, seed=seed), CATALOG, options)


def point(found: Outcome | dict[str, Any], line: str, **change: Any) -> result.Point:
    """A point that was measured."""
    given: dict[str, Any] = {
        "target": "/mnt/candidate",
        "settings": {},
        "workload": line,
        "started": "2026-11-21T10:00:00+00:00",
        "outcome": found,
        **change,
    }
    return result.Point(**given)


def document(points: Sequence[result.Point], **change: Any) -> result.Result:
    """A complete result."""
    given: dict[str, Any] = {
        "kind": "run",
        "title": "a run",
        "version": "1.0",
        "seed": 0,
        "plan_hash": "0123",
        "command": ["bench", "run"],
        "started": "2026-11-21T10:00:00+00:00",
        "complete": True,
        "environment": {"kernel": "6.1"},
        "targets": [{"name": "/mnt/candidate", "bytes": 1 << 30, "made": False}],
        "points": list(points),
        **change,
    }
    return result.Result(**given)


def run(
    path: Path, design: str, lines: Sequence[str], *, seeds: Sequence[int] = (1,), seconds: float = 60.0
) -> Path:
    """A result of lines, each as often as there are seeds."""
    points = [
        point(
            outcome(design, line, seed=seed, seconds=seconds),
            line,
            settings={"repeat": at} if len(seeds) > 1 else {},
        )
        for at, seed in enumerate(seeds)
        for line in lines
    ]
    result.write(path, document(points))
    return path
