"""Implausible figures, whoever made the drive: compared with each other and with what drives can do.

- Power-on hours of more than thirty years: no such drive is that old, and some (SandForce) start at an absurd count.
- More written than the link could carry in the power-on time: hours or writes count something else.
- `Percentage used` 255 with less than ten drive-fulls written: no drive is rated that low, 255 means no value.
- Fewer sectors counted than any drive in use is written: an attribute that smartctl calls `Total_LBAs_Written` for
  want of a better name may count 32 MiB or 1 GiB; what was read is then as unknown.
- Wear beyond 255 percent: no counter goes there.
- NAND writes far below host writes: compression reaches a third (0.65 was seen), not a twentieth.
- More than all of its spare left, or a threshold for its spare that is all of it.
- Temperatures that no drive survives.

Write amplification below 1 is legal. The lifetime ratio of a drive that is nearly idle is high, since the drive's own
upkeep is divided by few writes: that is noted, and is no fault.
"""

from collections.abc import Iterator
from dataclasses import replace

from drivecast.document.record import UNIT_UNKNOWN, Bus
from drivecast.health.interpret import Interpretation
from drivecast.quantity.year import HOURS_PER_YEAR

WRITTEN = "host_written_bytes"
HOURS_MAX = 30 * HOURS_PER_YEAR
LINK_BYTES_PER_S: dict[Bus, float] = {"ata": 0.6e9, "scsi": 4.8e9, "nvme": 16e9}
"""SATA 6 Gb/s, two lanes of SAS 24 Gb/s, PCIe 5.0 x4: what the fastest of each carries."""
FULLS_MIN = 10
WEAR_MAX = 2.55
COMPRESSION_MAX = 20
TEMPERATURES_C = (-40, 125)
BYTES_PER_HOUR_MIN, JUDGED_AFTER_H = 1e6, 1000
"""A system that only keeps its log writes more, over so many hours."""
GUESSED = "Total_LBAs"
IDLE_FULLS_PER_DAY = 0.05
HIGH_AMPLIFICATION = 3.0


def check(found: Interpretation, bus: Bus, capacity_bytes: int | None) -> None:
    """Mark implausible figures as doubtful, with the reason, and note what is easily misread."""
    for name, reason in [*_of_unknown_unit(found), *_against(found, bus, capacity_bytes)]:
        figure = found.figures[name]
        found.figures[name] = replace(figure, trust="doubtful", reason=reason)
        found.notes.append(f"{figure.attribute}: {reason}")
    values = _sure(found)
    worn, nand, written = (values.get(name) for name in ("wear_ratio", "nand_written_bytes", WRITTEN))
    hours = values.get("power_on_hours")
    if worn is not None and worn >= 1:
        found.notes.insert(0, f"worn to {100 * worn:.0f} % of what its maker rates the flash for: replace it")
    if not (nand and written and hours and capacity_bytes):
        return
    fulls_per_day = written / capacity_bytes / (hours / 24)
    if nand / written > HIGH_AMPLIFICATION and fulls_per_day < IDLE_FULLS_PER_DAY:
        found.notes.append(
            f"its lifetime write amplification of {nand / written:.1f} is typical of a nearly idle drive "
            f"({fulls_per_day:.2f} drive-fulls a day): judge a workload by differences"
        )


def _sure(found: Interpretation) -> dict[str, float]:
    return {name: figure.value for name, figure in found.figures.items() if figure.trust != "doubtful"}


def _of_unknown_unit(found: Interpretation) -> list[tuple[str, str]]:
    """Return the figures whose unit is not known, with the reason."""
    hours, written = (found.figures.get(name) for name in ("power_on_hours", WRITTEN))
    if hours is None or written is None or written.trust != "observed" or GUESSED not in written.attribute:
        return []
    if hours.value < JUDGED_AFTER_H or not 0 < written.value < hours.value * BYTES_PER_HOUR_MIN:
        return []
    why = f"too little for {hours.value:,.0f} h in sectors: {UNIT_UNKNOWN}, and may be 32 MiB or 1 GiB"
    return [(name, why) for name in (WRITTEN, "host_read_bytes") if name in found.figures]


def _against(found: Interpretation, bus: Bus, capacity_bytes: int | None) -> Iterator[tuple[str, str]]:
    """Yield each implausible figure with the reason."""
    values = _sure(found)
    hours, written = values.get("power_on_hours"), values.get(WRITTEN)
    if hours is not None and hours > HOURS_MAX:
        yield "power_on_hours", f"{hours:,.0f} h are {hours / HOURS_PER_YEAR:.0f} years"
    elif hours is not None and written and written > (hours + 1) * 3600 * LINK_BYTES_PER_S[bus]:
        rate = written / ((hours + 1) * 3600) / 1e9
        why = f"{written / 1e12:.0f} TB in {hours:.0f} h are {rate:.1f} GB/s, more than the link carries"
        yield from (("power_on_hours", why), (WRITTEN, why))
    wear = values.get("wear_ratio", 0.0)
    if wear > WEAR_MAX:
        yield "wear_ratio", f"{100 * wear:.0f} % is beyond what any drive counts"
    elif wear == WEAR_MAX and written is not None and capacity_bytes:
        fulls = written / capacity_bytes
        if fulls < FULLS_MIN:
            yield "wear_ratio", f"255 % after {fulls:.1f} drive-fulls of writes means that there is no value"
    nand = values.get("nand_written_bytes")
    if nand is not None and written and nand * COMPRESSION_MAX < written:
        share = nand / written
        yield "nand_written_bytes", f"{share:.3f} of the host's writes: no data compresses so far"
    spare = values.get("spare_ratio", 0.0)
    if spare > 1:
        yield "spare_ratio", f"{100 * spare:.0f} % of its spare cannot be left"
    threshold = values.get("spare_threshold_ratio", 0.0)
    if threshold >= 1:
        yield "spare_threshold_ratio", f"{100 * threshold:.0f} % of its spare is no threshold"
    temperature = values.get("temperature_c", 0.0)
    if not TEMPERATURES_C[0] <= temperature <= TEMPERATURES_C[1]:
        yield "temperature_c", f"{temperature:g} °C"
