"""Percona: flash caches before an array of disks, under the page I/O of a database.

Model. Only the pages that pass between buffer pool and storage are played, 16 KiB each, in a closed loop with as many
outstanding as the benchmark has threads: of one benchmark every transaction costs as many of them, so ratios of
transactions are ratios of pages. The run is the published one, from an empty cache, scaled (`scaled.py`).

What no document says is assumed, and where two assumptions are as good, both are run: *ours* is by what the document
or the program's defaults say, the other end of the range by what may be meant:

- Blocks. FlashCache cuts a page into four, each with a record of its own; its devices get them as one request where
  they lie together. Or a block is a page.
- Cleaning. FlashCache begins no cleaning while four blocks are being cleaned: its default. It cannot keep any
  threshold then, when writes come fast. Or as many as the disks take, so that the threshold holds.
- Addresses below the pool: the same for reads and writes; or hot pages written only, since they are in the pool.

Left out: the database's and the modules' own processor time and locks, the log and the doublewrite buffer (on other
disks in the tpcc tests).
"""

from drivecast.document.outcome import Outcome
from drivecast.reproduce.experiment import Experiment, Findings, Task, Timed, published
from drivecast.reproduce.scaled import BehindPool, Line, Scaled

GIB = 1 << 30
HOUR_S = 3600.0
FALLOW_MS = 900_000
"""FlashCache's own `fallow_delay`, and the period of vCache (assumed)."""
UNBOUNDED = ", max_clean_ios_set=64, max_clean_ios_total=256"
MARGIN = 1.05
"""Rates closer than this are a tie, and a tie is no order."""
ENDS = {"": "by default", ".other": "at the other end"}
"""What a task's name ends with, and what it is called."""


def ordered(findings: Findings[Outcome], statement: str, slower: str, faster: str) -> None:
    """Add that one run is slower than another, at each end that both were run at."""
    rate = {name: found.iops for name, found in findings.outcomes.items()}
    for end, called in ENDS.items():
        if end and not {f"{slower}{end}", f"{faster}{end}"} & set(rate):
            continue
        first, second = (rate.get(f"{name}{end}", rate.get(name, 0.0)) for name in (slower, faster))
        findings.ordering(
            f"{statement} ({called})", first * MARGIN < second, f"{first:,.0f} against {second:,.0f} pages/s"
        )


def array(disk_gb: int, rpm: int, seek_ms: float, scale: int) -> str:
    """Eight disks in RAID 10, their capacity scaled: seeks cross the same share of the stroke in the same time."""
    disk = f"hdd(capacity={disk_gb * 1000 // scale}MB, rpm={rpm}, seek_mean={seek_ms}ms, queue_depth=64)"
    return f"raid10(8 * {disk}, controller=megaraid-9265-8i-bbu)"


TPCC_SCALE = 128
TPCC_GB, TPCC_DISK_GB = 100, 146
TPCC_DISKS = array(TPCC_DISK_GB, 15000, 2.9, TPCC_SCALE)
TPCC_LOAD = Line(f"random(16KiB, read=0.5, iodepth=32, span={TPCC_GB / (4 * TPCC_DISK_GB):.4f})")
X25_M, X25_M_GB = "intel-x25-m-g2-160gb", 160
IODRIVE = "fusionio-iodrive-160gb"


def on_tpcc(fast: str, cache_gb: int, options: str) -> Scaled:
    """Two hours of tpcc with a cache."""
    size = f"{cache_gb * 1000 / TPCC_SCALE:.1f}MB"
    return Scaled(
        f"cache(fast={fast}, slow={TPCC_DISKS}, size={size}, {options})", TPCC_LOAD, TPCC_SCALE, 2 * HOUR_S
    )


def dirty(percent: int, more: str = "") -> str:
    """FlashCache's write-back with this threshold."""
    return f"dirty_thresh_pct={percent}, fallow_delay={FALLOW_MS // TPCC_SCALE}ms{more}"


JOINED = f"{UNBOUNDED}, block=16KiB"
TPCC_CACHED = {
    "dirty20": (X25_M, 70, dirty(20)),
    "dirty80": (X25_M, 70, dirty(80)),
    "fusionio-dirty80": (IODRIVE, 80, dirty(80)),
    "fusionio-writethrough": (IODRIVE, 80, "mode=writethrough"),
    "dirty20.other": (X25_M, 70, dirty(20, JOINED)),
    "dirty80.other": (X25_M, 70, dirty(80, JOINED)),
    "fusionio-dirty80.other": (IODRIVE, 80, dirty(80, JOINED)),
    "fusionio-writethrough.other": (IODRIVE, 80, "mode=writethrough, block=16KiB"),
}


def read_tpcc(findings: Findings[Outcome]) -> None:
    """Transactions over those of the array alone, and who is faster."""
    tpmc = published()["percona-flashcache"]["tpmc"]
    rate = {name: found.iops for name, found in findings.outcomes.items()}
    over = {name: each / rate["array"] for name, each in rate.items()}
    cleaner = (
        "with four blocks cleaned at a time no threshold holds under this load, so 20 and 80 % are alike"
    )
    database = "the processors and locks of the database are not modelled: the faster the storage, the more they count"
    for title, name, key, why in (
        ("FlashCache on an X25-M, 20 % dirty", "dirty20", "dirty20", cleaner),
        ("FlashCache on an X25-M, 80 % dirty", "dirty80", "dirty80", database),
    ):
        findings.figure(
            f"{title}, over the array",
            "x",
            tpmc[key] / tpmc["array"],
            over[name],
            over[f"{name}.other"],
            why=why,
        )
    findings.figure(
        "X25-M alone, over the array",
        "x",
        tpmc["ssd"] / tpmc["array"],
        over["ssd"],
        why=database,
    )
    for title, name in (("80 % dirty", "fusionio-dirty80"), ("write-through", "fusionio-writethrough")):
        key = f"{name.replace('-', '_')}_over_array"
        why = "pages are spread evenly: where none is hot, few reads hit before an hour"
        findings.figure(
            f"FlashCache on FusionIO, {title}, over the array",
            "x",
            tpmc[key],
            over[name],
            over[f"{name}.other"],
            why=why,
        )
    for statement, slower, faster in (
        ("20 % dirty is faster than the array", "array", "dirty20"),
        ("80 % dirty is faster than 20 %", "dirty20", "dirty80"),
        ("flash alone is faster than any cache", "dirty80", "ssd"),
        ("FusionIO: write-back is faster than write-through", "fusionio-writethrough", "fusionio-dirty80"),
        ("FusionIO: write-through is faster than the array", "array", "fusionio-writethrough"),
    ):
        ordered(findings, statement, slower, faster)


TPCC_RUNS: dict[str, Task] = {
    "array": Scaled(TPCC_DISKS, TPCC_LOAD, TPCC_SCALE, 2 * HOUR_S),
    "ssd": Timed(
        X25_M,
        f"random(16KiB, read=0.5, iodepth=32, span={TPCC_GB / X25_M_GB})",
        duration_s=20.0,
        fill=TPCC_GB / X25_M_GB,
    ),
    **{name: on_tpcc(*what) for name, what in TPCC_CACHED.items()},
}
TPCC = Experiment(
    name="flashcache-tpcc",
    title="Percona: FlashCache before RAID 10 under tpcc-mysql, 100 GB of data on 70 GB of flash",
    documents=("percona-flashcache",),
    conditions=(
        "half of the pages are read, half written: New-Order and Payment change nearly every page they read",
        "evenly spread pages; 32 outstanding",
        "eight disks of 146 GB, 15,000/min, 2.9 ms; a controller with 256 MiB and a battery",
        "FlashCache's defaults: blocks of 4 KiB, four cleaned at a time; the other end: blocks of a page, "
        "as many cleaned as the disks take",
        "FusionIO: the ioDrive of 160 GB for that of 80 GB",
        f"two hours from an empty cache, sizes and times divided by {TPCC_SCALE}",
    ),
    read=read_tpcc,
    tasks=TPCC_RUNS,
)

DATA, POOL = 78 * GIB, 4 * GIB
CACHE_GIB = 84
OLTP_DISK_GB = 300
READ = 14 / 18
"""Ten point reads and four ranges a transaction, four rows written: sysbench's defaults."""
OLTP_SCALE, OTHER_SCALE = 256, 64
SAME_PAGES = Line(
    f"hotcold(16KiB, hot=0.16, share=0.41, read={READ:.3f}, iodepth=32, placement=contiguous, "
    f"span={(DATA - POOL) / (4e9 * OLTP_DISK_GB):.4f})"
)
"""Pareto below the pool in two steps: what is between 5 and 20 % in rank has 41 % of what misses the pool."""
HOT_WRITTEN = BehindPool(DATA, POOL, tables=32, read=READ, requests=3_400_000)


def on_oltp(policy: str, percent: int, more: str = "", *, other: bool = False) -> Scaled:
    """Two hours of sysbench OLTP with a cache, the second measured."""
    scale = OTHER_SCALE if other else OLTP_SCALE
    disks = array(OLTP_DISK_GB, 10000, 4.0, scale)
    design = (
        f"cache(fast=virident-flashmax-ii-2.2tb, slow={disks}, size={CACHE_GIB * 1024 // scale}MiB, "
        f"policy={policy}, dirty_thresh_pct={percent}{more})"
    )
    return Scaled(design, HOT_WRITTEN if other else SAME_PAGES, scale, 2 * HOUR_S, HOUR_S)


def timed(option: str, *, other: bool = False) -> str:
    """An option of 900 s, scaled."""
    return f", {option}={FALLOW_MS // (OTHER_SCALE if other else OLTP_SCALE)}ms"


def cleaning(*, other: bool) -> str:
    """FlashCache's cleaning by default, or without bound."""
    return timed("fallow_delay", other=other) + (UNBOUNDED if other else "")


OLTP_CACHED = {
    f"{name}{end}": on_oltp(policy, percent, more, other=bool(end))
    for end in ENDS
    for name, policy, percent, more in (
        ("vcache_time_flush", "vcache", 50, timed("flush_period", other=bool(end))),
        ("vcache", "vcache", 50, ""),
        ("vcache.10", "vcache", 10, ""),
        ("flashcache", "flashcache", 50, cleaning(other=bool(end))),
        ("flashcache.10", "flashcache", 10, cleaning(other=bool(end))),
    )
}


def read_vcache(findings: Findings[Outcome]) -> None:
    """Reads over FlashCache's, and who is faster."""
    reads = published()["percona"]["cache"]["reads_per_s"]
    rate = {name: found.iops * READ for name, found in findings.outcomes.items()}
    for title, first, second, why in (
        (
            "vCache over FlashCache",
            "vcache",
            "flashcache",
            "its I/O alone is fast, since it hardly cleans; its processor time and locks are not modelled",
        ),
        (
            "vCache with time-based flushing over without",
            "vcache_time_flush",
            "vcache",
            "how vCache flushes is not published; here it cleans as fast as the disks take in both",
        ),
    ):
        other = rate[f"{first}.other"] / rate[f"{second}.other"]
        findings.figure(title, "x", reads[first] / reads[second], rate[first] / rate[second], other, why=why)
    for title, name in (
        ("vCache with time-based flushing", "vcache_time_flush"),
        ("vCache without", "vcache"),
        ("FlashCache", "flashcache"),
    ):
        findings.figure(
            f"{title}: reads",
            "1/s",
            reads[name],
            rate[name],
            rate[f"{name}.other"],
            why="the disks and the size of the cache are not published; the database takes no time here",
        )
    for statement, slower, faster in (
        ("vCache is faster than FlashCache", "flashcache", "vcache"),
        ("time-based flushing makes vCache faster", "vcache", "vcache_time_flush"),
        ("vCache is faster at 50 % dirty than at 10 %", "vcache.10", "vcache"),
        ("FlashCache is faster at 50 % dirty than at 10 %", "flashcache.10", "flashcache"),
    ):
        ordered(findings, statement, slower, faster)


VCACHE = Experiment(
    name="vcache",
    title="Percona: vCache and FlashCache on a FlashMAX II under sysbench OLTP, 78 GiB of data, 4 GiB pool",
    documents=("percona-vcache",),
    conditions=(
        f"{READ:.0%} of the pages are read, by the statements of a transaction; 32 outstanding",
        f"a cache of {CACHE_GIB} GiB: the post says that the data fit",
        "RAID 10 of eight disks of 300 GB, 10,000/min, 4 ms: the server has eight bays; 256 MiB with a battery",
        "a period of 900 s, which is FlashCache's for unused blocks",
        "FlashCache's defaults; pages below the pool the same for reads and writes; the other end: as many "
        "blocks cleaned as the disks take, and hot pages written only",
        f"two hours from an empty cache, the second measured; sizes and times divided by {OLTP_SCALE}, at the "
        f"other end by {OTHER_SCALE}",
    ),
    read=read_vcache,
    tasks=OLTP_CACHED,
)
