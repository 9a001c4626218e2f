"""AnandTech: what drives draw, metered at the enclosure, against their data sheets; and the energy bill.

The meter reads whole watts of an enclosure that draws 251 W empty, so a few watts of idle SSDs are within its steps and
the losses of its power supply.
"""

from drivecast.assess import Purchase, Site, Upkeep, cost_over_years, energy_kwh
from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Outcomes, published
from drivecast.reproduce.result import Findings

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
    bill(findings, paper["tco"])


def bill(findings: Findings, tco: dict[str, float | dict[str, float]]) -> None:
    """Three years of energy, and what the SSDs save."""
    numbers = {name: float(value) for name, value in tco.items() if not isinstance(value, dict)}
    site = Site.with_cooling_share(numbers["usd_per_kwh"], numbers["cooling_share"])
    hours_per_year = numbers["days_per_year"] * HOURS_PER_DAY
    totals = {}
    for kind in ("ssd", "sas"):
        row = tco[kind]
        if not isinstance(row, dict):
            raise AssertionError(f"`{kind}` is a table")
        watts = row["watts"] * row["drives"]
        cost = cost_over_years(
            Purchase(int(row["drives"]), row["usd_each"]),
            Upkeep(numbers["years"], watts, 0, numbers["years"], hours_per_year=hours_per_year),
            site,
        )
        totals[kind] = cost.total_usd
        for quantity, unit, printed, ours in (
            ("energy", "kWh", row["total_kwh"], energy_kwh(watts, numbers["years"] * hours_per_year, site)),
            ("energy", "USD", row["power_usd"], cost.energy_usd),
        ):
            findings.figure(
                f"{quantity} of {row['drives']} {kind.upper()} drives in {numbers['years']:g} years",
                unit,
                published=printed,
                ours=ours,
                kind="computed",
            )
    findings.figure(
        "saved by the SSDs",
        "USD",
        published=numbers["savings_usd"],
        ours=totals["sas"] - totals["ssd"],
        kind="computed",
    )


EXPERIMENT = Experiment(
    name="power-sums",
    title="AnandTech: power and energy of X25-E and 15K disks",
    documents=("x25e-oltp",),
    conditions=("watts at the enclosure less those of the empty enclosure, against data sheets",),
    read=read,
)
