"""A measured result as a table for the terminal, and as flat rows.

Points that differ in nothing but the repeat are one line, with the means of their figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any

from rich.text import Text

from drivecast.document.findings import Findings, Setting, Spread
from drivecast.document.outcome import QUANTILES, Stream
from drivecast.document.result import Point, Result, TargetRow
from drivecast.document.transactions import varied
from drivecast.present import grid
from drivecast.quantity import number

_TAIL = {"p99": "q0.99", "p99.9": "q0.999", "p99.99": "q0.9999", "max": "max"}
_LATENCIES = {"mean": "mean", "p50": "q0.5", "p90": "q0.9", **_TAIL}
_TRANSACTIONS = {"mean": "mean", "p50": "q0.5", "p95": "q0.95", "p99": "q0.99", "max": "max"}
_OPS = ("read", "write", "flush")
_FIGURES = {"iops": "IOPS", "read_latency_ns_q0.99": "p99 read", "write_latency_ns_q0.99": "p99 write"}

Key = tuple[str, str, str]
"""Target, workload, and what varies."""
Groups = Mapping[Key, Sequence[Point]]
Cells = tuple[str, ...]


def text(result: Result) -> Text:
    """Return the result in lines: what and where, a table, and how far repeats are apart."""
    groups = _groups(result.points)
    measured = {key: points for key, points in groups.items() if points[0].outcome is not None}
    database = {key: points for key, points in groups.items() if points[0].transactions is not None}
    lines: list[str | Text] = [*_head(result)]
    lines += _table(measured, ("<", "<", "IOPS", "MB/s", *_LATENCIES), _outcome_rows)
    lines += _table(database, ("<", "per s", "errors", *_TRANSACTIONS), _transaction_rows)
    if groups:
        repeats = max(map(len, groups.values()))
        lines += ["", f"  latencies in ms{f'; means of {repeats} repeats' if repeats > 1 else ''}"]
    lines += _spread_lines(result.findings)
    notes = dict.fromkeys(note for point in result.points for note in point.notes)
    wrapped = [line for note in notes for line in grid.wrapped(note, indent=2, hanging=2)]
    return grid.page([*lines, *([""] if notes else []), *wrapped])


def rows(result: Result) -> list[dict[str, Any]]:
    """Return a row for each point and kind of request."""
    names = list(dict.fromkeys(name for point in result.points for name in point.settings))
    return [
        {
            "target": point.target,
            "workload": point.workload,
            "started": point.started,
            **{name: point.settings.get(name) for name in names},
            **row,
        }
        for point in result.points
        for row in _flat(point)
    ]


def _flat(point: Point) -> Iterator[dict[str, Any]]:
    if point.transactions is not None:
        per_s = point.transactions.per_s
        row = {"op": "transaction", "requests": None, "iops": per_s, "bytes_per_s": None}
        yield row | _quantiles(point.transactions.latency_ns)
    for op in _OPS:
        side = point.outcome.stream(op) if point.outcome else Stream()
        if side.requests:
            rate = _bytes_per_s(point, op)
            row = {"op": op, "requests": side.requests, "iops": side.iops, "bytes_per_s": rate}
            yield row | _quantiles(side.latency_ns.figures() if side.latency_ns else {})


def _quantiles(latency: Mapping[str, Any]) -> dict[str, Any]:
    return {f"latency_ns_{key}": latency.get(key) for key in ("mean", *QUANTILES, "max")}


def _bytes_per_s(point: Point, op: str) -> float | None:
    outcome = point.outcome
    if outcome is None or op == "flush" or not outcome.duration_s:
        return None
    return (outcome.host_read_bytes if op == "read" else outcome.host_written_bytes) / outcome.duration_s


def _groups(points: Sequence[Point]) -> dict[Key, list[Point]]:
    """Return points by target, workload and what varies."""
    names = [name for name in varied(points) if name != "series"]
    if not names and any("iodepth" in point.settings for point in points):
        names = ["iodepth"]
    groups: dict[Key, list[Point]] = {}
    for point in points:
        label = ", ".join(_worded(name, point.settings[name]) for name in names if name in point.settings)
        key = (point.target, str(point.settings.get("series") or point.workload or ""), label)
        groups.setdefault(key, []).append(point)
    return groups


def _worded(name: str, value: Setting) -> str:
    if isinstance(value, str):
        return value
    words = {
        "iodepth": f"depth {value}",
        "threads": f"{value} thread{'' if value == 1 else 's'}",
        "block_bytes": number.binary_size(float(value)),
        "read_fraction": f"{number.percent(float(value))} reads",
    }
    return words.get(name, f"{name.replace('_', ' ')} {value}")


def _head(result: Result) -> list[str | Text]:
    environment = result.environment
    machine = [str(value) for name in ("kernel", "processor", "fio") if (value := environment.get(name))]
    machine += [f"{count} processors"] if (count := environment.get("processors")) else []
    pairs = [
        (
            "measured",
            ", ".join(filter(None, [result.started, result.version and f"drivecast {result.version}"]))
            or None,
        ),
        ("machine", ", ".join(machine) or None),
        *(("target", _target(row)) for row in result.targets),
        ("partial", None if result.complete else result.partial or "interrupted"),
    ]
    return [grid.clean(result.title), *grid.pairs(pairs)]


def _target(row: TargetRow) -> str:
    known = [fact for disk in row.disks[:1] for fact in (disk.model, disk.firmware, disk.name)]
    known.append((row.mount or {}).get("file_system"))
    facts = [number.size(row.bytes) if row.bytes else None, *known]
    return ": ".join(filter(None, [row.name, ", ".join(fact for fact in facts if fact)]))


def _table(groups: Groups, heads: Sequence[str], cells: Any) -> Iterator[str | Text]:
    """Lay the groups out, those of each target and workload below its name where there are several."""
    if not groups:
        return
    places = dict.fromkeys(key[:2] for key in groups)
    laid = [
        (place, row)
        for place in places
        for key, points in groups.items()
        if key[:2] == place
        for row in cells(key[2], points)
    ]
    title, *lines = grid.table(heads, [row for _place, row in laid], indent=2)
    yield from ("", title)
    last = None
    for (place, _row), line in zip(laid, lines, strict=True):
        if len(places) > 1 and place != last:
            yield f"  {grid.clean(' on '.join(filter(None, reversed(place))))}"
        last = place
        yield line


def _outcome_rows(label: str, points: Sequence[Point]) -> Iterator[Cells]:
    for op in _OPS:
        found = [point.outcome for point in points if point.outcome and point.outcome.stream(op).requests]
        if not found:
            continue
        yield (
            label,
            op,
            number.iops(fmean(outcome.stream(op).iops for outcome in found)),
            number.significant(_mean([_bytes_per_s(point, op) for point in points], 1e-6)),
            *(
                number.milliseconds(_mean([outcome.latency(op, key) for outcome in found]))
                for key in _LATENCIES.values()
            ),
        )
        label = ""


def _transaction_rows(label: str, points: Sequence[Point]) -> Iterator[Cells]:
    found = [point.transactions for point in points if point.transactions is not None]
    yield (
        label,
        number.iops(fmean(transactions.per_s for transactions in found)),
        number.count(sum(transactions.errors for transactions in found)),
        *(
            number.milliseconds(_mean([transactions.latency_ns.get(key) for transactions in found]))
            for key in _TRANSACTIONS.values()
        ),
    )


def _mean(values: Sequence[float | None], scale: float = 1.0) -> float | None:
    known = [value * scale for value in values if value is not None]
    return fmean(known) if known else None


def _spread_lines(findings: Findings) -> Iterator[str | Text]:
    """Return how far repeats are apart, a line for each target and depth."""
    found = [row for row in findings.spread if row.deviation_max is not None]
    if not found:
        return
    several = len({row.target for row in found}) > 1
    groups: dict[str, dict[str, Spread]] = {}
    for row in found:
        parts = [row.target if several else "", f"depth {row.iodepth}" if row.iodepth else ""]
        groups.setdefault(", ".join(filter(None, parts)), {})[row.figure] = row
    rows = [(label, *(_deviation(of.get(figure)) for figure in _FIGURES)) for label, of in groups.items()]
    yield ""
    yield from grid.table(("<furthest from the mean", *_FIGURES.values()), rows, indent=2)
    beyond = sum(not row.within for row in found)
    verdict = f"{beyond} of {len(found)} figures beyond (!)" if beyond else "all within"
    yield f"  tolerance {number.percent(findings.tolerance)}: {verdict}"


def _deviation(row: Spread | None) -> str:
    if row is None or row.deviation_max is None:
        return number.ABSENT
    return f"{100 * row.deviation_max:.1f} %{' ' if row.within else '!'}"
