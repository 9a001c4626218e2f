"""A result from its beginning to its end: begun or gone on with, kept after every point, ended whole or not.

Whoever measures gives the result so far to a `Keep` after every point. Killed at any moment, its file then holds every
point that was finished, says that it is partial, and the same command goes on behind them.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drivecast import __version__
from drivecast.document.findings import Findings
from drivecast.document.result import Kind, Point, Result, read
from drivecast.errors import InputError

Keep = Callable[[Result], Result]
"""Takes the result so far; writes it to its file with what is made of it, and returns that."""


def begun(
    kind: Kind,
    title: str,
    plan: Mapping[str, Any],
    seed: int,
    environment: dict[str, Any],
    *targets: dict[str, Any],
) -> Result:
    """A result without points, of the command that this program was started with."""
    return Result(
        kind=kind,
        title=title,
        version=__version__,
        seed=seed,
        plan_hash=plan_hash(plan),
        command=sys.argv[1:],
        started=now(),
        environment=environment,
        targets=[*targets],
        points=[],
    )


def resumed(path: Path | None, new: Result, *, fresh: bool) -> Result:
    """What `path` holds of the plan of `new`, to go on with, and else `new`; raises as `unfinished` does."""
    return unfinished(path, new.plan_hash, fresh=fresh) or new


def unfinished(path: Path | None, plan: str, *, fresh: bool) -> Result | None:
    """What is there of the same plan and not complete, to go on with; none where nothing is, or `fresh`.

    Raises `InputError` where the file holds a result of another plan, or a complete one: neither is overwritten.
    """
    if path is None or fresh or not path.exists():
        return None
    found = read(path)
    if found.plan_hash != plan:
        raise InputError(
            f"`{path}` holds a result of another plan\nhint: another `-o`, or `--fresh` to overwrite it"
        )
    if found.complete:
        raise InputError(f"`{path}` holds this result already, complete\nhint: another `-o`, or `--fresh`")
    return found.model_copy(update={"ended": None})


def ended(result: Result, partial: str | None, **changed: Any) -> Result:
    """The result with its end and what else is `changed`; complete where nothing makes it partial."""
    end = {"ended": now(), "partial": partial, "complete": partial is None}
    return result.model_copy(update={**changed, **end})


def judging(keep: Keep, findings: Callable[[Sequence[Point]], Findings]) -> Keep:
    """`keep`, with what is found in the points so far."""
    return lambda result: keep(result.model_copy(update={"findings": findings(result.points)}))


def reason(error: BaseException) -> str:
    """Why `error` ends a result, on one line."""
    return "interrupted" if isinstance(error, KeyboardInterrupt) else str(error).partition("\n")[0]


def plan_hash(plan: Mapping[str, Any]) -> str:
    """A short hash of all that decides what is measured."""
    text = json.dumps(plan, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def now() -> str:
    """The time, ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
