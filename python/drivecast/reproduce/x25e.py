"""AnandTech: the Intel X25-E against 15K and SATA disks, in RAID 0 and 5 behind controllers with an Intel IOP348.

A file of 20 GB, stripes of 64 KiB, two requests outstanding a drive; 64 KiB in sequence or 8 KiB at random, read or
mixed with 66 % reads. What is reported is where the controller limits the drives.

Then what the drives draw, metered at the enclosure, against their data sheets; and the energy bill. The meter reads
whole watts of an enclosure that draws 251 W empty, so a few watts of idle SSDs are within its steps and the losses of
its power supply.
"""

from typing import Any

from drivecast.assess.power import Site, energy_kwh, watts
from drivecast.assess.tco import Purchase, Upkeep, cost_over_years
from drivecast.document.outcome import Outcome
from drivecast.reproduce.experiment import Experiment, Findings, Timed, mb_s, published

FILE_GB = 20
DRIVE_GB = {"intel-x25-e-32gb": 32, "seagate-cheetah-15k5-300gb": 300, "wd-1000fyps": 1000}
SSD, SAS, SATA = DRIVE_GB
DEPTH_PER_DRIVE = 2
ARECA, ADAPTEC, SOFTWARE = "areca", "adaptec", "software"
CONTROLLER = {ARECA: "iop348", ADAPTEC: "adaptec-5805", SOFTWARE: "two-adaptec-5805-software"}
"""Names in the catalog."""
DISK_RUN_S = 120.0
WRITTEN_THROUGH = "[write_cache=off]"

WHY_DEPTH = (
    "with two outstanding a request waits for its flash channel, which a drive that reads ahead does not; "
    "a deeper queue gives the sheet's rate"
)
WHY_CONTROLLER = (
    "one controller with eight drives gave 1,100 MB/s in another review and 700 to 750 here, at 64 KiB and two "
    "requests a drive: work that grows with the bytes, which no source describes"
)
WHY_MIXED = (
    "the drives, at their sheet's sequential rates, are nearly the limit here, and neither depth nor a free controller "
    "changes much; the published mixes stop at two fifths of it, in hardware and in software alike"
)
WHY_RANDOM = (
    "the processors are the limit; their time for a command is from another review and uncertain by its host"
)

WHY_PARITY = {"seq_read": WHY_CONTROLLER, "seq_mixed": WHY_MIXED, "random_mixed": WHY_RANDOM}

LOADS = {
    "seq_read": "sequential(64KiB, read=1",
    "seq_mixed": "sequential(64KiB, read=0.66",
    "random_mixed": "random(8KiB, read=0.66",
    "random_write": "random(8KiB, read=0",
}


def task(level: str, drive: str, count: int, load: str, controller: str = ARECA) -> Timed:
    """One array under one load."""
    member = f"{drive}{WRITTEN_THROUGH}" if drive == SATA else drive
    array = f"{level}({count} * {member}, chunk=64KiB, controller={CONTROLLER[controller]})"
    return loaded(drive if count == 1 else array, level, drive, count, load)


def loaded(design: str, level: str, drive: str, count: int, load: str) -> Timed:
    """The load on the file, which lies at the beginning of `design`."""
    data_drives = count - 1 if level == "raid5" else count
    share = min(1.0, FILE_GB / (data_drives * DRIVE_GB[drive]))
    line = f"{LOADS[load]}, iodepth={DEPTH_PER_DRIVE * count}, span={share:.5f})"
    return Timed(design, line, None if drive == SSD else DISK_RUN_S, share)


def tasks() -> dict[str, Timed]:
    """Runs by name."""
    half = f"raid0(4 * {SSD}, chunk=64KiB, controller={CONTROLLER[ADAPTEC]})"
    found = {
        f"{kind}{count}.{load}": task("raid0", drive, count, load)
        for kind, drive, count, load in (
            ("ssd", SSD, 1, "seq_read"),
            ("sas", SAS, 2, "seq_read"),
            ("sata", SATA, 4, "seq_read"),
            ("ssd", SSD, 1, "random_mixed"),
            ("sas", SAS, 8, "random_mixed"),
            ("sas", SAS, 4, "random_mixed"),
            ("sata", SATA, 16, "random_mixed"),
        )
    }
    found["two"] = loaded(f"raid0(2 * {half}, chunk=256KiB)", "raid0", SSD, 8, "seq_read")
    for count in (4, 8):
        for controller in (ARECA, ADAPTEC):
            found[f"{controller}.raid0.{count}"] = task("raid0", SSD, count, "seq_read", controller)
        found[f"raid5.{count}.random_write"] = task("raid5", SSD, count, "random_write")
    found["raid5.4.seq_read"] = task("raid5", SSD, 4, "seq_read")
    for load in WHY_PARITY:
        found[f"raid5.8.{load}"] = task("raid5", SSD, 8, load)
        found[f"raid5.software.{load}"] = task("raid5", SSD, 8, load, SOFTWARE)
    return found


def read(findings: Findings[Outcome]) -> None:
    """Single drives and small sets, scaling, and RAID 5."""
    paper = published()["x25e-oltp"]["results"]
    rates = {name: mb_s(outcome) for name, outcome in findings.outcomes.items()}
    single = rates["ssd1.seq_read"]
    sas, sata = rates["sas2.seq_read"] / single, rates["sata4.seq_read"] / single
    rows = [
        ("one X25-E, sequential reads", "MB/s", "seq_read_mb_s", single),
        ("sequential reads of 2 SAS disks over one X25-E", "x", "seq_read_2_sas_over_1_ssd", sas),
        ("sequential reads of 4 SATA disks over one X25-E", "x", "seq_read_4_sata_over_1_ssd", sata),
    ]
    findings.figures(paper, rows, WHY_DEPTH)
    mixed = {name: rates[f"{name}.random_mixed"] for name in ("ssd1", "sas8", "sata16", "sas4")}
    statement = "one X25-E beats eight SAS disks, random 66 % reads"
    findings.compared(statement, mixed["ssd1"], ">", mixed["sas8"], "MB/s", 1)
    statement = "sixteen SATA disks are slower than four SAS disks, random 66 % reads"
    findings.compared(statement, mixed["sata16"], "<", mixed["sas4"], "MB/s", 1)
    scaling(findings, paper, rates)
    parity(findings, paper, rates)


def scaling(findings: Findings[Outcome], paper: dict[str, float], rates: dict[str, float]) -> None:
    """From four to eight SSDs, on one controller and on two."""
    gain = {name: rates[f"{name}.raid0.8"] / rates[f"{name}.raid0.4"] for name in (ARECA, ADAPTEC)}
    title = "RAID 0 from four to eight SSDs, sequential reads"
    rows = [(f"{name.title()}, {title}", "x", f"{name}_raid0_4_to_8", ours) for name, ours in gain.items()]
    findings.figures(paper, rows, WHY_CONTROLLER)
    statement = "RAID 0 scales better on the Areca than on the Adaptec"
    findings.compared(statement, gain[ARECA], ">", gain[ADAPTEC])
    gained = rates["raid5.8.seq_read"] / rates["raid5.4.seq_read"]
    both, one_controller = "raid0_8_two_controllers_seq_read_mb_s", rates[f"{ADAPTEC}.raid0.8"]
    over = "two_controllers_4_ssd_over_one_controller_8_ssd"
    rows = [
        ("Areca, RAID 5 from four to eight SSDs, sequential reads", "x", "areca_raid5_4_to_8", gained),
        ("two controllers with four SSDs each, sequential reads", "MB/s", both, rates["two"]),
        ("the same over one controller with eight", "x", over, rates["two"] / one_controller),
    ]
    findings.figures(paper, rows, WHY_CONTROLLER)


def parity(findings: Findings[Outcome], paper: dict[str, Any], rates: dict[str, float]) -> None:
    """RAID 5 of eight SSDs in hardware and in software, and the writes that get worse."""
    for key, where in (("hardware", "8"), ("software", "software")):
        for load, why in WHY_PARITY.items():
            title = f"RAID 5 of eight in {key}, {load.replace('_', ' ')}"
            row = (title, "MB/s", load, rates[f"raid5.{where}.{load}"])
            findings.figures(paper[f"raid5_{key}_mb_s"], [row], why=why)
    for load in WHY_PARITY:
        statement = f"RAID 5 in software on two controllers beats hardware on one, {load.replace('_', ' ')}"
        software, hardware = rates[f"raid5.software.{load}"], rates[f"raid5.8.{load}"]
        findings.compared(statement, software, ">", hardware, "MB/s", 0)
    few, many = rates["raid5.4.random_write"], rates["raid5.8.random_write"]
    ours = f"{many:.1f} MB/s with eight against {few:.1f} with four"
    findings.ordering("random writes to RAID 5 get worse with more drives", many < few, ours)


ARRAYS = Experiment(
    name="x25e",
    title="AnandTech: the Intel X25-E in RAID 0 and 5, and what the controller allows",
    documents=("x25e-oltp",),
    conditions=(
        "the arrays of disks are RAID 0, on the Areca as is all that does not say otherwise",
        "two controllers are two Adaptec: 1,200 MB/s over 1.6 is 750 for one with eight, a quarter more than "
        "600 for four, which is how the Adaptec scales and not the Areca",
        "controllers write through, and so do the disks behind them",
        "sequential runs read one stream",
    ),
    read=read,
    tasks=tasks(),
)

METERED = {"ssd8": (SSD, 8), "ssd4": (SSD, 4), "sas8": (SAS, 8), "sas4": (SAS, 4)}
WHY_METERED = "metered before the enclosure's power supply, in whole watts; the sheet is of the drive alone"
HOURS_PER_DAY = 24


def read_power(findings: Findings[None]) -> None:
    """Watts of the drives in the enclosure, kilowatt-hours and dollars."""
    paper = published()["x25e-oltp"]
    empty_w = paper["power"]["none"]["idle"]
    for key, (name, count) in METERED.items():
        power = findings.catalog.get(name).sheet.power
        for state, figure in (("idle", power.idle_w), ("full", power.active_w)):
            drawn_w = paper["power"][key][state] - empty_w
            title = f"{count} × {name}, {state}"
            findings.figure(title, "W", drawn_w, count * figure.value, why=WHY_METERED)
    bill(findings, paper["tco"], paper["power"])


def bill(findings: Findings[None], tco: dict[str, Any], metered: dict[str, dict[str, float]]) -> None:
    """Three years of energy, from the enclosure's meter on, and what the SSDs save."""
    years, usd_per_kwh = float(tco["years"]), tco["usd_per_kwh"]
    site = Site.with_cooling_share(usd_per_kwh, tco["cooling_share"])
    hours = years * tco["days_per_year"] * HOURS_PER_DAY
    # Of one of eight drives: the enclosure's meter less the empty enclosure, over a day of idle and busy hours.
    busy = tco["hours_full_per_day"] / (tco["hours_full_per_day"] + tco["hours_idle_per_day"])
    totals = {}
    for kind in ("ssd", "sas"):
        row, name = tco[kind], kind.upper()
        count, drawn_w = row["drives"], row["watts"] * row["drives"]
        upkeep = Upkeep(years, drawn_w, 0, years, hours_per_year=hours / years)
        cost = cost_over_years(Purchase(count, row["usd_each"]), upkeep, site)
        totals[kind] = cost.total_usd
        at_site, alone = energy_kwh(drawn_w, hours, site), energy_kwh(drawn_w, hours)
        idle, full = ((metered[f"{kind}8"][key] - metered["none"]["idle"]) / 8 for key in ("idle", "full"))
        mean_w = watts(idle_w=idle, active_w=full, utilization=busy)
        over = f"{count} {name} drives in {years:g} years"
        rows = [
            (f"mean power of one {name} drive, by the meter", "W", "watts", mean_w),
            (f"energy of one {name} drive in {years:g} years", "kWh", "kwh_each", alone / count),
            (f"energy of {over}, without cooling", "kWh", "kwh", alone),
            (f"energy to cool {over}", "kWh", "cooling_kwh", at_site - alone),
            (f"energy of {over}", "kWh", "total_kwh", at_site),
            (f"energy of {over}", "USD", "power_usd", cost.energy_usd),
        ]
        findings.figures(row, rows)
    findings.figure("saved by the SSDs", "USD", tco["savings_usd"], totals["sas"] - totals["ssd"])


POWER = Experiment(
    name="power-sums",
    title="AnandTech: power and energy of X25-E and 15K disks",
    documents=("x25e-oltp",),
    conditions=("watts at the enclosure less those of the empty enclosure, against data sheets",),
    read=read_power,
    kind="computed",
)
