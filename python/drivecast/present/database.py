"""A measured database as text for the terminal: throughput by setting and target, ratios, and what went with it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from drivecast.document import transactions as findings
from drivecast.document.result import Point, Result, Setting
from drivecast.present import terminal
from drivecast.quantity import number

Cells = Sequence[str]

_HEADS = {"buffer_bytes": "buffer", "flush_at_commit": "flush", "flush_method": "method", "io_capacity": "io"}
_BESIDE = (
    ("p95 ms", "latency_ns_q0.95", number.milliseconds),
    ("p99 ms", "latency_ns_q0.99", number.milliseconds),
    ("varies", "variation", number.percent),
    ("reads/s", "reads_per_s", number.iops),
    ("writes/s", "writes_per_s", number.iops),
    ("read", "read_bytes_per_s", number.throughput),
    ("written", "written_bytes_per_s", number.throughput),
    ("busy", "busy", number.percent),
    ("user", "user", number.percent),
    ("system", "system", number.percent),
    ("iowait", "iowait", number.percent),
)


def text(result: Result) -> str:
    """Return a result in lines."""
    points = result.points
    rows = findings.throughput(points)
    targets = list(dict.fromkeys(point.target for point in points))
    names = {target: letter(index) for index, target in enumerate(targets)} if len(targets) > 1 else {}
    lines = [_title(result), *_constants(points)]
    lines += [f"  {name}  {terminal.clean(target)}" for target, name in names.items()]
    lines += ["", _unit(points, rows), *_aligned(_throughput(rows, targets, names))]
    lines += ["", "  what went with it, medians", *_aligned(_beside(rows, names))]
    lines += [f"  {note}" for note in _notes(points)]
    if not result.complete:
        lines.append(f"  partial: {terminal.clean(result.partial or 'not finished')}")
    return terminal.joined(lines)


def rows(result: Result) -> list[dict[str, Any]]:
    """Return a row a point, for a table: settings, figures, and what went with them."""
    return [
        {
            "target": point.target,
            **point.settings,
            "per_s": point.transactions.per_s,
            "errors": point.transactions.errors,
            **{f"latency_ns_{name}": value for name, value in _quantiles(point).items()},
            **{
                name: tell(point)
                for name, tell in findings.BESIDE.items()
                if not name.startswith("latency_ns_")
            },
        }
        for point in result.points
        if point.transactions is not None
    ]


def described(settings: Mapping[str, Setting], names: Sequence[str]) -> str:
    """Return what is varied, in words."""
    parts = [f"{_head(name)} {_setting(name, settings[name])}" for name in names if name in settings]
    return ", ".join(parts) or "all"


def letter(index: int) -> str:
    """Return a short name of a target: A, B, … Z, A1 and so on."""
    return chr(ord("A") + index % 26) + (str(index // 26) if index >= 26 else "")


def tables(result: Result) -> list[tuple[str, list[Cells], int]]:
    """Return tables for a page: title, lines of cells with the heads first, and how many columns hold words."""
    found = findings.throughput(result.points)
    if not found:
        return []
    targets = list(dict.fromkeys(row["target"] for row in found))
    names = {target: target for target in targets} if len(targets) > 1 else {}
    settings = len(found[0]["settings"])
    return [
        ("Transactions a second", _throughput(found, targets, names), settings),
        ("What went with it", _beside(found, names), settings + bool(names)),
    ]


def _notes(points: Sequence[Point]) -> list[str]:
    """Return each note once, with how many points have it where not all have."""
    counts = Counter(note for point in points for note in point.notes)
    return [
        f"note: {note}" if count == len(points) else f"note, {count} of {len(points)} points: {note}"
        for note, count in counts.items()
    ]


def _quantiles(point: Point) -> dict[str, float | None]:
    """Return the same names for every point: a table has one header."""
    told = point.transactions.latency_ns if point.transactions else {}
    return {name: told.get(name) for name in ("mean", "q0.5", "q0.9", "q0.95", "q0.99", "q0.999", "max")}


def _title(result: Result) -> str:
    said = (result.environment.get("programs") or {}).get(_server(result)) or ""
    version = re.search(r"\d+(\.\d+)+", said)
    return terminal.clean(f"{result.title}{f' {version[0]}' if version else ''}")


def _server(result: Result) -> str:
    return str(result.points[0].settings.get("server", "")) if result.points else ""


def _constants(points: Sequence[Point]) -> list[str]:
    """Return what is the same in all points, in a line."""
    if not points:
        return []
    known = {
        name: value for name, value in findings.constant(points).items() if name not in ("server", "load")
    }
    parts = [f"{_head(name)} {_setting(name, value)}" for name, value in known.items()]
    span = max(point.span_bytes or 0 for point in points)
    data = [f"{number.size(span)} of data"] if span else []
    return [f"  {', '.join([*data, *parts])}"]


def _unit(points: Sequence[Point], rows: Sequence[Mapping[str, Any]]) -> str:
    repeats = max((row["repeats"] for row in rows), default=1)
    several = f", median of {repeats} (lowest – highest)" if repeats > 1 else ""
    seconds = max((len(point.transactions.seconds) for point in points if point.transactions), default=0)
    ramp = points[0].ramp_s if points else 0
    return f"  transactions a second{several}, over {seconds} s after {ramp:.0f} s of ramp"


def _throughput(
    rows: Sequence[Mapping[str, Any]], targets: Sequence[str], names: Mapping[str, str]
) -> list[Cells]:
    """Return a line a setting: its throughput on each target, then the ratios to the first."""
    settings = list({tuple(row["settings"].items()): row["settings"] for row in rows}.values())
    found = {(row["target"], *row["settings"].items()): row for row in rows}
    ratios = {(row["target"], *row["settings"].items()): row for row in findings.ratios(rows)}
    further = targets[1:]
    orders = any(row["new_orders_per_min"] is not None for row in rows)
    heads = [_head(name) for name in (settings[0] if settings else {})]
    heads += [names.get(target, "transactions/s") for target in targets]
    heads += [f"{names[target]} over {names[targets[0]]}" for target in further]
    heads += [f"{names.get(target, '')} new orders/min".strip() for target in targets] if orders else []
    table: list[Cells] = [heads]
    for setting in settings:
        keys = [(target, *setting.items()) for target in targets]
        line = [_setting(name, value) for name, value in setting.items()]
        line += [_spread(found.get(key), "per_s", number.iops) for key in keys]
        line += [_spread(ratios.get(key), "ratio", _times) for key in keys[1:]]
        if orders:
            line += [number.iops((found.get(key) or {}).get("new_orders_per_min")) for key in keys]
        table.append(line)
    return table


def _beside(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[Cells]:
    settings = [_head(name) for name in (rows[0]["settings"] if rows else {})]
    table: list[Cells] = [[*([""] if names else []), *settings, *(head for head, _name, _word in _BESIDE)]]
    for row in rows:
        line = [names[row["target"]]] if names else []
        line += [_setting(name, value) for name, value in row["settings"].items()]
        table.append([*line, *(word(row[name]) for _head_, name, word in _BESIDE)])
    return table


def _spread(row: Mapping[str, Any] | None, name: str, word: number.Text) -> str:
    if row is None:
        return number.ABSENT
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    middle = word(row[name])
    return middle if low is None or low == high else f"{middle} ({number.span(word, low, high)})"


def _times(ratio: float | None) -> str:
    return f"{number.significant(ratio)}×"


def _head(name: str) -> str:
    return _HEADS.get(name, name.replace("_", " "))


def _setting(name: str, value: Setting) -> str:
    if name.endswith("_bytes") and isinstance(value, int | float):
        return number.binary_size(value)
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else terminal.clean(str(value))


def _aligned(table: Sequence[Cells]) -> list[str]:
    """Return the lines of a table, columns right-aligned."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
