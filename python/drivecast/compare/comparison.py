"""A whole comparison: every run of a measurement next to its partner."""

from collections.abc import Sequence
from dataclasses import replace

from drivecast import __version__
from drivecast.compare import matching, predict, workload_kind
from drivecast.compare.judge import Rule, judge
from drivecast.compare.predict import Conditions, Progress
from drivecast.document.comparison import Comparison, Point, Run, Side
from drivecast.errors import InputError
from drivecast.stage.trace import AS_IT_IS, Reading


def with_design(measured: Side, design: str, given: Conditions, rule: Rule, update: Progress) -> Comparison:
    """Every run next to its own simulation on `design`.

    Raises `InputError` where nothing can be simulated, or the measurement is partial and that is not accepted.
    """
    notes = matching.whole(measured, rule.accepted)
    predicted = predict.predict(measured, design, given, update)
    skipped = predicted.count(None)
    if skipped == len(predicted):
        raise InputError(
            f"`{measured.name}` holds transactions, of a database or a log with flushes, which are not simulated\n"
            "hint: compare it with another result"
        )
    if skipped:
        notes.append(
            f"{skipped} points are transactions, of a database or of a log with its flushes: left out"
        )
    points = []
    for run, prediction in zip(measured.runs, predicted, strict=True):
        if prediction is not None:
            # What was simulated is of the same file and span, so only mix and sizes can show that it is another's.
            notes += matching.pair(run, replace(prediction.run, workload=run.workload), rule.accepted)
            points.append(_judged(run, prediction, rule, given.reading))
    return _comparison(measured, design, points, [*notes, *_warnings(measured)], rule, predicted=True)


def with_side(measured: Side, other: Side, rule: Rule, reading: Reading = AS_IT_IS) -> Comparison:
    """Every run next to that of another file.

    Raises `InputError` where the files are unlike.
    """
    pairs, notes = matching.pairs(measured, other, rule.accepted)
    points = [_judged(run, predict.Predicted(partner, ()), rule, reading) for run, partner in pairs]
    notes += [*_warnings(measured), *_warnings(other)]
    return _comparison(measured, other.name, points, notes, rule, predicted=not other.measured)


def _judged(run: Run, prediction: predict.Predicted, rule: Rule, reading: Reading) -> Point:
    kind = None if run.is_database else workload_kind.of(run, reading)
    return judge(run, prediction.run, kind, rule, prediction.corners)


def _comparison(
    side: Side, prediction: str, points: list[Point], notes: list[str], rule: Rule, *, predicted: bool
) -> Comparison:
    """All points; within only where every one is."""
    found = {point.outcome for point in points}
    return Comparison(
        schema_version=1,
        side=side,
        version=__version__,
        seed=rule.seed,
        measured=side.name,
        prediction=prediction,
        against="prediction" if predicted else "measurement",
        tolerance=rule.tolerance,
        up_to=rule.up_to,
        outcome="beyond" if "beyond" in found else "untold" if "untold" in found else "within",
        notes=notes,
        points=points,
    )


def _warnings(side: Side) -> Sequence[str]:
    """What was noted of the runs when they were made."""
    found = dict.fromkeys(note for run in side.runs for note in run.notes)
    return [f"`{side.name}`: {note}" for note in found]
