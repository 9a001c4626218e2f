"""Implausible figures, whoever made the drive: compared with each other and with what drives can do.

- Power-on hours of more than thirty years: no such drive is that old, and some (SandForce) start at an absurd count.
- More written than the link could carry in the power-on time: hours or writes count something else.
- `Percentage used` 255 with less than ten drive-fulls written: no drive is rated that low, 255 stands for no value.
- Wear beyond 255 percent: no counter goes there.
- NAND writes far below host writes: compression reaches a third (0.65 was seen), not a twentieth.
- More than all of its spare left.
- Temperatures that no drive survives.

Write amplification below 1 is legal. The lifetime ratio of a drive that is nearly idle is high, since the drive's own
upkeep is divided by few writes: that is noted, and is no fault.
"""

from dataclasses import replace

from drivecast.document.record import Bus, Figure
from drivecast.health.interpret import Interpretation
from drivecast.quantity.year import HOURS_PER_YEAR

HOURS_MAX = 30 * HOURS_PER_YEAR
LINK_BYTES_PER_S: dict[Bus, float] = {"ata": 0.6e9, "scsi": 4.8e9, "nvme": 16e9}
"""SATA 6 Gb/s, two lanes of SAS 24 Gb/s, PCIe 5.0 x4: what the fastest of each carries."""
FULLS_MIN = 10
WEAR_MAX = 2.55
COMPRESSION_MAX = 20
TEMPERATURES_C = (-40, 125)
IDLE_FULLS_PER_DAY = 0.05
HIGH_AMPLIFICATION = 3.0


def check(found: Interpretation, bus: Bus, capacity_bytes: int | None) -> None:
    """Mark implausible figures as doubtful, with the reason, and note what is easily misread."""
    for name, reason in _against(found, bus, capacity_bytes):
        figure = found.figures[name]
        found.figures[name] = replace(figure, trust="doubtful", reason=reason)
        found.notes.append(f"{figure.attribute}: {reason}")
    worn = _value(found, "wear_ratio")
    if worn is not None and worn >= 1:
        found.notes.insert(0, f"worn to {100 * worn:.0f} % of what its maker rates the flash for: replace it")
    _near_idle(found, capacity_bytes)


def _value(found: Interpretation, name: str) -> float | None:
    figure = found.figures.get(name)
    return figure.value if figure and figure.trust != "doubtful" else None


def _against(found: Interpretation, bus: Bus, capacity_bytes: int | None) -> list[tuple[str, str]]:
    reasons: list[tuple[str, str]] = []
    hours = _value(found, "power_on_hours")
    written = _value(found, "host_written_bytes")
    if hours is not None and hours > HOURS_MAX:
        reasons.append(("power_on_hours", f"{hours:,.0f} h are {hours / HOURS_PER_YEAR:.0f} years"))
    elif hours is not None and written and written > (hours + 1) * 3600 * LINK_BYTES_PER_S[bus]:
        rate = written / ((hours + 1) * 3600) / 1e9
        why = f"{written / 1e12:.0f} TB in {hours:.0f} h are {rate:.1f} GB/s, more than the link carries"
        reasons += [("power_on_hours", why), ("host_written_bytes", why)]
    reasons += _wear(found.figures.get("wear_ratio"), written, capacity_bytes)
    nand = _value(found, "nand_written_bytes")
    if nand is not None and written and nand * COMPRESSION_MAX < written:
        reasons.append(
            ("nand_written_bytes", f"{nand / written:.3f} of the host's writes: no data compresses so far")
        )
    spare = _value(found, "spare_ratio")
    if spare is not None and spare > 1:
        reasons.append(("spare_ratio", f"{100 * spare:.0f} % of its spare cannot be left"))
    temperature = _value(found, "temperature_c")
    if temperature is not None and not TEMPERATURES_C[0] <= temperature <= TEMPERATURES_C[1]:
        reasons.append(("temperature_c", f"{temperature:g} °C"))
    return reasons


def _wear(figure: Figure | None, written: float | None, capacity_bytes: int | None) -> list[tuple[str, str]]:
    if figure is None or figure.trust == "doubtful":
        return []
    if figure.value > WEAR_MAX:
        return [("wear_ratio", f"{100 * figure.value:.0f} % is beyond what any drive counts")]
    if figure.value == WEAR_MAX and written is not None and capacity_bytes:
        fulls = written / capacity_bytes
        if fulls < FULLS_MIN:
            return [("wear_ratio", f"255 % after {fulls:.1f} drive-fulls of writes stands for no value")]
    return []


def _near_idle(found: Interpretation, capacity_bytes: int | None) -> None:
    nand, written = _value(found, "nand_written_bytes"), _value(found, "host_written_bytes")
    hours = _value(found, "power_on_hours")
    if not (nand and written and hours and capacity_bytes):
        return
    fulls_per_day = written / capacity_bytes / (hours / 24)
    if nand / written > HIGH_AMPLIFICATION and fulls_per_day < IDLE_FULLS_PER_DAY:
        found.notes.append(
            f"its lifetime write amplification of {nand / written:.1f} is typical of a nearly idle drive "
            f"({fulls_per_day:.2f} drive-fulls a day): judge a workload by differences"
        )
