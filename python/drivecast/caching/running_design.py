"""A running cache as a design line: its settings under the names that `cache(…)` takes.

    cache(fast=DRIVE, slow=BACKING, policy=…, size=…, the settings of the sample)

Settings that the statistics do not hold are the simulator's defaults, which are the programs' own. Left out: ZFS's ARC,
whose ring is fed from memory of unknown size, and CacheLib, whose objects are not in a trace of a block device.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from drivecast.caching import bcache
from drivecast.caching.cache_sample import Sample
from drivecast.document.cache_status import CacheStatus
from drivecast.errors import HintedError
from drivecast.stage.cached_design import MODES, WRITE_BACK

Option = tuple[str, str]


@dataclass(frozen=True)
class RunningDesign:
    """A cache as a design line."""

    fast: str
    slow: str
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> str:
        """The design."""
        options = "".join(f", {name}={value}" for name, value in self.options.items())
        return f"cache(fast={self.fast}, slow={self.slow}{options})"

    def changed(self, name: str, value: str) -> "RunningDesign":
        """Return the same with another setting."""
        return RunningDesign(self.fast, self.slow, {**self.options, name: value})


def of(status: CacheStatus, sample: Sample, fast: str, slow: str) -> RunningDesign:
    """Return the running cache as a design. Raises `InputError` for a cache that the simulator does not have."""
    if sample.kind not in _PROGRAMS:
        raise HintedError(
            f"--trace: settings of {sample.kind} are not simulated",
            f"it works for {', '.join(_PROGRAMS)}; `drivecast cache TRACE` shows hits by size for any",
        )
    if status.size_bytes is None:
        raise HintedError(
            "--trace: the size of the cache is unknown: its table is missing",
            "`(dmsetup table NAME; dmsetup status NAME) > now.txt` has both",
        )
    policy, options = _PROGRAMS[sample.kind]
    return RunningDesign(
        fast,
        slow,
        {"policy": policy, "size": str(status.size_bytes), **dict(options(sample))},
    )


def usual(design: RunningDesign) -> Iterator[Option]:
    """Yield what is tried where nothing else is asked for: half and double the size, and other settings."""
    size = int(design.options["size"])
    yield "size", str(size // 2)
    yield "size", str(size * 2)
    policy = design.options["policy"]
    writes_back = design.options.get("mode", MODES[policy]) in WRITE_BACK
    for name, values, needs_dirty in _TRIED[policy]:
        if writes_back or not needs_dirty:
            yield from ((name, value) for value in values if value != design.options.get(name))


def _flashcache(sample: Sample) -> Iterator[Option]:
    settings = sample.settings
    yield "block", f"{settings.get('data block size', '4K')}iB"
    mode = _FLASHCACHE_MODES.get(settings.get("cache mode", ""), MODES["flashcache"])
    yield "mode", mode
    if "associativity" in settings:
        yield "assoc", settings["associativity"]
    cleaning = ("dirty_thresh_pct", "fallow_clean_speed", "max_clean_ios_set", "max_clean_ios_total")
    for name in cleaning if mode in WRITE_BACK else ():
        if name in settings:
            yield name, settings[name]
    skipped = settings.get("skip_seq_thresh_kb") or settings.get("skip sequential thresh", "0").removesuffix(
        "K"
    )
    if skipped.isdigit():
        yield "skip_seq_thresh_kb", skipped
    if settings.get("reclaim_policy") == "1":
        yield "reclaim_policy", "lru"


def _bcache(sample: Sample) -> Iterator[Option]:
    settings = sample.settings
    mode = settings.get("cache_mode")
    if mode in ("writeback", "writethrough", "writearound"):
        yield "mode", mode
    if "sequential_cutoff" in settings:
        cutoff, _ = bcache.size(settings["sequential_cutoff"], sample.place)
        yield "sequential_cutoff", f"{cutoff:.0f}"
    if mode == "writeback" and "writeback_percent" in settings:
        yield "writeback_percent", settings["writeback_percent"]


def _dm_cache(sample: Sample) -> Iterator[Option]:
    yield "block", f"{sample.gauges['block_bytes']:.0f}"
    if sample.settings["mode"] in ("writeback", "writethrough"):
        yield "mode", sample.settings["mode"]
    if "migration_threshold" in sample.settings:
        yield "migration_threshold", sample.settings["migration_threshold"]


def _dm_writecache(sample: Sample) -> Iterator[Option]:
    settings = sample.settings
    if "block size" in settings:
        yield "block", settings["block size"]
    for name in ("high_watermark", "low_watermark", "autocommit_blocks"):
        if name in settings:
            yield name, settings[name]


def _open_cas(sample: Sample) -> Iterator[Option]:
    settings = sample.settings
    mode = settings.get("Write Policy", "wt")
    if mode in ("wt", "wb", "wa", "wo"):
        yield "mode", mode
    promotion = settings.get("Promotion Policy")
    if promotion in ("always", "nhit"):
        yield "promotion", promotion
    cleaning = settings.get("Cleaning Policy")
    if mode in WRITE_BACK and cleaning in ("alru", "acp", "nop"):
        yield "cleaning", cleaning


_FLASHCACHE_MODES = {
    "WRITE_BACK": "writeback",
    "WRITE_CACHE": "writeonly",
    "WRITE_THROUGH": "writethrough",
    "WRITE_AROUND": "writearound",
}
_PROGRAMS: Mapping[str, tuple[str, Callable[[Sample], Iterator[Option]]]] = {
    "flashcache": ("flashcache", _flashcache),
    "bcache": ("bcache", _bcache),
    "open-cas": ("opencas", _open_cas),
    "dm-cache": ("dm-cache", _dm_cache),
    "dm-writecache": ("dm-writecache", _dm_writecache),
}
"""The policy that simulates each, and its settings as options."""
_TRIED: Mapping[str, tuple[tuple[str, tuple[str, ...], bool], ...]] = {
    "flashcache": (
        ("dirty_thresh_pct", ("20", "50", "80"), True),
        ("skip_seq_thresh_kb", ("128", "1024"), False),
    ),
    "bcache": (
        ("writeback_percent", ("10", "40"), True),
        ("sequential_cutoff", ("0", "16777216"), False),
    ),
    "opencas": (
        ("cleaning", ("alru", "acp"), True),
        ("promotion", ("always", "nhit"), False),
    ),
    "dm-cache": (("migration_threshold", ("2048", "20480"), False),),
    "dm-writecache": (("high_watermark", ("80", "95"), False),),
}
"""What else is tried, by policy; and whether it is of dirty data."""
