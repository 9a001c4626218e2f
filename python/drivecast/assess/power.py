"""Electrical power of drives, and the energy a site spends on it.

Model. P = idle + (active − idle) × utilization, utilization in [0, 1]: the share of time in which the drive
works. Energy is that over time, times what the site adds for cooling and conversion, as a PUE or (as older
papers have it) as a share on top. Left out: spin-up, stand-by states, and that writes cost more than reads.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Site:
    """What a kilowatt-hour at the drive costs: price of energy, and site energy per energy of the drive."""

    usd_per_kwh: float
    overhead: float
    """Its power usage effectiveness (PUE): 1 or more."""

    @classmethod
    def with_cooling_share(cls, usd_per_kwh: float, share: float) -> "Site":
        """Describe the site by the energy for cooling as a share of the drives'."""
        return cls(usd_per_kwh, 1 + share)


def watts(*, idle_w: float, active_w: float, utilization: float) -> float:
    """Give the mean power of a drive."""
    if not 0 <= utilization <= 1:
        raise ValueError(f"utilization is a share, not {utilization}")
    return idle_w + (active_w - idle_w) * utilization


def energy_kwh(power_w: float, hours: float, site: Site | None = None) -> float:
    """Give the energy of a drive over some hours, at the site's meter if a site is given."""
    return power_w * hours / 1000 * (site.overhead if site else 1.0)
