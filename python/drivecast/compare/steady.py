"""Which points of a steady-state test count: the rounds of its measurement window, as repeats of their cell.

What came before the window is a transition, and preconditioning is no measurement: a prediction is held against
neither.
"""

from collections.abc import Sequence

from drivecast.document.result import Point, Result
from drivecast.errors import InputError


def inside(path: str, found: Result) -> Sequence[Point]:
    """The points of the window of every part; all points of a result of another kind.

    Raises `InputError` where no part reached its steady state.
    """
    if found.kind != "steady-state":
        return found.points
    parts = {
        part["part"]: (part["stretch"], *part["window"])
        for part in found.findings.get("parts", ())
        if part.get("reached") and part.get("window")
    }
    if not parts:
        raise InputError(
            f"`{path}`: steady state was not reached, and a drive on its way there is no figure to hold a prediction "
            "against\nhint: go on with the test, or compare with `drivecast bench run` of one workload"
        )
    return [one for one in found.points if _counts(one, parts.get(one.settings.get("part")))]


def _counts(point: Point, window: tuple[int, int, int] | None) -> bool:
    settings = point.settings
    if window is None or settings.get("stage") != "round" or settings.get("stretch") != window[0]:
        return False
    return window[1] <= int(settings["round"]) <= window[2]
