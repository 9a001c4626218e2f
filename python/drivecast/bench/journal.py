"""A result from beginning to end: begun or resumed, stored after every point, ended complete or partial.

Killed at any moment, its file holds every point that was finished and states that it is partial; the same command
resumes after them.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drivecast import __version__
from drivecast.document.findings import Findings, Setting
from drivecast.document.result import Kind, Point, Result, TargetRow, read
from drivecast.errors import HintedError

Store = Callable[[Result], object]
"""Takes the result so far, and writes it to its file."""


class Journal:
    """A result that grows by points, each with the findings of all so far."""

    def __init__(
        self,
        result: Result,
        store: Store,
        findings: Callable[[Sequence[Point]], Findings] | None = None,
        planned: int | None = None,
    ) -> None:
        self.result = result
        self._store = store
        self._findings = findings
        self._planned = planned

    @property
    def points(self) -> list[Point]:
        """The points so far."""
        return self.result.points

    def has(self, target: str, settings: Mapping[str, Setting]) -> bool:
        """Whether this point was measured."""
        return any(point.target == target and point.settings == settings for point in self.points)

    def add_target(self, row: dict[str, Any]) -> None:
        """Add what is known of a target."""
        others = [known for known in self.result.targets if known.name != row["name"]]
        self._change(targets=[*others, TargetRow(**row)])

    def add(self, *points: Point) -> None:
        """Add points, and store the result unless it is complete now."""
        self.replace([*self.points, *points])
        if len(self.points) != self._planned:
            self._store(self.result)

    def replace(self, points: Sequence[Point]) -> None:
        """Take these points for all."""
        self._change(points=list(points))
        self._change(partial=self._count or "not finished", ended=None, complete=False)
        self._judge()

    def end(self, partial: str | None = None) -> Result:
        """Store the result with its end: complete where nothing makes it partial."""
        self._change(ended=now(), partial=partial, complete=partial is None)
        self._judge()
        self._store(self.result)
        return self.result

    @contextmanager
    def measuring(self) -> Iterator[None]:
        """Whatever ends the block early, store the result with the reason first."""
        try:
            yield
        except BaseException as error:
            self.end(reason(error) + (f" after {self._count}" if self._count else ""))
            raise

    @property
    def _count(self) -> str:
        return f"{len(self.points)} of {self._planned} points" if self._planned is not None else ""

    def _judge(self) -> None:
        if self._findings is not None:
            self._change(findings=self._findings(self.points))

    def _change(self, **changed: Any) -> None:
        self.result = self.result.model_copy(update=changed)


def begun(
    kind: Kind,
    title: str,
    plan: Mapping[str, Any],
    seed: int,
    environment: dict[str, Any],
    *targets: dict[str, Any],
) -> Result:
    """Return a result without points, of the command that this program was started with."""
    return Result(
        kind=kind,
        title=title,
        version=__version__,
        seed=seed,
        plan_hash=plan_hash(plan),
        command=sys.argv[1:],
        started=now(),
        environment=environment,
        targets=[TargetRow(**row) for row in targets],
        points=[],
    )


def resumed(path: Path | None, new: Result, *, fresh: bool) -> Result:
    """Return what `path` holds of the plan of `new`, to be resumed, else `new`; raises as `unfinished` does."""
    return unfinished(path, new.plan_hash, fresh=fresh) or new


def unfinished(path: Path | None, plan: str, *, fresh: bool) -> Result | None:
    """Return what is there of the same plan and not complete; none where nothing is, or `fresh`.

    Raises `InputError` where the file holds a result of another plan, or a complete one: neither is overwritten.
    """
    if path is None or fresh or not path.exists():
        return None
    found = read(path)
    if found.plan_hash != plan:
        raise HintedError(
            f"`{path}` holds a result of another plan", "another `-o`, or `--fresh` to overwrite it"
        )
    if found.complete:
        raise HintedError(f"`{path}` holds this result already, complete", "another `-o`, or `--fresh`")
    return found.model_copy(update={"ended": None})


def reason(error: BaseException) -> str:
    """Return why `error` ends a result, on one line."""
    return "interrupted" if isinstance(error, KeyboardInterrupt) else str(error).partition("\n")[0]


def plan_hash(plan: Mapping[str, Any]) -> str:
    """Return a short hash of all that decides what is measured."""
    text = json.dumps(plan, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def now() -> str:
    """Return the time, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
