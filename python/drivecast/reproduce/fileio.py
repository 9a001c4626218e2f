"""Percona's file I/O tables: sysbench fileio, random 16 KiB, reads or writes.

Asynchronous runs keep a deep queue and show the most a card delivers; synchronous ones keep one request a thread, and
the thread count is swept until throughput stops growing. The peak is read as the fewest threads that come within 5 % of
the best.
"""

from itertools import pairwise

from drivecast.catalog import Catalog
from drivecast.catalog.sheet import SsdSheet
from drivecast.reproduce.experiment import Experiment, Findings, Outcomes, Timed, latency_ms, mib_s, published

GIB = 1 << 30
FILE_GIB = 100
DEPTH = 8 * 128
"""Threads of the posts' command line, each with sysbench's usual number of asynchronous requests."""
THREADS = (1, 2, 4, 8, 16, 32, 64, 128)
PEAK_SHARE = 0.95

CARDS = {
    "flashmax-1400m": ("virident-flashmax-1400m-1.4tb", 1),
    "flashmax-2": ("virident-flashmax-ii-2.2tb", 1),
    "intel-910": ("intel-910-200gb", 1),
    "intel-910-raid0": ("intel-910-200gb", 2),
    "intel-520": ("intel-520-240gb", 1),
    "iodrive2-duo": ("fusionio-iodrive2-duo-2.4tb", 1),
    "micron-p320h": ("micron-p320h-700gb", 1),
}
"""Drive of the catalog, and how many of it are striped."""

CAPACITY_GB = {
    "virident-flashmax-1400m-1.4tb": 1400,
    "virident-flashmax-ii-2.2tb": 2200,
    "intel-910-200gb": 200,
    "intel-520-240gb": 240,
    "fusionio-iodrive2-duo-2.4tb": 2400,
    "micron-p320h-700gb": 700,
}
FILLED = {"flashmax-2"}
"""Cards whose published warm-up shows that the file filled them."""

SWEPT = ("intel-910", "intel-910-raid0", "micron-p320h")

WHY_READ = "a module is taken from its sheet; what the card's bridge and its driver add is not published"
WHY_WRITE = "the size of the test file is not published; it decides how much the card copies"


def design(card: str) -> str:
    """The card, striped if it is two drives."""
    drive, count = CARDS[card]
    return drive if count == 1 else f"raid0({count} * {drive}, chunk=64KiB)"


def run(card: str, op: str, depth: int) -> Timed:
    """Reads or writes of one file that lies on the card."""
    drive, count = CARDS[card]
    share = 1.0 if card in FILLED else min(1.0, FILE_GIB * GIB / (count * CAPACITY_GB[drive] * 1e9))
    load = f"random(16KiB, read={1 if op == 'read' else 0}, iodepth={depth}, span={share:.4f})"
    return Timed(design(card), load, fill=share)


def tasks() -> dict[str, Timed]:
    """Runs by name."""
    deep = {f"{card}.{op}": run(card, op, DEPTH) for card in CARDS for op in ("read", "write")}
    swept = {f"{card}.read.{threads}": run(card, "read", threads) for card in SWEPT for threads in THREADS}
    return deep | swept


def peak_threads(outcomes: Outcomes, card: str) -> int:
    """The fewest reading threads that come near the most throughput."""
    rates = {threads: mib_s(outcomes[f"{card}.read.{threads}"]) for threads in THREADS}
    return min(threads for threads, rate in rates.items() if rate >= PEAK_SHARE * max(rates.values()))


def rests_on_the_table(catalog: Catalog, card: str, op: str) -> bool:
    """Whether the rate in the card's own file was measured by this very test."""
    sheet = catalog.get(CARDS[card][0]).sheet
    if not isinstance(sheet, SsdSheet):
        raise AssertionError(f"`{card}` is flash")
    speed = sheet.performance
    rate = speed.sequential_read_mb_s if op == "read" else speed.sequential_write_mb_s
    return rate.measured == "percona"


def read(findings: Findings, outcomes: Outcomes, catalog: Catalog) -> None:
    """Throughput at depth, then the sweeps."""
    tables = published()["percona"]["fileio"]
    for card in CARDS:
        for op in ("read", "write"):
            findings.figure(
                f"{card}: random {op}s, deep queue",
                "MiB/s",
                published=tables[card][f"{op}_mib_s"],
                ours=mib_s(outcomes[f"{card}.{op}"]),
                why=WHY_READ if op == "read" else WHY_WRITE,
                kind="given" if rests_on_the_table(catalog, card, op) else "simulated",
            )
    for card in ("intel-910", "intel-910-raid0"):
        threads = tables[card]["sync_read_peak_threads"]
        findings.figure(
            f"{card}: synchronous reads peak at",
            "threads",
            published=threads,
            ours=peak_threads(outcomes, card),
            why=WHY_READ,
        )
        findings.figure(
            f"{card}: p95 of {threads} reading threads",
            "ms",
            published=tables[card]["sync_read_p95_ms"],
            ours=latency_ms(outcomes[f"{card}.read.{threads}"], "read", "q0.95"),
            why=WHY_READ,
        )
    p320h(findings, outcomes)
    orderings(findings, outcomes, tables)


def p320h(findings: Findings, outcomes: Outcomes) -> None:
    """The P320h's sweep of reading threads; of writing threads, the file system decides."""
    post = published()["percona-p320h"]
    findings.figure(
        "micron-p320h: p95 of 64 reading threads",
        "ms",
        published=post["sync_read_64_threads_p95_ms"],
        ours=latency_ms(outcomes["micron-p320h.read.64"], "read", "q0.95"),
        why="the threads' own time in host and file system is part of what was measured",
    )
    low, high = post["sync_read_peak_threads_range"]
    peak = peak_threads(outcomes, "micron-p320h")
    findings.ordering(
        f"P320h: synchronous reads reach the most at {low} to {high} threads",
        low <= peak <= high,
        f"{peak} threads",
    )


def orderings(findings: Findings, outcomes: Outcomes, tables: dict[str, dict[str, float]]) -> None:
    """Who is faster, in the order of the published tables."""
    for op in ("read", "write"):
        order = sorted(CARDS, key=lambda card: -tables[card][f"{op}_mib_s"])
        ours = {card: mib_s(outcomes[f"{card}.{op}"]) for card in order}
        for faster, slower in pairwise(order):
            statement = f"{op}s: {faster} is faster than {slower}"
            findings.compared(statement, ours[faster], ">", ours[slower], "MiB/s", 0)


EXPERIMENT = Experiment(
    name="fileio",
    title="Percona: file I/O of PCIe cards and an Intel 520",
    documents=("percona", "percona-p320h"),
    conditions=(
        f"test file of {FILE_GIB} GiB on an otherwise empty card: no post gives its size",
        "but one that fills the FlashMAX II, whose writes took three quarters of an hour to fall and settle",
        f"deep queue: {DEPTH} outstanding, eight threads of 128 as on the command line of a post of 2012-04",
    ),
    read=read,
    tasks=tasks(),
)
