"""What a drive's maker rates: from its model to the catalog's drive, or to the rule's own table of ratings.

A model matches the patterns of a rating, and its capacity the nearest listed one within three percent: capacities are
sold in round numbers and rated in bytes.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drivecast.catalog import Drive
from drivecast.catalog import load as load_catalog
from drivecast.health import rules as families
from drivecast.health.rules import Rating, Rules, like

if TYPE_CHECKING:
    import polars as pl

_NEAR = 0.03
_TB = 1e12


@dataclass(frozen=True)
class Rated:
    """What the warranty covers."""

    rated_bytes: float | None
    """None for disks: writing does not wear them."""
    warranty_years: float
    provenance: str
    """`published`, `assumed`, as the catalog has it."""
    source: str
    catalog: str | None = None
    """Name in the catalog."""
    pe_cycles: float | None = None
    """Typical program/erase cycles a block endures."""
    pe_bounds: tuple[float, float] | None = None
    """Fewest and most of what is published of such flash."""
    raw_bytes: int | None = None
    """Flash built in."""


def _sold(sizes: dict[str, float] | dict[str, str], capacity_bytes: int | None) -> str | None:
    """Return the listed capacity that a drive of so many bytes is sold as."""
    if capacity_bytes is None:
        return None
    near = min(sizes, key=lambda gb: abs(float(gb) * 1e9 - capacity_bytes), default="inf")
    return near if abs(float(near) * 1e9 - capacity_bytes) <= _NEAR * capacity_bytes else None


def _ratings(model: str, rules: Rules) -> Iterator[tuple[Rating, dict[str, str]]]:
    for rule in rules.all():
        for rating in rule.ratings:
            if any(like(pattern, model) for pattern in rating.models):
                yield rating, rule.sources


@functools.lru_cache(maxsize=4096)
def match(model: str, capacity_bytes: int | None, rules: Rules | None = None) -> str | None:
    """Return the name of the catalog's drive; nothing where the catalog has none such."""
    for rating, _ in _ratings(model, rules or families.load()):
        sold = _sold(rating.catalog, capacity_bytes)
        if sold is not None:
            return rating.catalog[sold]
    return None


_catalog = functools.cache(load_catalog)


@functools.lru_cache(maxsize=4096)
def rated(model: str, capacity_bytes: int | None) -> Rated | None:
    """Return what is rated for drives of a model and capacity; nothing where neither catalog nor rules know them."""
    rules = families.load()
    drive = _catalog().drives.get(match(model, capacity_bytes, rules) or "")
    if drive is not None:
        return _of_catalog(drive)
    for rating, sources in _ratings(model, rules):
        sold = _sold(rating.tbw_tb, capacity_bytes)
        if sold is not None:
            source = f"{rating.name}: {sources.get(rating.document or '', rating.reason)}"
            bytes_ = rating.tbw_tb[sold] * _TB
            return Rated(bytes_, rating.warranty_years, rating.provenance.value, source)
    return None


def _of_catalog(drive: Drive) -> Rated:
    cycles = drive.pe_cycles
    endurance = drive.sheet.endurance
    figures = (getattr(endurance, "tbw_tb", None), getattr(endurance, "dwpd", None), endurance.warranty_years)
    origin = next(figure for figure in figures if figure is not None)
    return Rated(
        drive.tbw_bytes,
        drive.warranty_years,
        origin.provenance.value,
        f"catalog, {drive.name}",
        drive.name,
        cycles.typical if cycles else None,
        (cycles.low, cycles.high) if cycles else None,
        drive.raw_bytes,
    )


def ratings(drives: "pl.DataFrame") -> "pl.DataFrame":
    """Return what is rated for each row of `drive`, `model`, `capacity_bytes`; nulls where nothing is."""
    import polars as pl  # noqa: PLC0415 (reading one drive needs no tables)

    numbers = dict.fromkeys(("rated_bytes", "warranty_years", "pe_cycles"), pl.Float64())
    columns = {**numbers, **dict.fromkeys(("catalog", "provenance", "source"), pl.String())}
    found = (rated(model or "", size) for model, size in drives.select("model", "capacity_bytes").iter_rows())
    rows = [[getattr(known, name, None) for name in columns] for known in found]
    return pl.concat([drives.select("drive"), pl.DataFrame(rows, columns, orient="row")], how="horizontal")
