"""What must agree before two runs are compared; ratios of unlike runs mean nothing."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Literal

from drivecast.bench.fio import workload_line
from drivecast.document.comparison import Run, Side
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError, InputError
from drivecast.stage.simulate import is_line

Unlike = Literal["partial", "seed", "span"]
"""What may be accepted; another workload never is."""

READ_FRACTION_MAX = 0.05
SIZE_MAX = 1.1
"""Beyond these a mix or a mean size is another workload's; sampling of a thousand requests stays within."""
REQUESTS_MIN = 1000


def pairs(
    measured: Side, other: Side, accepted: Collection[Unlike]
) -> tuple[list[tuple[Run, Run]], list[str]]:
    """The runs that both sides have, and notes on those they do not share.

    Raises `InputError` where the sides, or two runs that should be the same, are unlike.
    """
    notes = _sides(measured, other, accepted)
    if len(measured.runs) == len(other.runs) == 1:
        found = [(measured.runs[0], other.runs[0])]
    else:
        found = _matched(measured, other)
        for side, place in ((measured, 0), (other, 1)):
            alone = len(side.runs) - len({id(pair[place]) for pair in found})
            if alone:
                notes.append(f"{alone} of {len(side.runs)} points of `{side.name}` have no partner: left out")
    if not found:
        raise InputError(
            f"`{measured.name}` and `{other.name}` have no workload with the same settings in common: "
            "nothing to compare"
        )
    for run, partner in found:
        notes += pair(run, partner, accepted)
    return found, notes


def whole(side: Side, accepted: Collection[Unlike]) -> list[str]:
    """Notes on a side that is only a part. Raises `InputError` unless that is accepted."""
    if side.partial is None:
        return []
    message = f"`{side.name}` is partial: {side.partial}"
    if "partial" not in accepted:
        raise HintedError(message, "finish it, or take what is there with `--accept partial`")
    return [message]


def _sides(measured: Side, other: Side, accepted: Collection[Unlike]) -> list[str]:
    notes = [*whole(measured, accepted), *whole(other, accepted)]
    if measured.seed is not None and other.seed is not None and measured.seed != other.seed:
        message = (
            f"seeds differ: {measured.seed} in `{measured.name}`, {other.seed} in `{other.name}`; "
            "models and lines draw other requests"
        )
        if "seed" not in accepted:
            raise HintedError(
                f"{message}", "run one of them again with the other's `--seed`, or `--accept seed`"
            )
        notes.append(message)
    return notes


def _matched(measured: Side, other: Side) -> list[tuple[Run, Run]]:
    """Runs of the same workload and settings; of the same target too, where both sides have several."""
    by_target = min(len({run.target for run in side.runs}) for side in (measured, other)) > 1

    def key(run: Run) -> tuple[object, ...]:
        target = run.target if by_target else None
        return (_named(run.workload), tuple(sorted((k, str(v)) for k, v in run.settings.items())), target)

    partners: dict[tuple[object, ...], Run] = {}
    for run in other.runs:
        if key(run) in partners and not by_target:
            raise HintedError(
                f"`{other.name}` has `{run.title}` on several targets, `{measured.name}` on one of another name: "
                "ambiguous",
                "compare results of one target each",
            )
        partners[key(run)] = run
    return [(run, partners[key(run)]) for run in measured.runs if key(run) in partners]


def pair(run: Run, partner: Run, accepted: Collection[Unlike]) -> list[str]:
    """Notes on two runs that are alike enough. Raises `InputError` where they are not."""
    if run.is_database != partner.is_database:
        raise InputError(f"`{run.title}` is transactions of a database on one side only: unlike things")
    if run.workload_hash and partner.workload_hash:
        if run.workload_hash != partner.workload_hash:
            raise InputError(
                f"`{run.title}`: the workloads differ (hash {run.workload_hash[:12]} against "
                f"{partner.workload_hash[:12]}): not compared"
            )
    elif run.workload and partner.workload and _named(run.workload) != _named(partner.workload):
        raise InputError(f"the workloads differ: `{run.workload}` against `{partner.workload}`: not compared")
    for first, second in zip(run.outcomes[:1], partner.outcomes[:1], strict=True):
        _mix(run, first, second)
    return _span(run, partner, accepted)


def _named(workload: str | None) -> str | None:
    """A workload without what does not matter: how a line is written, and its span; the folder of a file."""
    if workload is None:
        return None
    if not is_line(workload):
        return PurePath(workload).name
    return replace(workload_line.parse(workload), span=1.0).text()


def _span(run: Run, partner: Run, accepted: Collection[Unlike]) -> list[str]:
    spans = run.span_bytes, partner.span_bytes
    if None in spans or spans[0] == spans[1]:
        return []
    message = f"`{run.title}`: spans differ: {(spans[0] or 0) / 1e9:,.2f} GB against {(spans[1] or 0) / 1e9:,.2f} GB"
    if "span" not in accepted:
        raise HintedError(message, "measure both on the same size, or `--accept span`")
    return [message]


def _mix(run: Run, ours: Outcome, theirs: Outcome) -> None:
    """Compare two runs' mix and sizes, which show a wrong file where no hash does."""
    mixes, sizes = zip(*(_shape(outcome) for outcome in (ours, theirs)), strict=True)
    if None not in mixes and abs(mixes[0] - mixes[1]) > READ_FRACTION_MAX:
        raise InputError(
            f"`{run.title}`: {mixes[0]:.0%} of the requests are reads on one side and {mixes[1]:.0%} on the other: "
            "not the same workload"
        )
    for op, first, second in zip(("read", "write"), *sizes, strict=True):
        if first and second and max(first, second) > SIZE_MAX * min(first, second):
            raise InputError(
                f"`{run.title}`: a {op} has {first / 1024:,.1f} KiB on one side and {second / 1024:,.1f} KiB on the "
                "other, in the mean: not the same workload"
            )


def _shape(outcome: Outcome) -> tuple[float | None, Sequence[float | None]]:
    """The share of reads, and the mean sizes of reads and writes; none where there are too few."""
    counts = [outcome.read.requests, outcome.write.requests]
    moved = [outcome.host_read_bytes, outcome.host_written_bytes]
    sizes = [
        size / count if size and count >= REQUESTS_MIN else None
        for size, count in zip(moved, counts, strict=True)
    ]
    return (counts[0] / sum(counts) if sum(counts) >= REQUESTS_MIN else None), sizes
