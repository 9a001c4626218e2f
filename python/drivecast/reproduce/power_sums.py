"""AnandTech: what drives draw, metered at the enclosure, against their data sheets; and the energy bill.

The meter reads whole watts of an enclosure that draws 251 W empty, so a few watts of idle SSDs are within its steps and
the losses of its power supply.
"""

from drivecast.assess import Purchase, Site, Upkeep, cost_over_years, energy_kwh, watts
from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, published

METERED = {
    "ssd8": ("intel-x25-e-32gb", 8),
    "ssd4": ("intel-x25-e-32gb", 4),
    "sas8": ("seagate-cheetah-15k5-300gb", 8),
    "sas4": ("seagate-cheetah-15k5-300gb", 4),
}
WHY = "metered before the enclosure's power supply, in whole watts; the sheet is of the drive alone"
HOURS_PER_DAY = 24


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Watts of the drives in the enclosure, kilowatt-hours and dollars."""
    paper = published()["x25e-oltp"]
    empty_w = paper["power"]["none"]["idle"]
    for key, (name, count) in METERED.items():
        power = catalog.get(name).sheet.power
        for state, figure in (("idle", power.idle_w), ("full", power.active_w)):
            findings.figure(
                f"{count} × {name}, {state}",
                "W",
                published=paper["power"][key][state] - empty_w,
                ours=count * figure.value,
                why=WHY,
                kind="computed",
            )
    bill(findings, paper["tco"], paper["power"])


def bill(
    findings: Findings, tco: dict[str, float | dict[str, float]], metered: dict[str, dict[str, float]]
) -> None:
    """Three years of energy, from the enclosure's meter on, and what the SSDs save."""
    numbers = {name: float(value) for name, value in tco.items() if not isinstance(value, dict)}
    site = Site.with_cooling_share(numbers["usd_per_kwh"], numbers["cooling_share"])
    hours = numbers["years"] * numbers["days_per_year"] * HOURS_PER_DAY
    totals = {}
    for kind in ("ssd", "sas"):
        row = tco[kind]
        if not isinstance(row, dict):
            raise AssertionError(f"`{kind}` is a table")
        count, name = row["drives"], kind.upper()
        drawn_w = row["watts"] * count
        cost = cost_over_years(
            Purchase(int(count), row["usd_each"]),
            Upkeep(numbers["years"], drawn_w, 0, numbers["years"], hours_per_year=hours / numbers["years"]),
            site,
        )
        totals[kind] = cost.total_usd
        at_site, alone = energy_kwh(drawn_w, hours, site), energy_kwh(drawn_w, hours)
        over = f"{count} {name} drives in {numbers['years']:g} years"
        rows = [
            (
                f"mean power of one {name} drive, by the meter",
                "W",
                "watts",
                _metered_w(metered, kind, numbers),
            ),
            (f"energy of one {name} drive in {numbers['years']:g} years", "kWh", "kwh_each", alone / count),
            (f"energy of {over}, without cooling", "kWh", "kwh", alone),
            (f"energy to cool {over}", "kWh", "cooling_kwh", at_site - alone),
            (f"energy of {over}", "kWh", "total_kwh", at_site),
            (f"energy of {over}", "USD", "power_usd", cost.energy_usd),
        ]
        findings.figures(row, rows, kind="computed")
    saved = totals["sas"] - totals["ssd"]
    findings.figures(numbers, [("saved by the SSDs", "USD", "savings_usd", saved)], kind="computed")


def _metered_w(metered: dict[str, dict[str, float]], kind: str, numbers: dict[str, float]) -> float:
    """Of one of eight drives: the enclosure's meter less the empty enclosure, over a day of idle and busy hours."""
    idle, full = ((metered[f"{kind}8"][state] - metered["none"]["idle"]) / 8 for state in ("idle", "full"))
    busy = numbers["hours_full_per_day"] / (numbers["hours_full_per_day"] + numbers["hours_idle_per_day"])
    return watts(idle_w=idle, active_w=full, utilization=busy)


EXPERIMENT = Experiment(
    name="power-sums",
    title="AnandTech: power and energy of X25-E and 15K disks",
    documents=("x25e-oltp",),
    conditions=("watts at the enclosure less those of the empty enclosure, against data sheets",),
    read=read,
)
