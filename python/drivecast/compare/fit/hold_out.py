"""What a fit never sees: the observations that decide its error.

Model. A parameter set that follows the runs it was made from proves nothing; its error is that on runs of other
settings. Held out is what the user names: whole results, or by selectors such as `read_fraction=0.7,iodepth=3|12|48`
(all of a selector's keys must agree). Where nothing is named, by a rule that looks at settings only, never at figures:
traces and models, for they are what predictions are made for; and of lines, mixed reads and writes at every second of
their depths, from the second on, or where they have one depth of their sizes; where nothing is mixed, every third depth
from the second on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from drivecast.compare.fit.observation import Observation
from drivecast.errors import HintedError, InputError
from drivecast.quantity.parse import size_bytes

FITTED_MIN = 4
"""Fewer observations determine nothing."""


@dataclass(frozen=True)
class Split:
    """Observations to fit to, and those that decide the error."""

    fitted: list[Observation]
    held_out: list[Observation]
    rule: str
    """How they were split."""


def _same(value: object, wanted: str) -> bool:
    """Whether a setting has a value, as text, a number, or a size."""
    if str(value).lower() == wanted.lower():
        return True
    try:
        return float(str(value)) == float(wanted)
    except ValueError:
        pass
    try:
        return float(str(value)) == float(size_bytes(wanted))
    except (InputError, ValueError):
        return False


def _seen(observation: Observation) -> Mapping[str, object]:
    """What a selector can name: the settings, and what follows from the workload."""
    derived = {
        "iodepth": observation.depth,
        "read_fraction": observation.read_fraction,
        "block_bytes": round(observation.block_bytes),
        "workload": observation.workload,
        "file": Path(observation.file).name,
    }
    return {**derived, **observation.settings}


def _parts(selector: str) -> dict[str, list[str]]:
    """Keys and values of a selector. Raises `InputError` where it is none."""
    parts = {}
    for part in selector.split(","):
        key, equals, values = part.partition("=")
        if not equals or not key.strip() or not values.strip():
            raise InputError(
                f"--hold-out: expected a result or a selector such as `read_fraction=0.7,iodepth=3|12`, "
                f"found `{selector}`"
            )
        parts[key.strip()] = [value.strip() for value in values.split("|")]
    return parts


def _chosen(selector: str, observations: Sequence[Observation]) -> list[Observation]:
    parts = _parts(selector)
    known = sorted({key for observation in observations for key in _seen(observation)})
    for key in parts:
        if key not in known:
            raise HintedError(f"--hold-out: no run has a setting `{key}`", f"known are {', '.join(known)}")
    chosen = [
        observation
        for observation in observations
        if all(
            any(_same(_seen(observation).get(key), value) for value in values)
            for key, values in parts.items()
        )
    ]
    if not chosen:
        raise InputError(f"--hold-out: no run has `{selector}`")
    return chosen


def _every(values: set[int], first: int, step: int) -> list[int]:
    return sorted(values)[first::step]


def _by_rule(observations: Sequence[Observation]) -> tuple[list[Observation], str]:
    """What is held out where nothing is named."""
    lines = [run for run in observations if run.depth is not None]
    mixed = [run for run in lines if run.read_fraction is not None and 0.0 < run.read_fraction < 1.0]
    depths = {run.depth for run in mixed if run.depth is not None}
    sizes = {round(run.block_bytes, -2) for run in mixed}
    held: list[Observation] = []
    wording = []
    if len(depths) > 1:
        chosen = _every(depths, 1, 2)
        held = [run for run in mixed if run.depth in chosen]
        wording.append(f"mixed reads and writes at every second depth ({', '.join(map(str, chosen))})")
    elif len(sizes) > 1:
        chosen = _every({int(size) for size in sizes}, 1, 2)
        held = [run for run in mixed if round(run.block_bytes, -2) in chosen]
        wording.append("mixed reads and writes of every second size")
    else:
        chosen = _every({run.depth for run in lines if run.depth is not None}, 1, 3)
        held = [run for run in lines if run.depth in chosen]
        wording.append(f"every third depth ({', '.join(map(str, chosen))})" if held else "nothing")
    played = [run for run in observations if not run.is_line]
    if played:
        wording.append("all traces and models")
    return [*held, *played], " and ".join(wording)


def split(
    observations: Sequence[Observation], named: Sequence[Observation], selectors: Sequence[str]
) -> Split:
    """Split what is fitted from what decides the error; `named` comes from results of their own.

    Raises `InputError` where a selector chooses nothing, or too little is left.
    """
    if selectors:
        held = [run for selector in selectors for run in _chosen(selector, observations)]
        rule = " and ".join(f"`{selector}`" for selector in selectors)
    elif named:
        held, rule = [], ""
    else:
        held, rule = _by_rule(observations)
    ids = {id(run) for run in held}
    held = [run for run in observations if id(run) in ids]
    fitted = [run for run in observations if id(run) not in ids]
    if len(fitted) < FITTED_MIN:
        raise HintedError(
            f"{len(fitted)} settings are left to fit to, at least {FITTED_MIN} are needed",
            "a sweep of depths determines most: `drivecast bench sweep depth --on DIR -o depth.json`",
        )
    if named:
        names = ", ".join(f"`{name}`" for name in dict.fromkeys(run.file for run in named))
        rule = f"{rule} and {names}" if rule else names
    return Split(fitted, [*held, *named], rule)
