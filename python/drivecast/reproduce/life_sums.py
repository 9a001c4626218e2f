"""AnandTech: how long two production databases' drives would last, from what they were written in nine days."""

from drivecast.assess import FlashRating, Interval, life
from drivecast.assess.endurance import DAYS_PER_YEAR
from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, published

DATABASES = {"mssql_main": "main database", "mysql_forums": "forums"}
YEARS = 5
"""Term of the warranty; it does not enter the life of the flash."""


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Cycles used, and years."""
    paper = published()["ssd-ent"]["life"]
    capacity = paper["capacity_gb"] * 10**9
    rating = FlashRating(capacity, capacity, Interval.exactly(paper["pe_cycles"]), None, YEARS)
    for key, title in DATABASES.items():
        found = life(
            rating,
            host_bytes_per_day=paper[key]["written_gb"] * 1e9 / paper["days"],
            write_amplification=Interval.exactly(paper["write_amplification_assumed"]),
        )
        rows = [
            (
                "cycles used in nine days",
                "cycles",
                "cycles_used",
                found.pe_cycles_per_day.value * paper["days"],
            ),
            ("cycles a day", "cycles", "cycles_per_day", found.pe_cycles_per_day.value),
            ("life", "days", "life_days", found.life_years_media.value * DAYS_PER_YEAR),
            ("life", "years", "life_years", found.life_years_media.value),
        ]
        titled = [(f"{title}: {quantity}", unit, name, ours) for quantity, unit, name, ours in rows]
        findings.figures(paper[key], titled, kind="computed")
    worst = paper["pe_cycles"] / paper["worst_case_write_amplification_320"]
    theory = paper["block_kib"] / paper["page_kib"]
    rows = [
        (
            "worst case of the sheet: cycles' worth of host writes",
            "cycles",
            "worst_case_cycles_of_host_writes",
            worst,
        ),
        ("worst case in theory: an erase block for each page", "x", "worst_case_theoretical", theory),
    ]
    findings.figures(paper, rows, kind="computed")


EXPERIMENT = Experiment(
    name="life-sums",
    title="AnandTech: life of an Intel 320 under two production databases",
    documents=("ssd-ent",),
    conditions=("the document's own write amplification of 10 and 5,000 cycles of 120 GB",),
    read=read,
)
