"""Intel IT: the paper's own arithmetic of endurance, unreadable sectors and power, from its own inputs.

Its 1 PB is 1,024 TB and its 54 TB a year are 151 GB a day with 1,024 GB to the TB: with decimal prefixes the life
is 6.0 years. Its RAID 5 life counts each write once, as full stripes would; small random writes cost two.
"""

from drivecast.assess import member_bytes_per_day, unreadable_probability, years_until
from drivecast.catalog import Catalog
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, published

TB_PER_PB = 1024
DAYS_PER_YEAR = 365
DRIVES = 8
WHY_PARITY = (
    "published as full stripes, though the load is small and random: parity is then written as often as data"
)


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:  # noqa: ARG001 (one signature for all)
    """Life of drive and arrays, unreadable sectors, watts saved."""
    paper = published()["intel-it"]
    wear, uber, power = paper["endurance"], paper["uber"], paper["power"]
    capacity_tb = wear["total_write_capacity_pb"] * TB_PER_PB / wear["write_amplification"]
    per_day_tb = wear["written_tb_per_year"] / DAYS_PER_YEAR

    def years(writes_per_host_write: float, members: int) -> float:
        share = member_bytes_per_day(
            per_day_tb, member_writes_per_host_write=writes_per_host_write, members=members
        )
        return years_until(capacity_tb, bytes_per_day=share)

    drive_bytes = uber["read_bits_per_year"] / 8 / uber["drives"]
    whole, duty = (
        100 * unreadable_probability(read_bytes, uber["uber"])
        for read_bytes in (drive_bytes, drive_bytes * uber["duty_cycle_hours"] / 24)
    )
    written = wear["written_gb_per_day"] * DAYS_PER_YEAR / 1024
    lives = [
        ("written a year", "TB", "written_tb_per_year", written),
        ("life of one drive", "years", "drive_life_years", years(1, 1)),
        ("life in RAID 10 of eight", "years", "raid10_life_years", years(2, DRIVES)),
        ("life in RAID 5 of eight, small writes", "years", "raid5_life_years", years(2, DRIVES)),
    ]
    findings.figures(wear, lives, why=WHY_PARITY, kind="computed")
    sectors = [
        ("unreadable sectors, of 1,000 drives a year", "%", "failures_per_year_percent", whole),
        ("the same, reading 8 hours a day", "%", "failures_per_year_percent_duty", duty),
    ]
    findings.figures(uber, sectors, kind="computed")
    savings = [
        (f"power saved, {state}", "%", state, 100 * (1 - power["ssd_w"][state] / power["hdd_w"][state]))
        for state in power["saving_percent"]
    ]
    findings.figures(power["saving_percent"], savings, kind="computed")


EXPERIMENT = Experiment(
    name="intel-it-sums",
    title="Intel IT: endurance, unreadable sectors and power",
    documents=("intel-it",),
    conditions=("1 PB is 1,024 TB, as the paper's own figures need",),
    read=read,
)
