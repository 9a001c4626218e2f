"""A result in one sentence, some more, and a few tiles: what a buyer reads first."""

from collections.abc import Callable, Sequence
from statistics import geometric_mean

from drivecast.document.findings import Finding, Knee, SteadyState
from drivecast.document.measurement import rows
from drivecast.document.result import Result
from drivecast.present.answer import Headline, Tile
from drivecast.present.measured import naming, steady_state, transactions
from drivecast.quantity import number

WHO = {"iops": "a limit on requests", "bytes_per_s": "a limit on bytes"}


def headline(result: Result) -> Headline:
    """Return the headline of a result of any kind; of one without points, that it has none."""
    if not result.points:
        return Headline("Nothing was measured", [], [])
    field, make = _BY_KIND.get(result.findings.sweep or result.kind, ("", _plain))
    if field and not getattr(result.findings, field, None):
        make = _plain
    found = make(result)
    beside = [sentence for sentence in _beside(result) if sentence != found.title]
    return Headline(found.title, [*found.sentences, *beside], found.tiles, _next(result))


def _next(result: Result) -> list[str]:
    if not result.complete or result.kind not in ("quick", "sweep"):
        return []
    return [
        "`drivecast compare fit RESULT -o drive.toml` estimates a drive of the catalog from it",
        "`drivecast simulate drive -w RECORDING --catalog drive.toml` predicts your workload on it",
    ]


def _knees(result: Result) -> Headline:
    found = result.findings.knees
    best = found[0]
    beside = _beside(result)
    most = f"{number.iops(best.iops_max)} {naming.load(best.series)}"
    title = f"Up to {most} a second, {_at_once(best)} at once"
    if _many(found) and beside:
        title = beside[0]
    return Headline(title, [_knee(row, many=_many(found)) for row in found], _knee_tiles(found))


def _knee(row: Knee, *, many: bool) -> str:
    name = f"{row.target}, {naming.load(row.series)}" if many else naming.sentence(naming.load(row.series))
    p99 = number.latency(row.latency_ns_p99_enough)
    text = f"{name}: {number.iops(row.iops_max)} a second at most, {_at_once(row)} at once (the knee)"
    text += f"; depth {row.depth_enough} carries nine tenths of that, 99 % under {p99}"
    if not row.reached:
        return f"{text}; throughput still grew at the largest depth"
    return f"{text}; deeper queues carry less" if row.fell else text


def _at_once(knee: Knee) -> str:
    return f"{'≈' if knee.reached else '≥'} {number.significant(knee.depth, 2)}"


def _knee_tiles(found: Sequence[Knee]) -> list[Tile]:
    made = []
    for row in found[:3]:
        knee = f"knee {'' if row.reached else '≥ '}{number.significant(row.depth, 2)}"
        notes = [*([row.target] if _many(found) else []), f"at depth {row.depth_at_max}", knee]
        made.append(Tile(naming.load(row.series), f"{number.iops(row.iops_max)}/s", notes))
    first = found[0]
    p99, notes = number.latency(first.latency_ns_p99_enough), [f"at depth {first.depth_enough}"]
    return [*made, Tile("99 % are faster than", p99, [naming.load(first.series), *notes])]


def _matrix(result: Result) -> Headline:
    found = rows(result.points)
    if not found:
        return _plain(result)
    widest, most = max(found, key=lambda row: row.bytes_per_s), max(found, key=lambda row: row.iops)
    throughput, iops = number.throughput(widest.bytes_per_s), number.iops(most.iops)
    title = f"Up to {throughput} and {iops} requests a second over sizes and mixes"
    sentences = [
        f"The most bytes: {naming.load(widest.series)}, {throughput}",
        f"The most requests: {naming.load(most.series)}, {iops} a second",
    ]
    for row in result.findings.caps:
        for key, wording in (("iops", number.iops), ("bytes_per_s", number.throughput)):
            if level := getattr(row, key):
                unit = " requests a second" if key == "iops" else ""
                sizes = f"{number.binary_size(level.from_bytes)} to {number.binary_size(level.to_bytes)}"
                kind = naming.sentence(naming.kind(row.read_fraction))
                sentences.append(f"{kind} stay at {wording(level.per_s)}{unit} from {sizes}: {WHO[key]}")
    tiles = [
        Tile("Most throughput", throughput, [naming.load(widest.series)]),
        Tile("Most requests", f"{iops}/s", [naming.load(most.series)]),
    ]
    return Headline(title, sentences, tiles)


def _waits(result: Result) -> Headline:
    found = result.findings.waits
    top = max(found, key=lambda row: row.ratio)
    last = found[-1]
    threads = f"{last.depth} threads that wait do" if last.depth > 1 else "one that waits does"
    load = naming.sentence(naming.load(last.series))
    title = f"{load}: one thread that does not wait carries {number.multiple(last.ratio)} what {threads}"
    sentences = [
        f"The largest difference: {number.multiple(top.ratio)} at {top.depth} outstanding "
        f"({naming.load(top.series)})",
        "Below 1× waiting in threads is faster: several threads use several processors, one thread uses one",
    ]
    ends = ((row, f"{row.depth} outstanding") for row in (found[0], last))
    tiles = [Tile(name, number.multiple(row.ratio), [naming.load(row.series)]) for row, name in ends]
    return Headline(title, sentences, tiles)


def _settled(result: Result) -> Headline:
    found = result.findings.settled
    row = found[0]
    length_s = len(row.iops) * row.stretch_s
    if not row.reached:
        title = f"Not settled within {number.duration(length_s)}"
        return Headline(title, ["These figures are of the warm-up; measure longer"], [])
    ratio = row.iops_first / row.iops_settled if row.iops_first and row.iops_settled else None
    after = number.duration(row.settled_after_s)
    title = f"Settled after {after} at {number.iops(row.iops_settled)} requests a second"
    sentences = [f"The first stretches carried {number.multiple(ratio)} the settled throughput"]
    if row.rested:
        sentences.append("The run was interrupted: what came before the rest is left out")
    tiles = [
        Tile("Settled after", number.duration(row.settled_after_s), [naming.load(row.series)]),
        Tile("Carries", f"{number.iops(row.iops_settled)}/s", ["settled"]),
        Tile("First stretches", f"{number.iops(row.iops_first)}/s", [f"{number.multiple(ratio)} as much"]),
    ]
    return Headline(title, sentences, tiles)


def _jitter(result: Result) -> Headline:
    found = result.findings.jitter
    row = found[0]
    spread = number.percent(row.variation)
    title = f"{number.iops(row.iops_median)} requests a second, {spread} spread from second to second"
    many = _many(found)
    sentences = [
        (f"{each.target}: " if many else "")
        + f"99 of 100 seconds carry {number.iops(each.iops_q1)} or more, the least {number.iops(each.iops_min)}; "
        f"{number.count(each.stalls)} of {number.count(each.seconds)} s were stalls; "
        f"the slowest request took {number.latency(each.latency_ns_max)}"
        for each in found
    ]
    tiles = [
        Tile("Median second", f"{number.iops(row.iops_median)}/s", [naming.load(row.series)]),
        Tile("Spread", f"±{number.percent(row.variation)}", ["standard deviation"]),
        Tile("Stalls", number.count(row.stalls), [f"of {number.count(row.seconds)} s"]),
        Tile("Slowest request", number.latency(row.latency_ns_max), []),
    ]
    return Headline(title, sentences, tiles)


def _quick(result: Result) -> Headline:
    found = result.findings
    knees, commits, jitter = found.knees, found.commits, found.jitter
    most = [f"{number.iops(row.iops_max)} {naming.load(row.series)}" for row in knees[:2]]
    title = f"{' or '.join(most)} a second"
    if commits:
        slowest = max(commits, key=lambda row: float(row.commit_ns_mean))
        title += f"; a commit takes {number.latency(slowest.commit_ns_mean)}"
    sentences = [_knee(row, many=False) for row in knees]
    sentences += [
        f"A commit with a log write of {number.binary_size(row.block_bytes)}: {number.latency(row.commit_ns_mean)} "
        f"in the mean, 99 % within {number.latency(row.commit_ns_p99_most)}; one session commits "
        f"{number.iops(row.commits_per_s)} times a second"
        for row in commits
    ]
    tiles = _knee_tiles(knees)
    if commits:
        rate, p99 = number.iops(slowest.commits_per_s), number.latency(slowest.commit_ns_p99_most)
        notes = [f"{rate} a second", f"99 % ≤ {p99}"]
        tiles.append(Tile("A commit", number.latency(slowest.commit_ns_mean), notes))
    if jitter:
        tiles.append(Tile("From second to second", f"±{number.percent(jitter[0].variation)}", ["mixed load"]))
    if ratios := [row.ratio for row in found.repeats]:
        low, high = number.multiple(min(ratios)), number.multiple(max(ratios))
        sentences.append(f"Repeated at the end: {low} to {high} of the first")
    return Headline(title, sentences, tiles)


def _steady(result: Result) -> Headline:
    found = result.findings
    return steady_state.headline(found) if isinstance(found, SteadyState) else _plain(result)


def _plain(result: Result) -> Headline:
    """Return the best point, which any result has."""
    found = rows(result.points)
    if not found:
        return Headline(result.title, [], [])
    best = max(found, key=lambda row: row.iops)
    title = f"Up to {number.iops(best.iops)} requests a second: {naming.load(best.series)}"
    tiles = [
        Tile("Most requests", f"{number.iops(best.iops)}/s", [naming.load(best.series)]),
        Tile("Throughput", number.throughput(best.bytes_per_s), []),
        Tile("99 % are faster than", number.latency(best.latency_ns_p99), []),
    ]
    return Headline(title, [], tiles)


def _beside(result: Result) -> list[str]:
    """Return targets compared with the first."""
    groups: dict[tuple[str, str], list[float]] = {}
    for row in result.findings.ratios:
        if row.iops_ratio:
            groups.setdefault((row.target, row.over), []).append(row.iops_ratio)
    return [
        f"{target} carries {number.multiple(geometric_mean(ratios))} the throughput of {over} in the geometric mean, "
        f"{number.multiple(min(ratios))} to {number.multiple(max(ratios))}"
        for (target, over), ratios in groups.items()
    ]


def _many(found: Sequence[Finding]) -> bool:
    return len({row.target for row in found}) > 1


_BY_KIND: dict[str, tuple[str, Callable[[Result], Headline]]] = {
    "depth": ("knees", _knees),
    "threads": ("knees", _knees),
    "matrix": ("", _matrix),
    "sync": ("waits", _waits),
    "warmup": ("settled", _settled),
    "jitter": ("jitter", _jitter),
    "quick": ("knees", _quick),
    "database": ("", transactions.headline),
    "steady-state": ("", _steady),
}
"""What makes the headline of a kind, and the finding without which it has none."""
