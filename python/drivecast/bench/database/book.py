"""The result while it is being measured: written after each point, gone on with, and closed.

Killed at any moment, the file holds every point that was finished and says that it is partial.
"""

import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from drivecast.bench.result import Kind, Point, Result, Setting, write


def now() -> str:
    """The time, ISO 8601, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class Book:
    """A result that grows."""

    def __init__(self, path: Path | None, result: Result) -> None:
        self.path = path
        self.result = result

    def has(self, target: str, settings: Mapping[str, Setting]) -> bool:
        """Whether this point was measured."""
        return any(one.target == target and one.settings == settings for one in self.result.points)

    def add(self, point: Point, planned: int) -> None:
        """Keep a point of as many as are planned."""
        points = [*self.result.points, point]
        self._keep(points=points, partial=f"{len(points)} of {planned} points were measured")

    def target(self, row: dict[str, Any]) -> None:
        """Keep what is known of a target."""
        rows = [one for one in self.result.targets if one["name"] != row["name"]]
        self._keep(targets=[*rows, row])

    def cut(self, why: str) -> None:
        """Say why it ends before its end."""
        self._keep(partial=f"{self.result.partial}; {why}" if self.result.partial else why, ended=now())

    def close(self, findings: dict[str, Any]) -> Result:
        """Say that it is whole."""
        self._keep(partial=None, complete=True, ended=now(), findings=findings)
        return self.result

    def _keep(self, **changed: Any) -> None:
        self.result = self.result.model_copy(update=changed)
        if self.path is not None:
            write(self.path, self.result)


def opened(  # noqa: PLR0913 (what a result is made of, by name)
    path: Path | None,
    found: Result | None,
    *,
    kind: Kind,
    title: str,
    version: str,
    seed: int,
    plan: str,
    command: Sequence[str],
    environment: dict[str, Any],
) -> Book:
    """The book of what was `found`, or a new one."""
    if found is not None:
        return Book(path, found.model_copy(update={"partial": None, "ended": None}))
    return Book(
        path,
        Result(
            kind=kind,
            title=title,
            version=version,
            seed=seed,
            plan_hash=plan,
            command=list(command),
            started=now(),
            environment=environment,
            targets=[],
            points=[],
        ),
    )
