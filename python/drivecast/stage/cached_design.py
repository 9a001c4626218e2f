"""A cache before slower drives, as a plan tries it: `cache(fast=raid1(2 * a), slow=raid10(8 * b), mode=writeback)`.

Model. Both sides are designs of one kind of drive. With write-back what was written is in the cache alone until it is
cleaned: data are lost where either side loses some, and the design tolerates what the weaker side does. With
write-through and write-around the slow side has all data, and a failed cache costs time. Left out: what the options of
a policy change; a line that a person wrote has them, and is played as it is.
"""

from dataclasses import dataclass, replace

from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import LatencyErrors
from drivecast.document.outcome import Cache, Outcome
from drivecast.errors import HintedError
from drivecast.quantity import parse as quantity
from drivecast.stage.design import Design, Moved, items, parse, shape

MODES = {
    "flashcache": "writeback",
    "vcache": "writeback",
    "bcache": "writethrough",
    "opencas": "wt",
    "dm-writecache": "writeback",
    "dm-cache": "writethrough",
    "l2arc": "writethrough",
    "slog": "writethrough",
    "cachelib": "writearound",
}
"""What each policy does unless its line says otherwise. What a log of ZFS holds is in memory, too."""
WRITE_BACK = {"writeback", "writeonly", "wb", "wo"}
"""Modes in which a block may be newer in the cache than behind it."""
PARTITION_MIN = 0.05
"""Of the flash that a cache takes: with less written, more spare changes nothing."""
EXAMPLE = "such as `cache(fast=raid1(2 * a), slow=raid10(8 * b), mode=writeback)`"


@dataclass(frozen=True)
class CachedDesign:
    """A fast design that holds a part of what a slow one does."""

    fast: Design
    slow: Design
    mode: str
    policy: str = "flashcache"
    size_bytes: int | None = None
    """What the cache takes of its fast side, if not all."""
    written: str | None = None
    """The line that a person wrote, with whatever options it has."""

    @property
    def line(self) -> str:
        """The design as one line, as it is written on the command line."""
        if self.written is not None:
            return self.written
        return f"cache(fast={self.fast.line}, slow={self.slow.line}, policy={self.policy}, mode={self.mode})"

    @property
    def serving(self) -> "CachedDesign":
        """The design as it serves while nothing has failed: without spares, which do nothing then."""
        if self.written is not None:
            return self
        return replace(self, fast=self.fast.serving, slow=self.slow.serving)

    @property
    def title(self) -> str:
        """The design in words."""
        return f"{self.slow.title}, behind a cache of {self.fast.title}"

    @property
    def is_write_back(self) -> bool:
        """Whether the cache alone may have what was written."""
        return self.mode in WRITE_BACK

    @property
    def failures_tolerated(self) -> int:
        """Drives that may fail, whichever they are, without loss of data."""
        slow = self.slow.failures_tolerated
        return min(slow, self.fast.failures_tolerated) if self.is_write_back else slow

    @property
    def bays(self) -> int:
        """Drives that are bought, spares among them."""
        return self.fast.bays + self.slow.bays

    @property
    def usable_bytes(self) -> int:
        """Capacity that holds data: that of the slow side, for the cache has copies."""
        return self.slow.usable_bytes

    @property
    def cache_bytes(self) -> int:
        """What the cache takes of its fast side."""
        return self.fast.usable_bytes if self.size_bytes is None else self.size_bytes

    @property
    def taken(self) -> Design:
        """The fast side as far as the cache takes it: the rest is spare to its flash."""
        share = max(PARTITION_MIN, self.cache_bytes / self.fast.usable_bytes)
        return replace(self.fast, partition=self.fast.partition * share, written=None)

    @property
    def is_flash(self) -> bool:
        """Whether all data are on flash."""
        return self.fast.is_flash and self.slow.is_flash

    @property
    def wears_out(self) -> bool:
        """No run of its own says how it wears: each side wears by what the cache sends it."""
        return False

    @property
    def latency_errors(self) -> LatencyErrors | None:
        """How far the latency of the cache's drives may be off, which most requests meet."""
        return self.fast.latency_errors

    def before(self, slow: str) -> "CachedDesign":
        """The same cache before a slow side as it is written here, such as one of which a drive has failed."""
        named = dict(option(item) for item in items(self.line, "cache") or ())
        terms = ", ".join(f"{name}={value}" for name, value in (named | {"slow": slow}).items())
        return replace(self, written=f"cache({terms})")

    def moved(self, outcome: Outcome) -> list[Moved]:
        """What each side had to move in a run; cleaning may wait, so writes of the slow side do not count."""
        cache = used(outcome)
        return [
            Moved(self.fast, cache.ssd_read_bytes, cache.ssd_written_bytes),
            Moved(self.slow, cache.disk_read_bytes, 0),
        ]


def used(outcome: Outcome) -> Cache:
    """What the cache of a run did."""
    if outcome.cache is None:
        raise TypeError(f"the run of `{outcome.design}` has no cache")
    return outcome.cache


def parse_either(line: str, catalog: Catalog) -> Design | CachedDesign:
    """The design of a line, with a cache or without. Raises as `parse` and `parse_cached`."""
    return parse_cached(line, catalog) if is_cached(line) else parse(line, catalog)


def is_cached(line: str) -> bool:
    """Whether a design is a cache before another."""
    return items(line, "cache") is not None


def parse_cached(line: str, catalog: Catalog) -> CachedDesign:
    """The cached design that `line` describes, if each side is drives of one kind in groups of one redundancy.

    Raises `InputError` for anything else, for options that cannot be, and for drives that the catalog does not have.
    """
    shape(line, catalog)
    named = dict(option(item) for item in items(line, "cache") or ())
    fast, slow = (_side(line, name, named[name], catalog) for name in ("fast", "slow"))
    policy, size = named.get("policy", "flashcache"), named.get("size")
    return CachedDesign(
        fast,
        slow,
        named.get("mode", MODES[policy]),
        policy,
        None if size is None else quantity.size_bytes(size),
        line,
    )


def _side(line: str, name: str, text: str, catalog: Catalog) -> Design:
    if is_cached(text):
        raise HintedError(f"`{line}`: {name}: a cache before a cache is simulated, and not judged", EXAMPLE)
    return parse(text, catalog)


def option(item: str) -> tuple[str, str]:
    """The name of an argument, and what it is."""
    name, _, value = item.partition("=")
    return name.strip(), value.strip()
