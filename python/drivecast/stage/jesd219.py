"""What the flash of each drive could take of JESD219's writes, next to what its maker rates it for.

Model. JESD219 is the load that endurance is rated by: many small writes, half of them to a twentieth of the drive, over
the whole drive, full. Our translation layer finds its write amplification WA on each drive, and the flash takes

    TBW = N × raw / WA

of the host. Drives whose capacity is the same share of their flash, with the same mapping unit and blocks, amplify
alike, so one of each group is simulated, the smallest. Nothing is fitted to the ratings. A maker's rating is a promise
for the class a drive is sold in, and may lie well below its flash; where it lies above, the load or the cycles behind
it are kinder than ours, and the figure that it implies is reported.
"""

from collections.abc import Callable, Sequence

from drivecast import _core
from drivecast.assess.rating import flash_rating
from drivecast.catalog import Catalog, Drive, Provenance, device_spec
from drivecast.document.calibration import Rating, RatingReason, Ratings
from drivecast.document.wear import Amplification
from drivecast.errors import InputError
from drivecast.quantity.interval import Interval
from drivecast.stage.wear import amplification
from drivecast.thread import over_cores

LOAD = "jesd219(read=0)"
TB = 1e12
NEAR = 1.25
"""Ratios up to this, either way, count as agreement: raw capacity and cycles are not known better."""

PARTIAL = 1.5
"""From here on, what parts of mapping units cost is worth naming."""

Progress = Callable[[float, str], None]
Group = tuple[float, int, int]


def group(drive: Drive) -> Group:
    """What decides amplification: share of the flash that is sold, mapping unit, bytes of a block."""
    spec = device_spec(drive)
    share = round(spec["logical_bytes"] / spec["physical_bytes"], 3)
    return share, spec["mapping_bytes"], spec["page_bytes"] * spec["pages_per_block"] * spec["planes"]


def ratings(catalog: Catalog, names: Sequence[str], update: Progress, *, seed: int = 0) -> Ratings:
    """Rate the drives `names`, or all flash drives of the catalog that are rated by their makers.

    Raises `InputError` for a drive that is not.
    """
    drives = [catalog.get(name) for name in names] or list(catalog.drives.values())
    rated = [drive for drive in drives if drive.is_flash and drive.tbw_bytes is not None]
    if names and len(rated) < len(drives):
        other = next(drive.name for drive in drives if drive not in rated)
        raise InputError(f"`{other}` has no rated writes: only flash drives do")
    smallest: dict[Group, Drive] = {}
    for drive in sorted(catalog.drives.values(), key=lambda drive: (drive.user_bytes, drive.name)):
        if drive.is_flash:
            smallest.setdefault(group(drive), drive)
    wanted = {group(drive): smallest[group(drive)] for drive in rated}
    load = _core.Workload.line(LOAD)
    results = over_cores(
        lambda drive: amplification(drive.name, load, catalog, seed=seed),
        list(wanted.values()),
        lambda share, drive: update(share, drive.name),
    )
    found = dict(zip(wanted, results, strict=True))
    return Ratings(load=LOAD, seed=seed, ratings=[_rating(drive, found[group(drive)]) for drive in rated])


def _rating(drive: Drive, found: Amplification) -> Rating:
    flash = flash_rating(drive)
    sheet = drive.sheet.endurance
    stated = getattr(sheet, "tbw_tb", None) or getattr(sheet, "dwpd", None)
    if flash is None or flash.tbw_bytes is None or stated is None:
        raise TypeError(f"`{drive.name}` is not rated")
    return rating(
        drive.name,
        flash.tbw_bytes / TB,
        stated.provenance,
        raw_tb=flash.raw_bytes / TB,
        pe_cycles=flash.pe_cycles,
        amplified=found.of_bytes,
        rounding_factor=found.rounding_factor,
    )


def rating(
    drive: str,
    rated_tb: float,
    provenance: Provenance,
    *,
    raw_tb: float,
    pe_cycles: Interval,
    amplified: Interval,
    rounding_factor: float,
) -> Rating:
    """Compute cycles × flash / write amplification, and compare it with the rating."""
    low, computed, high = (
        cycles * raw_tb / factor
        for cycles, factor in (
            (pe_cycles.low, amplified.high),
            (pe_cycles.value, amplified.value),
            (pe_cycles.high, amplified.low),
        )
    )
    ratio, implied = computed / rated_tb, rated_tb * amplified.value / raw_tb
    return Rating(
        drive=drive,
        rated_tb=rated_tb,
        provenance=provenance,
        write_amplification=round(amplified.value, 4),
        rounding_factor=round(rounding_factor, 4),
        **pe_cycles.named("pe_cycles"),
        raw_tb=raw_tb,
        computed_tb=float(f"{computed:.5g}"),
        computed_tb_low=float(f"{low:.5g}"),
        computed_tb_high=float(f"{high:.5g}"),
        ratio=round(ratio, 4),
        pe_cycles_implied=round(implied, 1),
        reason=_reason(ratio, implied, pe_cycles, rounding_factor, raw_tb / rated_tb),
    )


def _reason(
    ratio: float, implied: float, cycles: Interval, rounding_factor: float, raw_over_rated: float
) -> RatingReason:
    """Why rated and computed writes differ, as far as the figures show."""
    most = NEAR * cycles.high
    rulings: tuple[tuple[bool, RatingReason], ...] = (
        (1 / NEAR <= ratio <= NEAR, "agrees"),
        (cycles.low <= implied <= cycles.high, "within-cycles"),
        (implied < cycles.low, "below-cycles"),
        (implied <= most, "slightly-above-cycles"),
        (rounding_factor >= PARTIAL and implied / rounding_factor <= most, "whole-units"),
        (cycles.high * raw_over_rated >= 1, "kinder-load"),
    )
    return next((reason for holds, reason in rulings if holds), "above-flash")
