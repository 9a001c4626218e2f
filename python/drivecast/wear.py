"""Write amplification and life of a workload on a design, without a clock. Thin over `_core` and `assess`."""

import json
import math
from typing import Any

from drivecast import _core, assess, quantity
from drivecast.assess import Endurance, Interval
from drivecast.catalog import Catalog, Drive
from drivecast.simulate import controller_specs, drive_specs

SECONDS_PER_DAY = 86_400.0


def amplification(
    design: str, load: _core.Workload, catalog: Catalog, *, fill: float = 1.0, seed: int = 0
) -> dict[str, Any]:
    """What the flash of `design` does under `load`, looped until steady; as `docs/reference/json.md` describes it."""
    drives, controllers = drive_specs(design, catalog), controller_specs(design, catalog)
    result = _core.wear(design, drives, load, seed=seed, fill=fill, controllers=controllers)
    return dict(json.loads(result))


def life(
    drive: Drive, found: dict[str, Any], array_bytes_per_day: float, growth_per_year: float = 0.0
) -> Endurance | None:
    """Life of each of the drives of a design, from what its wear run `found`; `None` for a drive that does not wear.

    Each drive receives the array's writes times what the array writes for a byte of the host (mirrors, parity), shared
    evenly.
    """
    rating = assess.flash_rating(drive)
    if rating is None:
        return None
    return assess.life(
        rating,
        host_bytes_per_day=assess.member_bytes_per_day(
            array_bytes_per_day, member_writes_per_host_write=found["parity_factor"], members=found["members"]
        ),
        write_amplification=amplification_interval(found),
        growth_per_year=growth_per_year,
    )


def amplification_interval(found: dict[str, Any]) -> Interval:
    """The write amplification of a wear run with its bounds, in bytes of flash for a byte written to the drives.

    Writes smaller than the mapping unit program all of it, which a count of units does not show.
    """
    value, rounding = found["write_amplification"], found["rounding_factor"]
    low, high = found["write_amplification_low"], found["write_amplification_high"]
    return Interval(min(low, value) * rounding, value * rounding, max(high, value) * rounding)


def wear(
    design: str,
    load: _core.Workload,
    catalog: Catalog,
    *,
    fill: float = 1.0,
    write_per_day: str | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Amplification, and life where the daily writes are known: given, or the trace's own rate.

    Life needs a drive of the catalog, since a drive by its parameters has no rated cycles; it is null otherwise.
    """
    found = amplification(design, load, catalog, fill=fill, seed=seed)
    per_day = quantity.option("--write-per-day", quantity.size_bytes, write_per_day)
    if per_day is None and load.duration_s and load.written_bytes is not None:
        per_day = round(load.written_bytes * SECONDS_PER_DAY / load.duration_s)
    names = _core.design_drives(design)
    lasts = life(catalog.get(names[0]), found, per_day) if per_day is not None and len(names) == 1 else None
    return {**found, "write_bytes_per_day": per_day, **_life_keys(lasts)}


def _life_keys(lasts: Endurance | None) -> dict[str, float | None]:
    def interval(name: str, values: Interval | None) -> dict[str, float | None]:
        parts = {"": "value", "_low": "low", "_high": "high"}
        return {name + end: _finite(getattr(values, part)) if values else None for end, part in parts.items()}

    return {
        **interval("pe_cycles_per_day", lasts.pe_cycles_per_day if lasts else None),
        **interval("life_years_media", lasts.life_years_media if lasts else None),
        "life_years_warranty": _finite(lasts.life_years_rated_writes) if lasts else None,
        "dwpd_used": lasts.dwpd_used if lasts else None,
        "dwpd_rated": lasts.dwpd_rated if lasts else None,
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
