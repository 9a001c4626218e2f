"""The result while it is being measured: given away after each point, gone on with, and closed.

Killed at any moment, its file holds every point that was finished and says that it is partial.
"""

from collections.abc import Mapping
from typing import Any

from drivecast.bench.journal import Keep, ended
from drivecast.document.findings import Findings, Setting
from drivecast.document.result import Point, Result


class Book:
    """A result that grows to so many points."""

    def __init__(self, result: Result, planned: int, keep: Keep) -> None:
        self.result = result
        self._planned = planned
        self._give = keep

    def has(self, target: str, settings: Mapping[str, Setting]) -> bool:
        """Whether this point was measured."""
        return any(one.target == target and one.settings == settings for one in self.result.points)

    def add(self, point: Point) -> None:
        """Keep a point."""
        self._change(points=[*self.result.points, point], ended=None)
        self._change(partial=self._so_far, complete=False)
        self._give(self.result)

    def target(self, row: dict[str, Any]) -> None:
        """Take up what is known of a target."""
        rows = [one for one in self.result.targets if one["name"] != row["name"]]
        self._change(targets=[*rows, row])

    def cut(self, why: str, findings: Findings) -> None:
        """Keep it with the reason why it ends before its end."""
        self._give(ended(self.result, f"{self._so_far}; {why}", findings=findings))

    def close(self, findings: Findings) -> Result:
        """Keep it whole."""
        return self._give(ended(self.result, None, findings=findings))

    @property
    def _so_far(self) -> str:
        return f"{len(self.result.points)} of {self._planned} points were measured"

    def _change(self, **changed: Any) -> None:
        self.result = self.result.model_copy(update=changed)
