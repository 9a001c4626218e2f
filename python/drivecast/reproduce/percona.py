"""Percona's blog: random 16 KiB reads and writes of PCIe cards and SATA drives, by sysbench fileio.

- Tables of cards: asynchronous runs keep a deep queue and show the most a card delivers; synchronous ones keep one
  request a thread, and the thread count is swept until throughput stops growing. The peak is read as the fewest threads
  that come within 5 % of the best.
- The FlashMAX II from a newly laid out file to the steady state: the card is filled in order, then written at random.
  Writes run at full speed until the spare flash is used up, fall, and are stable when cleaning is. A card too large for
  memory is scaled: its clock then runs faster by the same factor.
- An Intel 320 over the size of the file, that is over the space it has left: writes for an hour to files of 10 to
  140 GiB on a freshly formatted drive of 160 GB; the figures are those after 2,500 s, when all runs are stable.
  Formatting does not trim old files on the drive: a second round of the same tests was slower (the blog, 2011-09), and
  only an erasure of the whole drive brought the first back. So ours could also be that of a drive full of data that the
  file system has forgotten.
"""

from itertools import pairwise

from drivecast.catalog.sheet import SsdSheet
from drivecast.document.outcome import Outcome
from drivecast.reproduce.experiment import MIB, Experiment, Findings, Timed, latency_ms, mib_s, published

GIB = 1 << 30
FILE_GIB = 100
DEPTH = 8 * 128
"""Threads of the posts' command line, each with sysbench's usual number of asynchronous requests."""
THREADS = (1, 2, 4, 8, 16, 32, 64, 128)
PEAK_SHARE = 0.95

FLASHMAX = "virident-flashmax-ii-2.2tb"
CARDS = {
    "flashmax-1400m": ("virident-flashmax-1400m-1.4tb", 1, 1400),
    "flashmax-2": (FLASHMAX, 1, 2200),
    "intel-910": ("intel-910-200gb", 1, 200),
    "intel-910-raid0": ("intel-910-200gb", 2, 200),
    "intel-520": ("intel-520-240gb", 1, 240),
    "iodrive2-single": ("fusionio-iodrive2-1.2tb", 1, 1200),
    "iodrive2-duo": ("fusionio-iodrive2-duo-2.4tb", 1, 2400),
    "micron-p320h": ("micron-p320h-700gb", 1, 700),
}
"""Drive of the catalog, how many of it are striped, and GB of each."""
FILLED = {"flashmax-2"}
"""Cards whose published warm-up shows that the file filled them."""
SWEPT = ("intel-910", "intel-910-raid0", "micron-p320h")

WHY_READ = "a module is taken from its sheet; what the card's bridge and its driver add is not published"
WHY_WRITE = "the size of the test file is not published; it decides how much the card copies"


def load(read: int, depth: int, share: float) -> str:
    """The workload line on a share of the drive."""
    return f"random(16KiB, read={read}, iodepth={depth}, span={share:.4f})"


def on_card(card: str, op: str, depth: int) -> Timed:
    """Reads or writes of one file that lies on the card, striped if it is two drives."""
    drive, count, drive_gb = CARDS[card]
    share = 1.0 if card in FILLED else min(1.0, FILE_GIB * GIB / (count * drive_gb * 1e9))
    design = drive if count == 1 else f"raid0({count} * {drive}, chunk=64KiB)"
    return Timed(design, load(int(op == "read"), depth, share), fill=share)


def peak_threads(findings: Findings[Outcome], card: str) -> int:
    """The fewest reading threads that come near the most throughput."""
    rates = {threads: mib_s(findings.outcomes[f"{card}.read.{threads}"]) for threads in THREADS}
    return min(threads for threads, rate in rates.items() if rate >= PEAK_SHARE * max(rates.values()))


def rests_on_the_table(findings: Findings[Outcome], card: str, op: str) -> bool:
    """Whether the rate in the card's own file was measured by this very test."""
    sheet = findings.catalog.get(CARDS[card][0]).sheet
    if not isinstance(sheet, SsdSheet):
        raise AssertionError(f"`{card}` is flash")
    speed = sheet.performance
    rate = speed.sequential_read_mb_s if op == "read" else speed.sequential_write_mb_s
    return rate.measured == "percona"


def read_cards(findings: Findings[Outcome]) -> None:
    """Throughput at depth, the sweeps, and who is faster, in the order of the published tables."""
    tables, outcomes = published()["percona"]["fileio"], findings.outcomes
    for card in CARDS:
        for op, why in (("read", WHY_READ), ("write", WHY_WRITE)):
            theirs, ours = tables[card][f"{op}_mib_s"], mib_s(outcomes[f"{card}.{op}"])
            findings.figure(
                f"{card}: random {op}s, deep queue",
                "MiB/s",
                theirs,
                ours,
                why=why,
                kind="given" if rests_on_the_table(findings, card, op) else "simulated",
            )
    for card in ("intel-910", "intel-910-raid0"):
        threads = tables[card]["sync_read_peak_threads"]
        p95_ms = latency_ms(outcomes[f"{card}.read.{threads}"], "read", "q0.95")
        rows = [
            (
                f"{card}: synchronous reads peak at",
                "threads",
                "sync_read_peak_threads",
                peak_threads(findings, card),
            ),
            (f"{card}: p95 of {threads} reading threads", "ms", "sync_read_p95_ms", p95_ms),
        ]
        findings.figures(tables[card], rows, WHY_READ)
    read_p320h(findings)
    for op in ("read", "write"):
        order = sorted(CARDS, key=lambda card: -tables[card][f"{op}_mib_s"])
        rates = {card: mib_s(outcomes[f"{card}.{op}"]) for card in order}
        for faster, slower in pairwise(order):
            statement = f"{op}s: {faster} is faster than {slower}"
            findings.compared(statement, rates[faster], ">", rates[slower], "MiB/s", 0)


def read_p320h(findings: Findings[Outcome]) -> None:
    """The P320h's sweep of reading threads; of writing threads, the file system decides."""
    post = published()["percona-p320h"]
    p95_ms = latency_ms(findings.outcomes["micron-p320h.read.64"], "read", "q0.95")
    row = ("micron-p320h: p95 of 64 reading threads", "ms", "sync_read_64_threads_p95_ms", p95_ms)
    why = "the threads' own time in host and file system is part of what was measured"
    findings.figures(post, [row], why)
    low, high = post["sync_read_peak_threads_range"]
    peak = peak_threads(findings, "micron-p320h")
    statement = f"P320h: synchronous reads reach the most at {low} to {high} threads"
    findings.ordering(statement, low <= peak <= high, f"{peak} threads")


FILEIO = Experiment(
    name="fileio",
    title="Percona: file I/O of PCIe cards and an Intel 520",
    documents=("percona", "percona-p320h"),
    conditions=(
        f"test file of {FILE_GIB} GiB on an otherwise empty card: no post gives its size",
        "but one that fills the FlashMAX II, whose writes took three quarters of an hour to fall and settle",
        f"deep queue: {DEPTH} outstanding, eight threads of 128 as on the command line of a post of 2012-04",
    ),
    read=read_cards,
    tasks={f"{card}.{op}": on_card(card, op, DEPTH) for card in CARDS for op in ("read", "write")}
    | {f"{card}.read.{threads}": on_card(card, "read", threads) for card in SWEPT for threads in THREADS},
)

PERFORMANCE_MODE = f"{FLASHMAX}[partition=0.8636]"
"""The card can be formatted to 1,900 GB instead of 2,200."""
RUN_S = 36.0
"""Of the scaled clock: an hour and a half of the card."""
FALLEN, STABLE = 0.95, 0.05
"""Below this share of the first rate writes have begun to fall; within this share of the last they are stable."""


def write_rates(outcome: Outcome) -> list[float]:
    """Bytes written in each whole second of the scaled clock."""
    return [float(row["written_bytes"]) for row in outcome.seconds][:-1]


def fall_s(found: list[float]) -> float:
    """When the rate first falls; within a second, by how much of it ran at the old rate."""
    at = next(second for second, rate in enumerate(found) if rate < FALLEN * found[0])
    after = found[at + 1]
    return at + min(1.0, max(0.0, (found[at] - after) / (found[0] - after)))


def stable_s(found: list[float]) -> float:
    """When the rate is last away from where it ends."""
    last = sum(found[-5:]) / 5
    away = [second for second, rate in enumerate(found) if abs(rate / last - 1) > STABLE]
    return float(away[-1] + 1)


def read_warmup(findings: Findings[Outcome]) -> None:
    """Two times, in minutes of the card, and the shape."""
    paper = published()["percona"]["fileio"]["flashmax-2"]
    why = "how fast the card writes, how much flash it has and where it was filled to are not published"
    for title, key, when_s in (
        ("run at full speed for", "write_warmup_min", fall_s),
        ("are stable after", "write_stable_min", stable_s),
    ):
        runs = (findings.outcomes[mode] for mode in ("laid-out", "performance-mode"))
        minutes = [when_s(write_rates(run)) / (run.scale or 1.0) / 60 for run in runs]
        findings.figure(f"FlashMAX II: writes {title}", "min", paper[key], *minutes, why=why)
    found = write_rates(findings.outcomes["laid-out"])
    first, last = found[0] / MIB, found[-1] / MIB
    steady = mib_s(findings.outcomes["steady"])
    falls = any(later < FALLEN * earlier for earlier, later in pairwise(found))
    stays = found[-1] < FALLEN * found[0] and stable_s(found) < len(found) - 5
    findings.ordering(
        "writes are fast, fall, and stay", falls and stays, f"{first:,.0f} to {last:,.0f} MiB/s"
    )
    findings.ordering(
        "the rate a card ends with is the steady state's",
        abs(last / steady - 1) < STABLE,
        f"{last:,.0f} against {steady:,.0f} MiB/s",
    )


WARMUP_LOAD = "random(16KiB, read=0, iodepth=256)"
WARMUP = Experiment(
    name="warmup",
    title="Percona: the FlashMAX II on its way to the steady state",
    documents=("percona",),
    conditions=(
        "the test file fills the card, and is new",
        "the card has its full capacity, not its performance mode",
    ),
    read=read_warmup,
    tasks={
        "laid-out": Timed(FLASHMAX, WARMUP_LOAD, duration_s=RUN_S, state="laid-out"),
        "performance-mode": Timed(PERFORMANCE_MODE, WARMUP_LOAD, duration_s=RUN_S, state="laid-out"),
        "steady": Timed(FLASHMAX, WARMUP_LOAD),
    },
)

INTEL_320, INTEL_320_GB = "intel-320-160gb", 160
SIZES_GIB = (10, 70, 120, 140)
WRITERS = 16


def on_320(size_gib: int, *, forgotten: bool = False) -> Timed:
    """Writes to a file of this size, alone or next to old files that the drive still holds."""
    share = size_gib * GIB / (INTEL_320_GB * 1e9)
    return Timed(INTEL_320, load(0, WRITERS, share), fill=1.0 if forgotten else share)


def read_spare(findings: Findings[Outcome]) -> None:
    """Throughput by size of the file."""
    theirs = published()["percona-320"]["write_mib_s"]
    why = (
        "how much the drive still held of files of earlier runs is not published, nor how its firmware cleans"
    )
    rates = {name: mib_s(outcome) for name, outcome in findings.outcomes.items()}
    for size in SIZES_GIB:
        ours, forgotten = rates[f"gib{size}"], rates[f"gib{size}-forgotten"]
        findings.figure(
            f"random writes to {size} GiB", "MiB/s", theirs[f"gib{size}"], ours, forgotten, why=why
        )
    for smaller, larger in pairwise(SIZES_GIB):
        statement = f"a file of {larger} GiB is written slower than one of {smaller} GiB"
        findings.compared(statement, rates[f"gib{larger}"], "<", rates[f"gib{smaller}"], "MiB/s", 0)


SPARE = Experiment(
    name="spare-320",
    title="Percona: an Intel 320 written over more and more of its space",
    documents=("percona-320",),
    conditions=(
        f"{WRITERS} writing threads: the post does not say",
        "nothing else on the drive; the other end of what ours could be: full of files long deleted",
    ),
    read=read_spare,
    tasks={f"gib{size}": on_320(size) for size in SIZES_GIB}
    | {f"gib{size}-forgotten": on_320(size, forgotten=True) for size in SIZES_GIB},
)
