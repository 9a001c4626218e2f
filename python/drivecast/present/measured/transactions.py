"""A measured database as text, tables and figures: throughput by setting and target, ratios, and what else happened."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from rich.text import Text

from drivecast.document.findings import Setting, Throughput, ThroughputRatio
from drivecast.document.result import Point, Result
from drivecast.document.transactions import BESIDE, constant, ratios, throughput, varied
from drivecast.present import grid, style, table
from drivecast.present.answer import Headline, Tile
from drivecast.present.drawing import Figure
from drivecast.present.figure import transaction_rate
from drivecast.present.measured import attached_designs
from drivecast.present.measured.cells import Table
from drivecast.quantity import number

Heads = tuple[str, ...]
Rows = list[tuple[str, ...]]

_HEADS = {"buffer_bytes": "buffer", "flush_at_commit": "flush", "flush_method": "method", "io_capacity": "io"}
_BESIDE: tuple[tuple[str, str, number.Text], ...] = (
    ("p95 ms", "latency_ns_q95", number.milliseconds),
    ("p99 ms", "latency_ns_q99", number.milliseconds),
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


LATENCIES = ("mean", "q0.5", "q0.9", "q0.95", "q0.99", "q0.999", "max")
BUSY = 0.9
"""Share of the processors' time from which on they are what limits; assumed."""


def text(result: Result) -> Text:
    """Return a result in lines."""
    points = result.points
    found = throughput(points)
    targets = list(dict.fromkeys(point.target for point in points))
    names = {target: letter(index) for index, target in enumerate(targets)} if len(targets) > 1 else {}
    lines: list[str | Text] = [_title(result), *_constants(points)]
    lines += [f"  {name}  {grid.clean(target)}" for target, name in names.items()]
    lines += attached_designs.described(result, names)
    lines += ["", _unit(points, found), *grid.table(*_throughput(found, targets, names), indent=2)]
    lines += _carried(points, names).lines()
    lines += [
        "",
        "  device and processor, medians; varies: from second to second",
        *grid.table(*_beside(found, names), indent=2),
    ]
    lines += [f"  {note}" for note in _notes(points)]
    if not result.complete:
        lines.append(f"  partial: {grid.clean(result.partial or 'not finished')}")
    return grid.page(lines)


def rows(result: Result) -> list[dict[str, Any]]:
    """Return a row a point, for a table: settings, figures, and what else was measured."""
    return [
        {
            "target": point.target,
            **point.settings,
            "per_s": found.per_s,
            "errors": found.errors,
            **{f"latency_ns_{name}": found.latency_ns.get(name) for name in LATENCIES},
            **{name: of(point) for name, of in BESIDE.items() if not name.startswith("latency_ns_")},
        }
        for point in result.points
        if (found := point.transactions) is not None
    ]


def described(settings: Mapping[str, Setting], names: Sequence[str]) -> str:
    """Return the settings of these names in a few words."""
    parts = [f"{_head(name)} {_setting(name, settings[name])}" for name in names if name in settings]
    return ", ".join(parts) or "all"


def letter(index: int) -> str:
    """Return a short name of a target: A, B, … Z, A1 and so on."""
    return chr(ord("A") + index % 26) + (str(index // 26) if index >= 26 else "")


def headline(result: Result) -> Headline:
    """Return the title of the page, the sentences below it, and the tiles."""
    best = max(throughput(result.points), key=lambda row: row.per_s)
    p95 = number.latency(best.latency_ns_q95)
    rate = number.iops(best.per_s) + attached_designs.mark(best)
    title = f"Up to {rate} transactions a second on {best.target}"
    sentences = [
        f"95 % of these within {p95}",
        *_compared(result),
        *attached_designs.sentences(result.points),
    ]
    sentences += _busy_processors(result)
    spread = number.span(number.iops, best.per_s_low, best.per_s_high)
    notes = [f"{spread} over {best.repeats} repeats"] if best.repeats > 1 else ["one run"]
    notes += ["not served on time"] if best.on_time is False else []
    first = Tile("Transactions", f"{number.iops(best.per_s)}/s{attached_designs.mark(best)}", notes)
    return Headline(title, sentences, [first, *_ratio_tiles(result)])


def _ratio_tiles(result: Result) -> list[Tile]:
    """Return a tile a further target, where a single setting was measured."""
    found = result.findings.throughput_ratios
    if len({tuple(row.settings.items()) for row in found}) != 1:
        return []
    return [
        Tile(
            "Over the first",
            _times(row.ratio),
            [number.span(_times, row.ratio_low, row.ratio_high), row.target],
        )
        for row in found[:3]
    ]


def _compared(result: Result) -> list[str]:
    """Return the throughput of each further target over that of the first, over all settings."""
    groups: dict[tuple[str, str], list[ThroughputRatio]] = {}
    for row in result.findings.throughput_ratios:
        groups.setdefault((row.target, row.over), []).append(row)
    made = []
    for (target, over), found in groups.items():
        ratios = [row.ratio for row in found]
        several = number.span(number.multiple, min(ratios), max(ratios))
        times = _bounded(_times, found[0], "ratio") if len(found) == 1 else several
        made.append(f"{target} carries {times} the throughput of {over}")
    return made


def _busy_processors(result: Result) -> list[str]:
    """Return a warning where the processors were measured, and not the storage."""
    known = [
        (
            point.processor.user + point.processor.system,
            max(device["busy"] for device in point.devices.values()),
        )
        for point in result.points
        if point.processor and point.devices
    ]
    worked = sum(processor > BUSY and storage < 1 - BUSY / 2 for processor, storage in known)
    if not worked:
        return []
    return [
        f"In {worked} of {len(known)} points the processors were busy and the storage was not: "
        "there the machine was measured, and another drive would change little"
    ]


def tables(result: Result) -> list[Table]:
    """Return tables for a page."""
    found = throughput(result.points)
    if not found:
        return []
    targets = list(dict.fromkeys(row.target for row in found))
    names = {target: target for target in targets} if len(targets) > 1 else {}
    settings = len(found[0].settings)
    late = any(attached_designs.mark(row) for row in found)
    note = attached_designs.LATE if late else ""
    return [
        Table("Transactions a second", *_throughput(found, targets, names), settings, note),
        *_carried(result.points, names).tables(),
        Table(
            "Device and processor (medians; varies: from second to second)",
            *_beside(found, names),
            settings + bool(names),
        ),
    ]


def figures(result: Result) -> list[Figure]:
    """Return the first repeat second by second, and throughput over the buffer where it varies."""
    points = [point for point in result.points if point.transactions and point.transactions.seconds]
    names = varied(points)
    labels = _few([described(point.settings, names) for point in points])
    drawn = [
        (grid.clean(point.target), label, row["second"], row["per_s"])
        for point in points
        if point.settings.get("repeat", 1) == 1
        and (label := described(point.settings, names)) in labels
        and point.transactions
        for row in point.transactions.seconds
    ]
    made = []
    if drawn:
        frame = table.of(drawn, target=str, label=str, second=float, per_s=float)
        made.append(Figure("transactions", transaction_rate.transactions(frame)))
    if "buffer_bytes" in names:
        made.append(Figure("buffer-pool", transaction_rate.buffer_pool(_over_buffer(points, names))))
    return made


def _few(labels: Sequence[str]) -> list[str]:
    """Return as many as are distinct as lines: the first, the last, and some evenly between."""
    different, most = list(dict.fromkeys(labels)), len(style.LINES)
    if len(different) <= most:
        return different
    return [different[round(index * (len(different) - 1) / (most - 1))] for index in range(most)]


def _over_buffer(points: Sequence[Point], names: Sequence[str]) -> pl.DataFrame:
    """Return a row a target, setting and buffer; the buffer is no part of the label."""
    others = [name for name in names if name != "buffer_bytes"]
    several = len({point.target for point in points}) > 1
    found = []
    for row in throughput(points):
        parts = [grid.clean(row.target)] if several or not others else []
        label = ", ".join([*parts, *([described(row.settings, others)] if others else [])])
        found.append((label, row.settings["buffer_bytes"], row.per_s, row.per_s_low, row.per_s_high))
    chosen = _few([cells[0] for cells in found])
    rates = dict.fromkeys(("per_s", "per_s_low", "per_s_high"), float)
    frame = table.of((cells for cells in found if cells[0] in chosen), label=str, buffer_bytes=float, **rates)
    return frame.sort("buffer_bytes", maintain_order=True)


def _notes(points: Sequence[Point]) -> list[str]:
    """Return each note once, with how many points have it where not all have."""
    counts = Counter(note for point in points for note in point.notes)
    return [
        f"note: {note}" if count == len(points) else f"note, {count} of {len(points)} points: {note}"
        for note, count in counts.items()
    ]


def _title(result: Result) -> str:
    server = str(result.points[0].settings.get("server", "")) if result.points else ""
    printed = (result.environment.get("programs") or {}).get(server) or ""
    version = re.search(r"\d+(\.\d+)+", printed)
    return grid.clean(f"{result.title}{f' {version[0]}' if version else ''}")


def _constants(points: Sequence[Point]) -> list[str]:
    """Return what is the same in all points, in a line."""
    if not points:
        return []
    known = {name: value for name, value in constant(points).items() if name not in ("server", "load")}
    span = max(point.span_bytes or 0 for point in points)
    data = [f"{number.size(span)} of data"] if span else []
    return [f"  {', '.join([*data, *([described(known, list(known))] if known else [])])}"]


def _unit(points: Sequence[Point], rows: Sequence[Throughput]) -> str:
    repeats = max((row.repeats for row in rows), default=1)
    several = f", median of {repeats} (lowest – highest)" if repeats > 1 else ""
    length_s = max((len(point.transactions.seconds) for point in points if point.transactions), default=0)
    ramp = points[0].ramp_s if points else 0
    return f"  transactions a second{several}, over {length_s} s after {ramp:.0f} s of ramp"


def _throughput(
    rows: Sequence[Throughput], targets: Sequence[str], names: Mapping[str, str]
) -> tuple[Heads, Rows]:
    """Return a row a setting: its throughput on each target, then the ratios to the first."""
    settings = list({row.key: row.settings for row in rows}.values())
    found = {(row.target, *row.key): row for row in rows}
    over = {(row.target, *row.settings.items()): row for row in ratios(rows)}
    orders = any(row.new_orders_per_min is not None for row in rows)
    heads = [
        *(_head(name) for name in (settings[0] if settings else {})),
        *(names.get(target, "transactions/s") for target in targets),
        *(f"{names[target]} over {names[targets[0]]}" for target in targets[1:]),
        *(f"{names.get(target, '')} new orders/min".strip() for target in targets if orders),
    ]
    made = []
    for setting in settings:
        keys = [(target, *setting.items()) for target in targets]
        cells = [_setting(name, value) for name, value in setting.items()]
        late = {key: attached_designs.mark(found.get(key)) for key in keys}
        cells += [_bounded(number.iops, found.get(key), "per_s") + late[key] for key in keys]
        cells += [_bounded(_times, over.get(key), "ratio") + (late[keys[0]] or late[key]) for key in keys[1:]]
        known = [found.get(key) for key in keys] if orders else []
        cells += [number.iops(row.new_orders_per_min if row else None) for row in known]
        made.append(tuple(cells))
    return tuple(heads), made


def _beside(rows: Sequence[Throughput], names: Mapping[str, str]) -> tuple[Heads, Rows]:
    settings = [_head(name) for name in (rows[0].settings if rows else {})]
    heads = (*([""] if names else []), *settings, *(head for head, _name, _wording in _BESIDE))
    return heads, [
        (
            *([names[row.target]] if names else []),
            *(_setting(name, value) for name, value in row.settings.items()),
            *(wording(getattr(row, name)) for _head_, name, wording in _BESIDE),
        )
        for row in rows
    ]


def _carried(points: Sequence[Point], names: Mapping[str, str]) -> attached_designs.Carriage:
    varying = varied(points)
    return attached_designs.Carriage(
        points,
        names,
        tuple(_head(name) for name in varying),
        lambda point: tuple(
            _setting(name, point.settings[name]) for name in varying if name in point.settings
        ),
    )


def _bounded(wording: number.Text, row: Throughput | ThroughputRatio | None, name: str) -> str:
    """Return a figure with its bounds over the repeats."""
    if row is None:
        return number.ABSENT
    value, low, high = (getattr(row, f"{name}{bound}") for bound in ("", "_low", "_high"))
    text = wording(value)
    return text if low is None or low == high else f"{text} ({number.span(wording, low, high)})"


def _times(ratio: float | None) -> str:
    return f"{number.significant(ratio)}×"


def _head(name: str) -> str:
    return _HEADS.get(name, name.replace("_", " "))


def _setting(name: str, value: Setting) -> str:
    if name.endswith("_bytes") and isinstance(value, int | float):
        return number.binary_size(value)
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else grid.clean(str(value))
