"""The findings of a test: whether it reached steady state, and the figures of the measurement window.

Each deviation from the specification is a sentence in `deviations`; with any of them, the figures must not be called
figures of the specification.
"""

from collections.abc import Sequence
from itertools import accumulate, chain
from statistics import fmean
from typing import Any

from drivecast.bench.pts import pts_run, specification, steady
from drivecast.bench.pts.specification import Cell, Choice, Part, Plan, planned
from drivecast.document.findings import CellMean, Cliff, SaturationStep, SteadyPart, SteadyState, Tracked
from drivecast.document.result import Point, TargetRow

UNITS = {"iops": "1/s", "throughput_bytes_per_s": "B/s", "latency_ns_mean": "ns"}


def findings(plan: Plan, points: Sequence[Point], place: TargetRow) -> SteadyState:
    """Return the findings of a test, finished or not; `place` is the target's row in the result."""
    parts = [_part(plan, part, points) for part in plan.parts]
    deviations = [*_of_plan(plan), *_of_place(plan, place), *_of_run(plan, points)]
    return SteadyState(
        test=plan.test,
        specification=specification.SPECIFICATION,
        follows=not deviations,
        quick=plan.quick,
        deviations=deviations,
        span_bytes=plan.span_bytes,
        step_s=plan.step_s,
        reached=bool(parts) and all(part.reached for part in parts),
        parts=parts,
    )


def _part(plan: Plan, part: Part, points: Sequence[Point]) -> SteadyPart:
    past = pts_run.stretches(points, part)
    last = past[-1] if past else []
    whole = pts_run.rounds(last)
    values = pts_run.tracked(whole, part)
    found = steady.sought(values)
    window = next(iter(found.windows.values()), None)
    # Of every round that the rule judged.
    looked = whole[part.spacing - 1 :: part.spacing]
    inside = [] if window is None else list(chain(*looked[window.first - 1 : window.last]))
    ending = next((point for point in last if point.settings["stage"] == "histogram"), None)
    saturation: dict[str, Any] = {}
    if part.saturates:
        series = _series(whole, plan)
        saturation = {"series": series, "cliff": _cliff(series, plan.span_bytes)}
    return SteadyPart(
        part=part.name,
        reached=found.reached,
        ended_by=pts_run.over(last, part, plan.span_bytes) if last else None,
        rounds=len(whole),
        rounds_max=part.rounds_max,
        stretch=len(past),
        purge=next((str(point.settings["purge"]) for point in last if "purge" in point.settings), None),
        iodepth=part.iodepth,
        threads=plan.threads,
        window=None if window is None else (window.first * part.spacing, window.last * part.spacing),
        variables=[
            Tracked(
                **vars(cell),
                name=cell.name,
                quantity=part.quantity,
                unit=UNITS[part.quantity],
                spacing=part.spacing,
                values=values[cell.name],
                **(vars(found.windows[cell.name]) if found.windows else {}),
            )
            for cell in part.tracked
        ],
        matrix=[_cell(cell, inside) for cell in part.cells] if inside else [],
        histogram=ending.outcome.write if ending and ending.outcome else None,
        **saturation,
    )


def _cell(cell: Cell, inside: Sequence[Point]) -> CellMean:
    own = [point for point in inside if pts_run.is_of(point, cell)]
    outcomes = [point.outcome for point in own if point.outcome]
    return CellMean(
        **vars(cell),
        name=cell.name,
        iops=fmean(outcome.iops for outcome in outcomes),
        throughput_bytes_per_s=fmean(outcome.throughput_bytes_per_s for outcome in outcomes),
        latency_ns_mean=fmean(pts_run.latency_ns_mean(point) for point in own),
        latency_ns_max=max(pts_run.latency_ns_max(point) for point in own),
    )


def _series(whole: Sequence[list[Point]], plan: Plan) -> list[SaturationStep]:
    written = accumulate(pts_run.written_bytes([group]) for group in whole)
    return [
        SaturationStep(
            step=count,
            end_s=count * plan.step_s,
            written_bytes=so_far,
            iops=group[0].outcome.iops if group[0].outcome else 0.0,
            latency_ns_mean=pts_run.latency_ns_mean(group[0]),
            latency_ns_max=pts_run.latency_ns_max(group[0]),
        )
        for count, (group, so_far) in enumerate(zip(whole, written, strict=True), 1)
    ]


def _cliff(series: Sequence[SaturationStep], span_bytes: int) -> Cliff | None:
    found = steady.cliff([row.iops for row in series])
    if found is None:
        return None
    begins = series[found.step - 2]
    return Cliff(
        step=found.step,
        start_s=begins.end_s,
        written_bytes=begins.written_bytes,
        spans=begins.written_bytes / span_bytes,
        iops_before=found.before,
        iops_settled=found.settled,
    )


def _of_plan(plan: Plan) -> list[str]:
    standard = planned(Choice(plan.test), plan.span_bytes)
    found = ["the quick plan: fewer cells, shorter steps and a smaller span"] if plan.quick else []
    if plan.step_s != specification.STEP_S:
        found.append(f"a cell is measured for {plan.step_s:g} s, not {specification.STEP_S:g} s")
    for part, whole in zip(plan.parts, standard.parts, strict=True):
        missing = [cell for cell in whole.cells if cell not in part.cells]
        if missing and not plan.quick:
            sizes = sorted({cell.block_bytes for cell in missing})
            found.append(
                f"{', '.join(map(specification.kib, sizes))} left out: the target's sectors are larger"
            )
        if part.saturates and part.rounds_max * plan.step_s < specification.SATURATION_S and not plan.quick:
            found.append(f"{part.name}: at most {part.rounds_max} steps, which end before six hours")
        if not part.saturates and part.rounds_max < steady.ROUNDS_MAX:
            found.append(f"at most {part.rounds_max} rounds, not {steady.ROUNDS_MAX}")
    return list(dict.fromkeys(found))


def _of_place(plan: Plan, place: TargetRow) -> list[str]:
    found = []
    if place.kind == "file":
        found.append(
            "the target is a file: the active range is the file, the rest of the drive keeps what it holds, and the "
            "file system takes part"
        )
    elif place.bytes and plan.span_bytes < place.bytes:
        found.append(f"the active range is {plan.span_bytes / place.bytes:.0%} of the device, not 100 %")
    caches = {(disk.queue or {}).get("write_cache") for disk in place.disks}
    if "write back" in caches:
        found.append(
            "the drive's volatile write cache is on: the enterprise class is tested with it off (`hdparm -W0`, "
            "`nvme set-feature -f 6 -v 0`)"
        )
    return found


def _of_run(plan: Plan, points: Sequence[Point]) -> list[str]:
    found: list[str] = []
    for part in plan.parts:
        past = pts_run.stretches(points, part)
        for point in past[-1] if past else []:
            if point.settings.get("purge", "erased") != "erased":
                found += [note for note in point.notes[-1:] if note not in found]
        if len(past) > 1 and not part.saturates:
            times = "once" if len(past) == 2 else f"{len(past) - 1} times"
            found.append(f"{part.name}: interrupted {times}; only the rounds since are judged")
    return found
