"""A measured result as a table for the terminal, and as flat rows.

Points that differ in nothing but the repeat are one line, with the means of their figures.
"""

import textwrap
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from drivecast.document.result import Point, Result
from drivecast.present import terminal
from drivecast.quantity import number

_LATENCIES = (
    ("mean", "mean"),
    ("p50", "q0.5"),
    ("p90", "q0.9"),
    ("p99", "q0.99"),
    ("p99.9", "q0.999"),
    ("p99.99", "q0.9999"),
    ("longest", "max"),
)
_TRANSACTIONS = (("mean", "mean"), ("p50", "q0.5"), ("p95", "q0.95"), ("p99", "q0.99"), ("longest", "max"))
_OPS = ("read", "write", "flush")
_REPEATS = ("repeat",)
_LABEL = 24
_FIGURES = {"iops": "IOPS", "read_latency_ns_q0.99": "p99 read", "write_latency_ns_q0.99": "p99 write"}

Key = tuple[str, str, str]
"""Target, workload, and what is varied, in words."""


def text(result: Result) -> str:
    """The result in lines: what and where, a table, and how far repeats are apart."""
    groups = _groups(result.points)
    measured = {key: points for key, points in groups.items() if points[0].outcome is not None}
    database = {key: points for key, points in groups.items() if points[0].transactions is not None}
    lines = _head(result)
    lines += _table(measured, ("IOPS", "MB/s", *(name for name, _ in _LATENCIES)), _outcome_lines)
    lines += _table(database, ("per s", "errors", *(name for name, _ in _TRANSACTIONS)), _transaction_lines)
    if groups:
        repeats = max(map(len, groups.values()))
        lines += ["", f"  latencies in ms{f'; means of {repeats} repeats' if repeats > 1 else ''}"]
    lines += _spread_lines(result.findings)
    return terminal.joined([*lines, *_notes(result.points)])


def rows(result: Result) -> list[dict[str, Any]]:
    """A row for each point and kind of request."""
    found = []
    names = list(dict.fromkeys(name for point in result.points for name in point.settings))
    for point in result.points:
        head: dict[str, Any] = {"target": point.target, "workload": point.workload, "started": point.started}
        head |= {name: point.settings.get(name) for name in names}
        found += [{**head, **row} for row in _flat(point)]
    return found


def _flat(point: Point) -> list[dict[str, Any]]:
    if point.outcome is None:
        of = point.transactions
        told = {"op": "transaction", "requests": None, "iops": of.per_s if of else None, "bytes_per_s": None}
        return [told | _quantiles(of.latency_ns if of else {})] if of else []
    found = []
    for op in _OPS:
        side = point.outcome.get(op) or {}
        if side.get("requests"):
            told = {
                "op": op,
                "requests": side["requests"],
                "iops": side["iops"],
                "bytes_per_s": _bytes_per_s(point, op),
            }
            found.append(told | _quantiles(side.get("latency_ns") or {}))
    return found


def _quantiles(latency: Mapping[str, Any]) -> dict[str, Any]:
    keys = ("mean", "q0.5", "q0.9", "q0.95", "q0.99", "q0.999", "q0.9999", "q0.99999", "max")
    return {f"latency_ns_{key}": latency.get(key) for key in keys}


def _bytes_per_s(point: Point, op: str) -> float | None:
    outcome = point.outcome or {}
    moved = outcome.get({"read": "host_read_bytes", "write": "host_written_bytes"}.get(op, ""))
    return moved / outcome["duration_s"] if moved is not None and outcome.get("duration_s") else None


def _groups(points: Sequence[Point]) -> dict[Key, list[Point]]:
    """Points by target, workload and what is varied."""
    names = list(dict.fromkeys(name for point in points for name in point.settings))
    values = {name: {point.settings.get(name) for point in points} for name in names}
    varied = [name for name in names if name not in _REPEATS and name != "series" and len(values[name]) > 1]
    if not varied and "iodepth" in names:
        varied = ["iodepth"]
    groups: dict[Key, list[Point]] = {}
    for point in points:
        label = ", ".join(_word(name, point.settings[name]) for name in varied if name in point.settings)
        key = (point.target, str(point.settings.get("series") or point.workload or ""), label)
        groups.setdefault(key, []).append(point)
    return groups


def _word(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    match name:
        case "iodepth":
            return f"depth {value}"
        case "threads":
            return f"{value} threads" if value != 1 else "1 thread"
        case "block_bytes":
            return number.binary_size(float(value))
        case "read_fraction":
            return f"{number.percent(float(value))} reads"
        case _:
            return f"{name.replace('_', ' ')} {value}"


def _head(result: Result) -> list[str]:
    environment = result.environment
    machine = [environment.get(name) for name in ("kernel", "processor", "fio")]
    count = environment.get("processors")
    words = [str(one) for one in machine if one] + ([f"{count} processors"] if count else [])
    lines = [terminal.clean(result.title), f"  measured   {result.started}, drivecast {result.version}"]
    lines += [f"  machine    {terminal.clean(', '.join(words))}"] if words else []
    lines += [f"  target     {terminal.clean(_target(row))}" for row in result.targets]
    if not result.complete:
        lines.append(f"  partial    {terminal.clean(result.partial or 'it was cut off')}")
    return lines


def _target(row: Mapping[str, Any]) -> str:
    disk: Mapping[str, Any] = next(iter(row.get("disks") or ()), {})
    known = [
        disk.get("model"),
        disk.get("firmware"),
        disk.get("name"),
        (row.get("mount") or {}).get("file_system"),
    ]
    parts = [number.size(row.get("bytes")), *(str(one) for one in known if one)]
    return f"{row.get('name')}: {', '.join(parts)}"


def _table(groups: Mapping[Key, Sequence[Point]], heads: Sequence[str], told: Any) -> list[str]:
    if not groups:
        return []
    lines = ["", f"  {'':<{_LABEL}}" + "".join(f"{head:>9}" for head in heads)]
    places = dict.fromkeys(key[:2] for key in groups)
    for place in places:
        if len(places) > 1:
            lines.append(f"  {terminal.clean(' on '.join(filter(None, reversed(place))))}")
        for key, points in groups.items():
            if key[:2] == place:
                lines += told(key[2], points)
    return lines


def _outcome_lines(label: str, points: Sequence[Point]) -> list[str]:
    lines: list[str] = []
    for op in _OPS:
        sides = [side for point in points if (side := (point.outcome or {}).get(op)) and side.get("requests")]
        if not sides:
            continue
        moved = [_bytes_per_s(point, op) for point in points]
        cells = [
            number.iops(fmean(side["iops"] for side in sides)),
            number.significant(_mean(moved, 1e-6)),
            *(
                number.milliseconds(_mean([(side.get("latency_ns") or {}).get(key) for side in sides]))
                for _, key in _LATENCIES
            ),
        ]
        lines.append(_line(label if not lines else "", op, cells))
    return lines


def _transaction_lines(label: str, points: Sequence[Point]) -> list[str]:
    found = [point.transactions for point in points if point.transactions is not None]
    cells = [
        number.iops(fmean(one.per_s for one in found)),
        number.count(sum(one.errors for one in found)),
        *(number.milliseconds(_mean([one.latency_ns.get(key) for one in found])) for _, key in _TRANSACTIONS),
    ]
    return [_line(label, "", cells)]


def _line(label: str, op: str, cells: Sequence[str]) -> str:
    room = _LABEL - 1 - (6 if op else 0)
    name = (
        f"{terminal.clean(label)[:room]:<{room}} {op:<6}"
        if op
        else f"{terminal.clean(label)[:room]:<{_LABEL}}"
    )
    return f"  {name}" + "".join(f"{cell:>9}" for cell in cells)


def _mean(values: Sequence[float | None], scale: float = 1.0) -> float | None:
    known = [value * scale for value in values if value is not None]
    return fmean(known) if known else None


def _spread_lines(findings: Mapping[str, Any]) -> list[str]:
    """How far repeats are apart, a line for each target and depth."""
    found = [row for row in findings.get("spread") or () if row["deviation_max"] is not None]
    if not found:
        return []
    tolerance = findings["tolerance"]
    lines = [
        "",
        f"  {'furthest from the mean':<{_LABEL}}" + "".join(f"{name:>12}" for name in _FIGURES.values()),
    ]
    several = len({row["target"] for row in found}) > 1
    for target, depth in dict.fromkeys((row["target"], row["iodepth"]) for row in found):
        of = {row["figure"]: row for row in found if (row["target"], row["iodepth"]) == (target, depth)}
        cells = [_cell(of.get(figure)) for figure in _FIGURES]
        label = ", ".join([*([target] if several else []), *([f"depth {depth}"] if depth else [])])
        lines.append(
            f"  {terminal.clean(label)[: _LABEL - 1]:<{_LABEL}}" + "".join(f"{one:>12}" for one in cells)
        )
    beyond = sum(not row["within"] for row in found)
    verdict = f"{beyond} of {len(found)} figures are beyond it (!)" if beyond else "all are within it"
    return [*lines, f"  {number.percent(tolerance)} may be; {verdict}"]


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return number.ABSENT
    return f"{100 * row['deviation_max']:.1f} %{' ' if row['within'] else '!'}"


def _notes(points: Sequence[Point]) -> list[str]:
    notes = dict.fromkeys(note for point in points for note in point.notes)
    lines = [
        line
        for note in notes
        for line in textwrap.wrap(
            terminal.clean(note), terminal.WIDTH, initial_indent="  ", subsequent_indent="    "
        )
    ]
    return ["", *lines] if lines else []
