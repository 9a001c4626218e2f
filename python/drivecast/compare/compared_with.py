"""What a measured result is compared with: another file, or a design on which each of its points is simulated."""

from pathlib import Path

from drivecast.compare import comparison, comparison_side
from drivecast.compare.comparison import Rule
from drivecast.compare.predict import Conditions, Progress
from drivecast.document.comparison import Comparison
from drivecast.errors import InputError
from drivecast.files import exists


def compared(measured: Path, prediction: str, given: Conditions, rule: Rule, update: Progress) -> Comparison:
    """The comparison of a result with a file, or else with a design.

    Raises `InputError` for what is neither.
    """
    ours = comparison_side.read(measured)
    if exists(prediction):
        return comparison.with_side(ours, comparison_side.read(Path(prediction)), rule, given.reading)
    if prediction.endswith(".json"):
        raise InputError(f"cannot read `{prediction}`: No such file or directory")
    return comparison.with_design(ours, prediction, given, rule, update)
