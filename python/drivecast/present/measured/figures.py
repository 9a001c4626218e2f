"""Which figures a result gets, by its kind; one whose data were not measured is left out."""

from collections.abc import Sequence

from drivecast.bench.quick.diagnosis import sized
from drivecast.bench.sweep.jitter import whole_seconds
from drivecast.document.measurement import Row, repeated, rows
from drivecast.document.result import Point, Result
from drivecast.present import terminal
from drivecast.present.drawing import Figure
from drivecast.present.figure import (
    depth_sweep,
    jitter,
    latency,
    mix_matrix,
    size_sweep,
    target_ratio,
    waiting,
    warm_up,
)
from drivecast.present.measured import frames, naming, steady, transactions

DEPTH_TITLES = {"threads": "threads"}
OPS = ("read", "write")


def of_result(result: Result) -> list[Figure]:
    """The figures of a result of any kind."""
    if not result.points:
        return []
    if result.kind == "steady-state":
        return steady.figures(result)
    if result.kind == "database":
        return [Figure(name, chart) for name, chart in transactions.of_result(result).items()]
    found = repeated(
        rows([point for point in result.points if point.settings.get("part", "depth") == "depth"])
    )
    made: list[Figure] = []
    made += _depths(result, found)
    made += _sizes(result)
    made += _waiting(result)
    made += _settling(result)
    made += _seconds(result)
    made += _curves(result)
    made += _ratios(result)
    return made


def _depths(result: Result, found: Sequence[Row]) -> list[Figure]:
    """One figure where the lines can be told apart, else one a workload."""
    knees = result.findings.get("knees", [])
    if not knees:
        return []
    serieses = list(dict.fromkeys(row.series for row in found))
    groups = [found]
    if len(frames.labels(found)) > frames.LABELS_MAX or len({row.target for row in found}) > 1 < len(
        serieses
    ):
        groups = [[row for row in found if row.series == series] for series in serieses]
    what = DEPTH_TITLES.get(str(result.findings.get("sweep")), "requests outstanding")
    made = []
    for at, group in enumerate(groups):
        chart = depth_sweep.chart(frames.depths(group), frames.knees(knees, group), what)
        name = "depth-sweep" if at == 0 else f"depth-sweep-{at + 1}"
        made.append(Figure(name, chart, naming.load(group[0].series) if len(groups) > 1 else ""))
    return made


def _sizes(result: Result) -> list[Figure]:
    if result.kind == "quick":
        frame = frames.matrix(sized(result.points))
        return [Figure("size-sweep", size_sweep.chart(frame))] if frame.height else []
    if result.findings.get("sweep") != "matrix":
        return []
    found = repeated(rows(result.points))
    targets = list(dict.fromkeys(row.target for row in found))
    made = []
    for at, target in enumerate(targets):
        frame = frames.matrix([row for row in found if row.target == target])
        if frame.height:
            name = "mix-matrix" if at == 0 else f"mix-matrix-{at + 1}"
            made.append(Figure(name, mix_matrix.chart(frame), target if len(targets) > 1 else ""))
    return made


def _waiting(result: Result) -> list[Figure]:
    found = result.findings.get("waits", [])
    made = []
    keys = list(dict.fromkeys((row["target"], row["series"]) for row in found))
    for at, (target, series) in enumerate(keys):
        frame = frames.waiting([row for row in found if (row["target"], row["series"]) == (target, series)])
        name = "waiting" if at == 0 else f"waiting-{at + 1}"
        of = (
            f"{naming.load(series)}, {target}"
            if len({row["target"] for row in found}) > 1
            else naming.load(series)
        )
        made.append(Figure(name, waiting.chart(frame), of))
    return made


def _settling(result: Result) -> list[Figure]:
    found = result.findings.get("settled", [])
    lines, settled = frames.stretches(found)
    return [Figure("warm-up", warm_up.chart(lines, settled))] if lines.height else []


def _seconds(result: Result) -> list[Figure]:
    """The seconds of the runs that are about them; of other results, those of the longest run."""
    wanted = [point for point in result.points if point.settings.get("part", None) == "jitter"]
    if result.findings.get("sweep") == "jitter":
        wanted = result.points
    elif not wanted and result.kind in ("run", "replay"):
        wanted = [max(result.points, key=lambda point: float((point.outcome or {}).get("duration_s") or 0))]
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in wanted:
        groups.setdefault((point.target, str(point.settings.get("series") or point.workload)), []).append(
            point
        )
    targets, serieses = len({key[0] for key in groups}), len({key[1] for key in groups})
    named = [
        (
            naming.label(*key, targets, serieses),
            [row for point in group for row in whole_seconds((point.outcome or {}).get("seconds") or [])],
        )
        for key, group in groups.items()
    ]
    frame = frames.seconds([one for one in named if len(one[1]) > 1][: frames.LABELS_MAX])
    return [Figure("jitter", jitter.chart(frame))] if frame.height else []


def _curves(result: Result) -> list[Figure]:
    """Latencies of up to six runs: at the depth that is enough, or of those with most requests."""
    if result.findings.get("sweep") in ("matrix", "sync"):
        return []  # too many to tell apart
    chosen = _chosen(result)[: frames.LABELS_MAX]
    curves = {op: frames.exceedance(chosen, op) for op in OPS}
    if not any(curve.height for curve in curves.values()):
        return []
    return [Figure("latency-measured", latency.chart(curves, dict.fromkeys(curves)))]


def _chosen(result: Result) -> list[tuple[str, Point]]:
    knees = result.findings.get("knees", [])
    if knees:
        targets, serieses = len({row["target"] for row in knees}), len({row["series"] for row in knees})
        made = []
        for knee in knees:
            point = next((one for one in result.points if _is_at(one, knee)), None)
            if point is not None:
                name = naming.label(knee["target"], knee["series"], targets, serieses)
                made.append((f"{name}, depth {knee['depth_enough']}", point))
        return made
    busiest = sorted(
        (point for point in result.points if point.outcome is not None),
        key=lambda point: -float((point.outcome or {}).get("requests") or 0),
    )
    targets = len({point.target for point in busiest})
    return [
        (naming.label(point.target, str(point.settings.get("series") or point.workload), targets, 2), point)
        for point in busiest
    ]


def _is_at(point: Point, knee: dict[str, object]) -> bool:
    depth = int(point.settings.get("iodepth", 1)) * int(point.settings.get("threads", 1))
    mine = (point.target, point.settings.get("series"), depth, point.settings.get("part", "depth"))
    return mine == (knee["target"], knee["series"], knee["depth_enough"], "depth")


def _ratios(result: Result) -> list[Figure]:
    found = result.findings.get("ratios", [])
    if not found:
        return []
    return [
        Figure("target-ratio", target_ratio.chart(frames.ratios(found), terminal.clean(found[0]["over"])))
    ]
