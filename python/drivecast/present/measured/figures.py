"""Which figures a result gets, by its kind; one whose data were not measured is left out."""

from collections.abc import Iterable, Sequence

from drivecast.document.findings import Knee, Waiting
from drivecast.document.measurement import Row, part, repeated, rows, whole_seconds
from drivecast.document.result import Point, Result
from drivecast.present.drawing import Figure, numbered
from drivecast.present.figure import design_comparison, load_curves
from drivecast.present.grid import clean
from drivecast.present.measured import frames, naming, steady_state, transactions

OPS = ("read", "write")


def of_result(result: Result) -> list[Figure]:
    """Return the figures of a result of any kind."""
    if not result.points:
        return []
    if result.kind == "steady-state":
        return steady_state.figures(result)
    if result.kind == "database":
        return transactions.figures(result)
    makers = (_depths, _sizes, _waiting, _settling, _seconds, _curves, _ratios)
    return [figure for maker in makers for figure in maker(result)]


def _depths(result: Result) -> list[Figure]:
    """Return one figure where the lines are distinct, else one a workload."""
    knees = result.findings.knees
    if not knees:
        return []
    found = repeated(rows([point for point in result.points if _is_of_depths(point)]))
    targets, serieses = _distinct((row.target for row in found), (row.series for row in found))
    groups: list[Sequence[Row]] = [found]
    if len(frames.labels(found)) > frames.LABELS_MAX or len(targets) > 1 < len(serieses):
        groups = [[row for row in found if row.series == series] for series in serieses]
    unit = "threads" if result.findings.sweep == "threads" else "requests outstanding"
    made = (
        (
            load_curves.depth_sweep(frames.depths(group), frames.knees(knees, group), unit),
            naming.load(group[0].series) if len(groups) > 1 else "",
        )
        for group in groups
    )
    return numbered("depth-sweep", made)


def _distinct(*columns: Iterable[str]) -> list[list[str]]:
    return [list(dict.fromkeys(column)) for column in columns]


def _is_of_depths(point: Point) -> bool:
    return point.settings.get("part", "depth") == "depth"


def _sizes(result: Result) -> list[Figure]:
    if result.kind == "quick":
        frame = frames.matrix(repeated(rows(part(result.points, "size"))))
        return [Figure("size-sweep", load_curves.size_sweep(frame))] if frame.height else []
    if result.findings.sweep != "matrix":
        return []
    found = repeated(rows(result.points))
    [targets] = _distinct(row.target for row in found)
    made = {target: frames.matrix([row for row in found if row.target == target]) for target in targets}
    return numbered(
        "mix-matrix",
        (
            (load_curves.mix_matrix(frame), target if len(targets) > 1 else "")
            for target, frame in made.items()
            if frame.height
        ),
    )


def _waiting(result: Result) -> list[Figure]:
    groups: dict[tuple[str, str], list[Waiting]] = {}
    for row in result.findings.waits:
        groups.setdefault((row.target, row.series), []).append(row)
    several = len({target for target, _series in groups}) > 1
    made = (
        (load_curves.waiting(frames.waiting(group)), naming.load(series) + (f", {target}" if several else ""))
        for (target, series), group in groups.items()
    )
    return numbered("waiting", made)


def _settling(result: Result) -> list[Figure]:
    lines, settled = frames.stretches(result.findings.settled)
    return [Figure("warm-up", load_curves.warm_up(lines, settled))] if lines.height else []


def _seconds(result: Result) -> list[Figure]:
    """Return the seconds of the runs that are about them; of other results, those of the longest run."""
    wanted = part(result.points, "jitter")
    if result.findings.sweep == "jitter":
        wanted = result.points
    elif not wanted and result.kind in ("run", "replay"):
        wanted = [max(result.points, key=lambda point: point.outcome.duration_s if point.outcome else 0.0)]
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in wanted:
        groups.setdefault((point.target, _series(point)), []).append(point)
    targets, serieses = _distinct(*zip(*groups, strict=True)) if groups else ([], [])
    named = [
        (
            naming.label(*key, len(targets), len(serieses)),
            [row for point in group if point.outcome for row in whole_seconds(point.outcome.seconds.rows)],
        )
        for key, group in groups.items()
    ]
    frame = frames.seconds([run for run in named if len(run[1]) > 1][: frames.LABELS_MAX])
    return [Figure("jitter", load_curves.jitter(frame))] if frame.height else []


def _series(point: Point) -> str:
    return str(point.settings.get("series") or point.workload)


def _curves(result: Result) -> list[Figure]:
    """Return latencies of up to six runs: at the depth that is enough, or of those with most requests."""
    if result.findings.sweep in ("matrix", "sync"):
        return []  # too many lines
    chosen = _chosen(result)[: frames.LABELS_MAX]
    curves = {op: frames.exceedance(chosen, op) for op in OPS}
    if not any(curve.height for curve in curves.values()):
        return []
    return [Figure("latency-measured", design_comparison.latency(curves, dict.fromkeys(curves)))]


def _chosen(result: Result) -> list[tuple[str, Point]]:
    if knees := result.findings.knees:
        names = frames.labels(knees)
        return [
            (f"{names[knee.target, knee.series]}, depth {knee.depth_enough}", point)
            for knee in knees
            if (point := next((point for point in result.points if _is_at(point, knee)), None)) is not None
        ]
    known = [(point.outcome.requests, point) for point in result.points if point.outcome is not None]
    busiest = [point for _requests, point in sorted(known, key=lambda pair: -pair[0])]
    targets = len({point.target for point in busiest})
    return [(naming.label(point.target, _series(point), targets, 2), point) for point in busiest]


def _is_at(point: Point, knee: Knee) -> bool:
    depth = int(point.settings.get("iodepth", 1)) * int(point.settings.get("threads", 1))
    mine = (point.target, point.settings.get("series"), depth)
    return _is_of_depths(point) and mine == (knee.target, knee.series, knee.depth_enough)


def _ratios(result: Result) -> list[Figure]:
    found = result.findings.ratios
    if not found:
        return []
    return [Figure("target-ratio", load_curves.target_ratio(frames.ratios(found), clean(found[0].over)))]
