"""Percona: tpcc-mysql with 2,500 warehouses, about 250 GB, over the size of the buffer pool, on four kinds of storage.

Pools of 13 to 75 GB; eight disks in RAID 10, the two modules of an Intel 910 striped, cards of Fusion-io and Virident.
Not published are disks with a pool of 13 GB, and this load on a FlashMAX; both are measured, and in no row.
"""

from collections.abc import Mapping
from itertools import pairwise

from drivecast.reproduce.experiment import published
from drivecast.reproduce.live.study import LiveExperiment, LiveFindings, Setup

SCALE = 250
WAREHOUSES = 10
POOLS = {"bp13": "5.2%", "bp25": "10%", "bp50": "20%", "bp75": "30%"}
DISK_GB, DISK_CACHE_KIB = 500, 16 * 1024
CONTROLLER = "megaraid-9265-8i"
SLOWLY = 0.05
MORE_SLOWLY = 0.02
"""For a card that serves ten times the requests of the others."""
DATA_GB, MODULE_GB, CARD_GB, FLASHMAX_GB = 250, 200, 320, 2200


def disks() -> str:
    """Eight disks of 7,200/min behind a controller, divided as those of the catalog are."""
    size_mb, cache_kib = round(DISK_GB * 1000 / SCALE), round(DISK_CACHE_KIB / SCALE)
    disk = f"hdd(capacity={size_mb}MB, rpm=7200, seek_mean=8.5ms, queue_depth=32, cache={cache_kib}KiB)"
    return f"raid10(8 * {disk}, chunk=64KiB, controller={CONTROLLER})"


SETUPS = {
    "disks": Setup(disks(), None, 1.0),
    "intel-910": Setup("raid0(2 * intel-910-200gb, chunk=64KiB)", None, SLOWLY, DATA_GB / (2 * MODULE_GB)),
    "fusionio": Setup("fusionio-iodrive-320gb", None, SLOWLY, DATA_GB / CARD_GB),
    "flashmax": Setup("virident-flashmax-ii-2.2tb", None, MORE_SLOWLY, DATA_GB / FLASHMAX_GB),
}
TITLES = {"disks": "disks in RAID 10", "intel-910": "Intel 910", "fusionio": "Fusion-io"}

WHY_DISKS = (
    "the disks come near the published rate of new orders, the card exceeds it several times: the published server did "
    "not drive it as ours does. Neither more connections nor as many processors as it had change that (tried one at a "
    "time); how that server wrote pages back is not published"
)
WHY_CARDS = (
    "which card it was is not published, and the one taken serves fewer requests than the Intel 910, above all writes "
    "in its steady state; more connections or fewer processors change little (tried one at a time)"
)
WHY_POOL = (
    "with the larger pools writes are most of the requests, and a pool spares few of them; how large the log was, and "
    "so how often a page is written, is not published"
)


def gb(pool: str) -> str:
    """A published pool in words."""
    return f"pool of {pool.removeprefix('bp')} GB"


def read_sweep(findings: LiveFindings) -> None:
    """The cards over the disks and over each other at each pool, and each over its smallest pool."""
    paper, at = published()["percona"]["tpcc"], findings.point
    for pool, theirs in paper["ratio"].items():
        pair = (at("intel-910", pool), at("disks", pool))
        findings.over(f"Intel 910 over disks, {gb(pool)}", theirs, pair, why=WHY_DISKS)
    fusionio, intel = paper["transactions_1h_fusionio"], paper["transactions_1h_intel_910"]
    for pool, theirs in fusionio.items():
        pair = (at("fusionio", pool), at("intel-910", pool))
        findings.over(f"Fusion-io over Intel 910, {gb(pool)}", theirs / intel[pool], pair, why=WHY_CARDS)
    medians: Mapping[str, Mapping[str, float]] = {
        "disks": paper["hdd_raid10_8x7200"],
        "intel-910": paper["intel_910_duo"],
        "fusionio": fusionio,
    }
    for setup, table in medians.items():
        pair = (at(setup, "bp75"), at(setup, "bp25"))
        quantity = f"{TITLES[setup]}, pool of 75 GB over 25"
        findings.over(quantity, table["bp75"] / table["bp25"], pair, why=WHY_POOL)
        for small, large in pairwise(table):
            findings.faster(
                f"{TITLES[setup]}: a {gb(large)} is faster than one of {gb(small).removeprefix('pool of ')}",
                at(setup, large),
                at(setup, small),
            )
    for pool in paper["ratio"]:
        findings.faster(
            f"Intel 910 is faster than disks, {gb(pool)}", at("intel-910", pool), at("disks", pool)
        )
    for pool in fusionio:
        first, second = at("fusionio", pool), at("intel-910", pool)
        findings.faster(f"Fusion-io is faster than Intel 910, {gb(pool)}", first, second)


EXPERIMENT = LiveExperiment(
    name="tpcc-pools",
    title="Percona: tpcc-mysql of 250 GB over the size of the buffer pool, on disks, Intel 910 and Fusion-io",
    documents=("percona",),
    conditions=(
        f"disks of {DISK_GB} GB, 7,200/min, 8.5 ms; a controller that writes through (MegaRAID 9265-8i)",
        "Fusion-io is the ioDrive of 320 GB, the smallest of the catalog that holds the data",
        "16 connections; a log of 4 GB, the most that the server of the time allowed",
        "ratios of all transactions, of which new orders are the same share everywhere",
    ),
    changes=(
        (
            f"{WAREHOUSES} warehouses for 2,500, pools of the same shares of the data",
            "pages that each district adds rows to take the same share of the pool. 16 connections meet on "
            "10 warehouses: payments wait for each other's row while they read, the longer the slower the storage",
        ),
        (
            f"disks and their caches divided by {SCALE}, flash by {SCALE / 2:g}",
            "seeks cross the published share of the stroke, of which the shortest seek is a larger part: simulated, "
            "the array serves 17 % more requests at 16 outstanding. Flash begins in the steady state of the "
            "published fill, and is overwritten in half of it",
        ),
        (
            f"flash runs at {SLOWLY:g} of real time, the FlashMAX II at {MORE_SLOWLY:g}, disks at its pace",
            "two processors act as forty and a hundred where flash is measured; what the server does once a second "
            "happens a twentieth and a fiftieth as often in time of the design",
        ),
        (
            "no cache that writes back: a controller with a battery is not measured",
            "with 1 GiB it would hold the whole scaled data, and with 4 MiB too few pages to write them in order: "
            "simulated, such an array is slower than one that writes through, and the whole one twice as fast",
        ),
        ("a log of 16 MiB", "a checkpoint as many transactions apart, for the size of the data"),
        (
            "30 s of ramp and 15 s measured, for an hour",
            "disks fill a pool of 30 % in about as long as the ramp: there they come out a little too slow",
        ),
        ("MariaDB 10.11 for Percona Server 5.5", "other rules for when dirty pages are written"),
        (
            "a TPC-C-like load for tpcc-mysql",
            "the same mix; statements differ, and with them the reads of a transaction, on all setups alike",
        ),
    ),
    load={
        "load": "tpcc",
        "warehouses": WAREHOUSES,
        "log_size": "16MiB",
        "threads": "16",
        "ramp": 30,
        "runtime": 15,
    },
    pools=POOLS,
    setups=SETUPS,
    scale=SCALE,
    read=read_sweep,
)
