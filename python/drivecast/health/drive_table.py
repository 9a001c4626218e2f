"""Records as people and programs read them: one line a drive, rows of figures, a document with every reason."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from drivecast.health.record import NAMES, Record

HEAD = ("drive", "model", "wear", "written", "WA life", "spare", "errors", "hours", "°C", "passed", "notes")
_NUMERIC = range(2, 9)


def whole(value: float) -> float | int:
    """A number without `.0` where it is whole."""
    return int(value) if value == int(value) else value


def amplification(record: Record) -> float | None:
    """NAND writes over host writes since the drive was made."""
    nand, host = record.value("nand_written_bytes"), record.value("host_written_bytes")
    return round(nand / host, 4) if nand is not None and host else None


def as_json(record: Record) -> dict[str, Any]:
    """A record with the attribute, trust, step and reason of each figure."""
    identity = record.identity
    return {
        "serial": identity.serial,
        "model": identity.model,
        "firmware": identity.firmware or None,
        "bus": identity.bus,
        "capacity_bytes": identity.capacity_bytes,
        "rotating": identity.rotating,
        "vendor": identity.vendor,
        "catalog": identity.catalog,
        "host": record.host,
        "device": record.device,
        "time": record.time.isoformat(),
        "passed": record.passed,
        "write_amplification_lifetime": amplification(record),
        "figures": {
            name: {
                "value": whole(figure.value),
                "attribute": figure.attribute,
                "trust": figure.trust,
                "step": whole(figure.step),
                "reason": figure.reason or None,
            }
            for name, figure in record.figures.items()
        },
        "notes": list(record.notes),
    }


def as_row(record: Record) -> dict[str, Any]:
    """A record as one line: figures to compute with; `doubtful` names the others."""
    doubtful = [name for name, figure in record.figures.items() if figure.trust == "doubtful"]
    values = {name: record.value(name) for name in NAMES}
    return {
        "time": record.time.isoformat(),
        "host": record.host,
        "device": record.device,
        "model": record.identity.model,
        "serial": record.identity.serial,
        "capacity_bytes": record.identity.capacity_bytes,
        "passed": record.passed,
        **{name: whole(value) if value is not None else None for name, value in values.items()},
        "write_amplification_lifetime": amplification(record),
        "doubtful": " ".join(doubtful),
        "notes": "; ".join(record.notes),
    }


def _shown(record: Record, name: str, form: str) -> str:
    figure = record.figures.get(name)
    if figure is None:
        return "-"
    return form.format(figure.value) + ("?" if figure.trust == "doubtful" else "")


def _wear(record: Record) -> str:
    figure = record.figures.get("wear_ratio")
    return _shown(record, "wear_ratio", "{:.3%}" if figure and figure.step < 1e-4 else "{:.0%}")


def _written(record: Record) -> str:
    figure = record.figures.get("host_written_bytes")
    if figure is None:
        return "-"
    terabytes = figure.value / 1e12
    if terabytes >= 1000:
        shown = f"{terabytes / 1000:.2f} PB"
    else:
        shown = f"{terabytes:.0f} TB" if terabytes >= 100 else f"{terabytes:.3g} TB"
    return shown + ("?" if figure.trust == "doubtful" else "")


def _place(record: Record) -> str:
    place = record.device or record.identity.serial
    return f"{record.host}:{place}" if record.host else place


def _cells(record: Record) -> list[str]:
    ratio = amplification(record)
    errors = [record.value(name) for name in ("media_errors", "reallocated_sectors")]
    told = [f"{one:.0f}" for one in errors if one is not None]
    return [
        _place(record),
        record.identity.model,
        _wear(record),
        _written(record),
        "-" if ratio is None else f"{ratio:.2f}",
        _shown(record, "spare_ratio", "{:.0%}"),
        "+".join(told) or "-",
        _shown(record, "power_on_hours", "{:,.0f}"),
        _shown(record, "temperature_c", "{:.0f}"),
        {True: "yes", False: "NO", None: "-"}[record.passed],
        str(len(record.notes)) if record.notes else "",
    ]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    shown = [
        cell.rjust(width) if at in _NUMERIC else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(shown).rstrip()


def as_text(records: Sequence[Record]) -> Text:
    """One line a drive, and below what is to be known of them."""
    rows = [_cells(record) for record in records]
    widths = [max(len(row[at]) for row in (HEAD, *rows)) for at in range(len(HEAD))]
    text = Text()
    text.append(_line(HEAD, widths) + "\n", style="bold")
    for record, row in zip(records, rows, strict=True):
        bad = record.passed is False or (record.value("wear_ratio") or 0) >= 1
        text.append(_line(row, widths) + "\n", style="red" if bad else "")
    told = [
        f"  {row[0]} {row[1]}: {one}\n"
        for record, row in zip(records, rows, strict=True)
        for one in record.notes
    ]
    if told:
        text.append("\nnotes\n", style="bold")
        text.append("".join(told))
    doubtful = any(figure.trust == "doubtful" for record in records for figure in record.figures.values())
    tail = "`?`: doubtful, never computed with; " if doubtful else ""
    text.append(f"\n{tail}errors: of the medium + sectors reallocated", style="dim")
    return text
