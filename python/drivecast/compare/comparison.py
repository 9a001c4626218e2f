"""A whole comparison: every run of a measurement beside its partner."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from drivecast.compare import matching, predict, workload_kind
from drivecast.compare.judge import TOLERANCE, UP_TO, Outcome, Pair, judge
from drivecast.compare.matching import Unlike
from drivecast.compare.predict import Conditions, Progress
from drivecast.compare.side import Run, Side
from drivecast.errors import InputError
from drivecast.stage.trace import AS_IT_IS, Reading


@dataclass(frozen=True)
class Rule:
    """How it is judged."""

    tolerance: float = TOLERANCE
    up_to: str = UP_TO
    seed: int = 0
    """Of the bootstrap."""
    accepted: Collection[Unlike] = ()
    """What may differ although it makes the runs unlike."""


@dataclass(frozen=True)
class Comparison:
    """All pairs, and what they were made from."""

    measured: Side
    prediction: str
    """The design, or the other file."""
    predicted: bool
    """Whether the other side is a prediction, and not a measurement too."""
    pairs: Sequence[Pair]
    kinds: Sequence[str | None]
    """Of each pair's workload; none of a database's."""
    notes: Sequence[str]
    rule: Rule

    @property
    def outcome(self) -> Outcome:
        """The verdict on all: within only where every pair is."""
        found = {pair.outcome for pair in self.pairs}
        return "beyond" if "beyond" in found else "untold" if "untold" in found else "within"


def with_design(measured: Side, design: str, given: Conditions, rule: Rule, update: Progress) -> Comparison:
    """Every run beside its own simulation on `design`.

    Raises `InputError` where nothing can be simulated, or the measurement is partial and that is not accepted.
    """
    notes = matching.whole(measured, rule.accepted)
    predicted = predict.predict(measured, design, given, update)
    apart = predicted.count(None)
    if apart == len(predicted):
        raise InputError(
            f"`{measured.name}` holds transactions, of a database or a log with flushes, which are not simulated\n"
            "hint: compare it with another result"
        )
    if apart:
        notes.append(f"{apart} points are transactions, of a database or of a log with its flushes: left out")
    pairs = []
    for run, one in zip(measured.runs, predicted, strict=True):
        if one is not None:
            # What was simulated is of the same file and span, so only mix and sizes can tell that it is another's.
            notes += matching.pair(run, replace(one.run, workload=run.workload), rule.accepted)
            pairs.append(_judged(run, one, rule))
    kinds = _kinds(pairs, given.reading)
    return Comparison(measured, design, True, pairs, kinds, [*notes, *_told(measured)], rule)


def with_side(measured: Side, other: Side, rule: Rule, reading: Reading = AS_IT_IS) -> Comparison:
    """Every run beside that of another file.

    Raises `InputError` where the files are unlike.
    """
    pairs, notes = matching.pairs(measured, other, rule.accepted)
    judged = [_judged(one, predict.Predicted(two, ()), rule) for one, two in pairs]
    kinds = _kinds(judged, reading)
    told = [*notes, *_told(measured), *_told(other)]
    return Comparison(measured, other.name, not other.measured, judged, kinds, told, rule)


def _kinds(pairs: Sequence[Pair], reading: Reading) -> list[str | None]:
    return [
        None if one.measured.is_database else workload_kind.of(one.measured, reading).name for one in pairs
    ]


def _judged(run: Run, one: predict.Predicted, rule: Rule) -> Pair:
    return judge(run, one.run, one.corners, tolerance=rule.tolerance, up_to=rule.up_to, seed=rule.seed)


def _told(side: Side) -> list[str]:
    """What was said of the runs when they were made."""
    found = dict.fromkeys(note for run in side.runs for note in run.notes)
    return [f"`{side.name}`: {note}" for note in found]
