"""Statistics of caches as their programs print them, in our own text: made of figures, so that a test can change them.

FlashCache's two dumps hold the figures of issues 108 and 158 of its repository.
"""

from collections.abc import Mapping

ISSUE_108 = {
    "reads": 3_444_497,
    "writes": 2_466_408,
    "read hits": 1_728_867,
    "write hits": 947_806,
    "dirty write hits": 292_318,
    "replacement": 176_090,
    "write replacement": 506_486,
    "metadata dirties": 2_048_186,
    "metadata cleans": 2_035_862,
    "metadata batch": 3_950_429,
    "metadata ssd writes": 133_619,
    "cleanings": 2_035_862,
    "fallow cleanings": 23_122,
    "no room": 5_205,
    "front merge": 1_600_602,
    "back merge": 375_887,
    "disk reads": 1_715_630,
    "disk writes": 2_161_764,
    "ssd reads": 3_764_727,
    "ssd writes": 3_276_955,
    "uncached reads": 912_797,
    "uncached writes": 125_904,
}
ISSUE_158 = {
    "reads": 113_957_619,
    "writes": 135_507_963,
    "read hits": 71_945_245,
    "write hits": 124_120_192,
    "dirty write hits": 92_045_002,
    "replacement": 13_619_120,
    "write replacement": 4_634_888,
    "metadata dirties": 40_888_843,
    "metadata cleans": 35_496_217,
    "metadata batch": 61_540_669,
    "metadata ssd writes": 14_844_415,
    "cleanings": 35_496_217,
    "fallow cleanings": 3_376_701,
    "no room": 2_098_079,
    "front merge": 24_453_553,
    "back merge": 7_436_788,
    "disk reads": 42_013_856,
    "disk writes": 38_074_656,
    "ssd reads": 107_440_065,
    "ssd writes": 189_585_696,
    "uncached reads": 203_850,
    "uncached writes": 2_581_106,
}


def flashcache(
    counts: Mapping[str, int] = ISSUE_158, name: str = "cachedev: ", length: int = 4_192_204_800
) -> str:
    """What `dmsetup status` prints of FlashCache."""
    lines = (f"\t{key}({value}),\n" for key, value in counts.items())
    end = "\tuncached IO requeue(0)\n\tpid_adds(0), pid_dels(0)\n"
    return f"{name}0 {length} flashcache stats: \n{''.join(lines)}{end}"


def flashcache_table(
    *, dirty: int = 9_000_000, cached: int = 20_000_000, total: int = 20_971_520, name: str = "cachedev: "
) -> str:
    """What `dmsetup table` prints of FlashCache."""
    return (
        f"{name}0 4192204800 flashcache conf:\n"
        "\tssd dev (/dev/sdb), disk dev (/dev/md0) cache mode(WRITE_BACK)\n"
        "\tcapacity(81920M), associativity(512), data block size(4K) metadata block size(4096b)\n"
        "\tdisk assoc(256K)\n\tskip sequential thresh(0K)\n"
        f"\ttotal blocks({total}), cached blocks({cached}), cache percent({100 * cached // total})\n"
        f"\tdirty blocks({dirty}), dirty percent({100 * dirty // total})\n\tnr_queued(0)\n"
        "Size Hist: 4096:249465582 \n"
    )


def flashcache_proc(counts: Mapping[str, int] = ISSUE_158) -> str:
    """What `/proc/flashcache/NAME/flashcache_stats` holds."""
    pairs = [f"{key.replace(' ', '_')}={value}" for key, value in counts.items()]
    return f"{pairs[0]} {pairs[1]} \n{' '.join(pairs[2:])} uncached_IO_requeue=0 pid_adds=0 pid_dels=0\n"


DM_CACHE = {
    "read hits": 16_064_464,
    "read misses": 96_291_237,
    "write hits": 8_382_251,
    "write misses": 58_523_837,
    "demotions": 1_200,
    "promotions": 90_000,
    "dirty": 500_000,
}


def dm_cache(
    counts: Mapping[str, int] = DM_CACHE,
    *,
    used: int = 1_694_509,
    total: int = 1_740_800,
    policy: str = "smq",
    name: str = "vg-data: ",
) -> str:
    """What `dmsetup status` prints of dm-cache."""
    values = " ".join(map(str, counts.values()))
    return (
        f"{name}0 3892379648 cache 8 5204/393216 128 {used}/{total} {values} "
        f"2 metadata2 writeback 2 migration_threshold 2048 {policy} 0 rw - \n"
    )


WRITECACHE = {
    "reads": 1_000_000,
    "read hits": 50_000,
    "writes": 8_000_000,
    "hits uncommitted": 500_000,
    "hits committed": 1_500_000,
    "around": 1_000_000,
    "allocated": 5_000_000,
    "waits": 10,
    "flushes": 2_000,
    "discards": 0,
}


def writecache(
    counts: Mapping[str, int] = WRITECACHE, *, blocks: int = 4_000_000, free: int = 1_600_000, error: int = 0
) -> str:
    """What `dmsetup status` prints of dm-writecache."""
    values = " ".join(map(str, counts.values()))
    return f"wc: 0 41943040 writecache {error} {blocks} {free} 100 {values}".rstrip() + "\n"


WRITECACHE_TABLE = "wc: 0 41943040 writecache s 253:1 253:2 4096 4 high_watermark 60 low_watermark 55\n"

UUID = "663955a3-765a-4737-a9fd-8250a7a78411"
BCACHE = {
    "bucket_size": "512.0k",
    "cache_available_percent": "78",
    "stats_total/bypassed": "3.4G",
    "stats_total/cache_bypass_hits": "5000",
    "stats_total/cache_bypass_misses": "45000",
    "stats_total/cache_hit_ratio": "80",
    "stats_total/cache_hits": "800000",
    "stats_total/cache_misses": "150000",
    "cache0/written": "1.5T",
    "cache0/btree_written": "20.4G",
    "cache0/metadata_written": "30.7G",
    "cache0/nbuckets": "457776",
    "cache0/bucket_size": "512.0k",
    "cache0/priority_stats": (
        "Unused:\t\t0%\nClean:\t\t77%\nDirty:\t\t22%\nMetadata:\t0%\nAverage:\t500\n"
        "Sectors per Q:\t14000000\nQuantiles:\t[1 2 3]"
    ),
    "bdev0/cache_mode": "writethrough [writeback] writearound none",
    "bdev0/dirty_data": "48.2G",
    "bdev0/sequential_cutoff": "4.0M",
    "bdev0/state": "dirty",
    "bdev0/writeback_percent": "10",
    "bdev0/writeback_rate": "4.0M",
}


def bcache(attributes: Mapping[str, str] = BCACHE, uuid: str = UUID) -> str:
    """What `grep -R . /sys/fs/bcache/UUID/` prints."""
    return "".join(
        f"/sys/fs/bcache/{uuid}/{name}:{line}\n"
        for name, text in attributes.items()
        for line in text.splitlines()
    )


OPEN_CAS = {
    "Occupancy": 900_000,
    "Free": 100_000,
    "Clean": 300_000,
    "Dirty": 600_000,
    "Read hits": 40_000,
    "Read partial misses": 100,
    "Read full misses": 9_900,
    "Read total": 50_000,
    "Write hits": 70_000,
    "Write partial misses": 0,
    "Write full misses": 20_000,
    "Write total": 90_000,
    "Pass-Through reads": 4_000,
    "Pass-Through writes": 6_000,
    "Serviced requests": 140_000,
    "Total requests": 150_000,
    "Reads from core(s)": 30_000,
    "Writes to core(s)": 100_000,
    "Reads from cache": 240_000,
    "Writes to cache": 380_000,
    "Reads from exported object(s)": 200_000,
    "Writes to exported object(s)": 400_000,
    "Cache read errors": 0,
    "Total errors": 0,
}
_BLOCKS = ("Occupancy", "Free", "Clean", "Dirty")


def _unit(title: str) -> str:
    return "4KiB Blocks" if title in _BLOCKS or " from " in title or "s to " in title else "Requests"


def open_cas_csv(
    counts: Mapping[str, int] = OPEN_CAS, *, size: int = 1_000_000, cleaning: str = "alru"
) -> str:
    """What `casadm -P -i 1 -o csv` prints."""
    heads = {
        "Cache Id": "1",
        "Cache Size [4KiB Blocks]": str(size),
        "Cache Size [GiB]": f"{size / 2**18:.2f}",
        "Cache Device": "/dev/nvme0n1",
        "Exported Object": "-",
        "Core Devices": "1",
        "Inactive Core Devices": "0",
        "Write Policy": "wb",
        "Cleaning Policy": cleaning,
        "Promotion Policy": "always",
        "Cache line size [KiB]": "4",
        "Dirty for [s]": "20363",
        "Dirty for": "5 [h] 39 [m] 23 [s] ",
        "Status": "Running",
    }
    titles, values = list(heads), list(heads.values())
    for title, value in counts.items():
        titles += [f"{title} [{_unit(title)}]", f"{title} [%]"]
        values += [str(value), "1.0"]
    return f"{','.join(titles)}\n{','.join(values)}\n"


def open_cas_table(counts: Mapping[str, int] = OPEN_CAS, *, bar: str = "|") -> str:
    """What `casadm -P -i 1` prints."""
    rows = (
        f"{bar} {title:<30} {bar} {value:>10} {bar} 1.0 {bar} {_unit(title)} {bar}\n"
        for title, value in counts.items()
    )
    return (
        "Cache Id                  1\nCache Size                1000000 [4KiB Blocks] / 3.81 [GiB]\n"
        "Cache Device              /dev/nvme0n1\nWrite Policy              wb\nCleaning Policy           alru\n"
        "Promotion Policy          always\nCache line size           4 [KiB]\n"
        "Dirty for                 20363 [s] / 5 [h] 39 [m] 23 [s]\nStatus                    Running\n\n"
        f"+==================+=======+====+=========+\n{''.join(rows)}"
    )


ARCSTATS = {
    "hits": 9_000_000,
    "iohits": 0,
    "misses": 1_000_000,
    "evict_l2_cached": 30_000_000_000,
    "evict_l2_eligible": 70_000_000_000,
    "evict_l2_ineligible": 5_000_000_000,
    "c": 16_000_000_000,
    "c_max": 16_000_000_000,
    "size": 15_900_000_000,
    "l2_hits": 400_000,
    "l2_misses": 600_000,
    "l2_read_bytes": 40_000_000_000,
    "l2_write_bytes": 80_000_000_000,
    "l2_size": 60_000_000_000,
    "l2_asize": 50_000_000_000,
    "l2_hdr_size": 90_000_000,
    "l2_io_error": 0,
}


def arcstats(
    counts: Mapping[str, int] = ARCSTATS, *, created: int = 12_627_639_090, snapped: int = 8_652_627_639_090
) -> str:
    """What `/proc/spl/kstat/zfs/arcstats` holds."""
    rows = (f"{name:<31} 4    {value}\n" for name, value in counts.items())
    head = f"13 1 0x01 {len(counts)} 33456 {created} {snapped}\nname                            type data\n"
    return head + "".join(rows)


NAVY = {
    "navy_lookups": 5_000_000,
    "navy_succ_lookups": 3_000_000,
    "navy_inserts": 2_000_000,
    "navy_accepted": 1_500_000,
    "navy_rejected": 500_000,
    "navy_device_bytes_written": 90_000_000_000,
    "navy_device_bytes_read": 50_000_000_000,
    "navy_bh_logical_written": 5_000_000_000,
    "navy_bc_logical_written": 25_000_000_000,
    "navy_bh_size": 20_000_000_000,
    "navy_bc_size": 480_000_000_000,
}


def navy(counts: Mapping[str, float] = NAVY) -> str:
    """What cachebench prints of Navy."""
    rows = (f"{name}  :  {value:g}\n" for name, value in counts.items())
    return f"== NVM Counters Map ==\n{''.join(rows)}\n== Throughput for  ==\n"


WHOLE = {
    "flashcache": flashcache_table() + flashcache(),
    "flashcache-proc": flashcache_proc(),
    "dm-cache": dm_cache(),
    "dm-writecache": WRITECACHE_TABLE + writecache(),
    "bcache": bcache(),
    "open-cas": open_cas_csv(),
    "open-cas-table": open_cas_table(),
    "zfs-arc": arcstats(),
    "cachelib-navy": navy(),
}
"""A sample of each cache."""
