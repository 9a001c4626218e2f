"""A flash cache before slower drives, as a plan tries it.

`cache(fast=raid1(2 * a), slow=raid10(8 * b), mode=writeback)`

Model. Both sides are designs of one kind of drive. With write-back what was written lies on the cache alone until it is
cleaned: data are lost where either side loses some, and the design tolerates what the weaker side does. With
write-through and write-around the slow side has all data, and a failed cache costs time. Left out: what the options of
a policy change; a line that a person wrote has them, and is played as it is.
"""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from drivecast.catalog import Catalog
from drivecast.catalog.latency_error import LatencyErrors
from drivecast.document.outcome import Outcome
from drivecast.errors import HintedError
from drivecast.stage.design import Design, Moved, items, parse

Mode = Literal["writeback", "writethrough", "writearound"]
EXAMPLE = "such as `cache(fast=raid1(2 * a), slow=raid10(8 * b), mode=writeback)`"


@dataclass(frozen=True)
class CachedDesign:
    """A fast design that holds a part of what a slow one does."""

    fast: Design
    slow: Design
    mode: Mode
    written: str | None = None
    """The line that a person wrote, with whatever options it has."""

    @property
    def line(self) -> str:
        """The design as one line, as it is written on the command line."""
        if self.written is not None:
            return self.written
        return f"cache(fast={self.fast.line}, slow={self.slow.line}, mode={self.mode})"

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
        return self.mode == "writeback"

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
    def is_flash(self) -> bool:
        """Whether all data are on flash."""
        return self.fast.is_flash and self.slow.is_flash

    @property
    def wears_out(self) -> bool:
        """Whether writes wear a part of it."""
        return self.fast.wears_out or self.slow.wears_out

    @property
    def latency_errors(self) -> LatencyErrors | None:
        """How far the latency of the cache's drives may be off, which most requests meet."""
        return self.fast.latency_errors

    def moved(self, outcome: Outcome) -> list[Moved]:
        """What each side had to move in a run; cleaning may wait, so writes of the slow side do not count."""
        cache = outcome.cache
        if cache is None:
            raise TypeError(f"the run of `{outcome.design}` has no cache")
        return [
            Moved(self.fast, cache.ssd_read_bytes, cache.ssd_written_bytes),
            Moved(self.slow, cache.disk_read_bytes, 0),
        ]


def is_cached(line: str) -> bool:
    """Whether a design is a cache before another."""
    return items(line, "cache") is not None


def parse_cached(line: str, catalog: Catalog) -> CachedDesign:
    """The cached design that `line` describes, if each side is drives of one kind in groups of one redundancy.

    Raises `InputError` for anything else, and for drives that the catalog does not have.
    """
    named = dict(_option(item) for item in items(line, "cache") or ())
    missing = [side for side in ("fast", "slow") if not named.get(side)]
    if missing:
        raise HintedError(f"`{line}`: a cache needs `{missing[0]}=`", EXAMPLE)
    mode = named.get("mode", "writeback")
    for known in get_args(Mode):
        if mode == known:
            return CachedDesign(parse(named["fast"], catalog), parse(named["slow"], catalog), known, line)
    raise HintedError(f"`{line}`: mode: expected one of {', '.join(get_args(Mode))}, found `{mode}`", EXAMPLE)


def _option(item: str) -> tuple[str, str]:
    name, _, value = item.partition("=")
    return name.strip(), value.strip()
