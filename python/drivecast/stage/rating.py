"""What the flash of each drive could take of JESD219's writes, beside what its maker rates it for.

Model. JESD219 is the load that endurance is rated by: many small writes, half of them to a twentieth of the drive, over
the whole drive, full. Our translation layer finds its write amplification WA on each drive, and the flash takes

    TBW = N × raw / WA

of the host. Drives whose capacity is the same share of their flash, with the same mapping unit and blocks, amplify
alike, so one of each group is simulated, the smallest. Nothing is fitted to the ratings. A maker's rating is a promise
for the class a drive is sold in, and may lie well below its flash; where it lies above, the load or the cycles behind
it are kinder than ours, and the figure that it implies is told.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from drivecast import _core, assess
from drivecast.assess import Interval
from drivecast.catalog import Catalog, Drive, device_spec
from drivecast.errors import InputError
from drivecast.stage.wear import amplification, amplification_interval
from drivecast.thread import over_cores

LOAD = "jesd219(read=0)"
TB = 1e12
NEAR = 1.25
"""Ratios up to this, either way, are taken for agreement: raw capacity and cycles are not known better."""

PARTIAL = 1.5
"""From here on, what parts of mapping units cost is worth telling apart."""

Progress = Callable[[float, str], None]
Group = tuple[float, int, int]


@dataclass(frozen=True)
class Rating:
    """A drive's rating beside ours."""

    drive: str
    title: str
    rated_tb: float
    provenance: str
    computed_tb: Interval
    write_amplification: float
    rounding_factor: float
    """The part of the amplification that comes of writes smaller than the mapping unit."""
    pe_cycles: Interval
    raw_tb: float

    @property
    def ratio(self) -> float:
        """Computed over rated."""
        return self.computed_tb.value / self.rated_tb

    @property
    def cycles_implied(self) -> float:
        """Cycles that the rating takes at our write amplification."""
        return self.rated_tb * self.write_amplification / self.raw_tb

    @property
    def reason(self) -> str:
        """Why both depart, as far as the figures tell."""
        implied, cycles = self.cycles_implied, self.pe_cycles
        whole, most = implied / self.rounding_factor, NEAR * cycles.high
        kinder, ours = cycles.high * self.raw_tb / self.rated_tb, self.write_amplification
        if 1 / NEAR <= self.ratio <= NEAR:
            why = "agrees"
        elif cycles.low <= implied <= cycles.high:
            why = f"within what is known of the flash: the rating takes {implied:,.0f} cycles"
        elif implied < cycles.low:
            why = f"promised less than the flash could take: {implied:,.0f} cycles do for it"
        elif implied <= most:
            why = f"takes {implied:,.0f} cycles, a little more than the {cycles.high:,.0f} known of the flash"
        elif self.rounding_factor >= PARTIAL and whole <= most:
            why = f"rated for writes of whole mapping units: then {whole:,.0f} cycles do"
        elif kinder >= 1:
            why = f"rated for a kinder load: a write amplification of {kinder:.2g} at most, not {ours:.2g}"
        else:
            why = "rated for more than its flash is known to take at all"
        return why


def group(drive: Drive) -> Group:
    """Give what decides amplification: share of the flash that is sold, mapping unit, bytes of a block."""
    spec = device_spec(drive)
    share = round(spec["logical_bytes"] / spec["physical_bytes"], 3)
    return share, spec["mapping_bytes"], spec["page_bytes"] * spec["pages_per_block"] * spec["planes"]


def ratings(catalog: Catalog, names: Sequence[str], update: Progress, *, seed: int = 0) -> list[Rating]:
    """Rate the drives `names`, or all of the catalog that are of flash and rated by their makers.

    Raises `InputError` for a drive that is not.
    """
    drives = [catalog.get(name) for name in names] or list(catalog.drives.values())
    rated = [one for one in drives if one.is_flash and one.tbw_bytes is not None]
    if names and len(rated) < len(drives):
        other = next(one.name for one in drives if one not in rated)
        raise InputError(f"`{other}` has no rated writes: only flash drives do")
    smallest: dict[Group, Drive] = {}
    for drive in sorted(catalog.drives.values(), key=lambda one: (one.user_bytes, one.name)):
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
    return [_rating(drive, found[group(drive)]) for drive in rated]


def _rating(drive: Drive, found: dict[str, float]) -> Rating:
    flash = assess.flash_rating(drive)
    sheet = drive.sheet.endurance
    stated = getattr(sheet, "tbw_tb", None) or getattr(sheet, "dwpd", None)
    if flash is None or flash.tbw_bytes is None or stated is None:
        raise TypeError(f"`{drive.name}` is not rated")
    factor, cycles = amplification_interval(found), flash.pe_cycles
    raw_tb = flash.raw_bytes / TB
    return Rating(
        drive=drive.name,
        title=drive.title,
        rated_tb=flash.tbw_bytes / TB,
        provenance=str(stated.provenance.value),
        computed_tb=Interval(
            cycles.low * raw_tb / factor.high,
            cycles.value * raw_tb / factor.value,
            cycles.high * raw_tb / factor.low,
        ),
        write_amplification=factor.value,
        rounding_factor=found["rounding_factor"],
        pe_cycles=cycles,
        raw_tb=raw_tb,
    )
