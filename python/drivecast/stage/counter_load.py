"""A load made from counters, where there are no requests to play.

Model: reads and writes, each of their mean size, at random addresses over the data or, for the share of either that
sizes and merges let infer, where the one before ended; they arrive as a Poisson process with the rate of the peak
window. A flush makes a write durable: the two are one write with forced unit access. Of several logs together each has
its own size, share of reads and sequential share, and is a stream: processes of independent requests, superposed, are
one. Counters cannot tell locality, the spread of sizes or bursts within a sample: all three are assumed, and `assumed`
says so. Real loads are more local (kinder) and more bursty (harder) than this.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from drivecast import _core
from drivecast.document.profile import Profile
from drivecast.errors import InputError
from drivecast.quantity import number

BLOCK_BYTES = 4096
PARTS = 10_000
"""That a share of reads is rounded to."""


@dataclass(frozen=True)
class Share:
    """What one of several logs has of the busiest stretch."""

    reads: float
    writes: float
    read_bytes: float
    written_bytes: float
    reads_merged: float = 0.0
    writes_merged: float = 0.0

    @property
    def requests(self) -> float:
        """Reads and writes."""
        return self.reads + self.writes

    @property
    def item(self) -> str:
        """The stream in a workload line, by its weight; one request where there is none, for each has its place."""
        requests = max(1.0, self.requests)
        size = _size_bytes((self.read_bytes + self.written_bytes) / requests)
        runs = _core.sequential_share(
            (self.reads, self.reads_merged, self.read_bytes),
            (self.writes, self.writes_merged, self.written_bytes),
        )
        return f"{round(requests)} * {size}[read={self.reads / requests:.4f}{_in_order(runs)}]"


@dataclass(frozen=True)
class CounterLoad:
    """The busiest stretch of a counter log; `assumed` has (what, why) of everything made up."""

    size_bytes: int
    """Of reads, and of writes where these have none of their own."""
    read_fraction: float
    rate_iops: float
    duration_s: float
    write_bytes_per_day: float | None
    assumed: tuple[tuple[str, str], ...]
    shares: tuple[Share, ...] = ()
    """Of several logs together."""
    write_size_bytes: int | None = None
    durable: float = 0.0
    """The share of writes that must outlive a power loss before they are done."""
    sequential_reads: float = 0.0
    """The share of reads that begin where the one before ended."""
    sequential_writes: float = 0.0

    @property
    def mean_bytes(self) -> float:
        """The mean size of requests."""
        written = self.write_size_bytes or self.size_bytes
        return self.read_fraction * self.size_bytes + (1 - self.read_fraction) * written

    def only(self, numbers: Sequence[int]) -> "CounterLoad":
        """The load of some of several logs."""
        chosen = tuple(self.shares[number] for number in numbers)
        part = sum(share.requests for share in chosen) / sum(share.requests for share in self.shares)
        return replace(self, shares=chosen, rate_iops=self.rate_iops * part)

    def workload(self, fill: float, speedup: float) -> _core.Workload:
        """The requests, at a multiple of their rate, over the share `fill` of a device."""
        rate = self.rate_iops * speedup
        return _core.Workload.line(f"{self.mix}, rate={rate:.3f}iops, span={fill:.6f})")

    @property
    def mix(self) -> str:
        """The line up to what a run decides: its rate, and the share of a device; `crates/web` completes it, too."""
        reads, written = round(self.read_fraction * PARTS), self.write_size_bytes or self.size_bytes
        in_order = _in_order(self.sequential_reads), _in_order(self.sequential_writes)
        sizes, runs = ", ".join(share.item for share in self.shares), ""
        if not sizes and 0 < reads < PARTS and (written != self.size_bytes or any(in_order)):
            read, write = in_order
            sizes = f"{reads} * {self.size_bytes}[read=1{read}], {PARTS - reads} * {written}[read=0{write}]"
        if not sizes:
            sizes, runs = (f"{self.size_bytes}", in_order[0]) if reads else (f"{written}", in_order[1])
        durable = f", fua={self.durable:.4f}" if self.durable else ""
        return f"random({sizes}, read={self.read_fraction:.4f}{runs}{durable}"


def _size_bytes(mean_bytes: float) -> int:
    return max(BLOCK_BYTES, round(mean_bytes / BLOCK_BYTES) * BLOCK_BYTES)


def _in_order(share: float) -> str:
    """The option of a line that gives the share of requests in runs; nothing where all are anywhere."""
    return f", sequential={share:g}" if share > 0 else ""


def _inferred(profile: Profile) -> tuple[float, float, tuple[str, str]]:
    """The shares of reads and of writes that are in order, and what is said of it."""
    found = profile.sequential_share
    if found is None or found.all.high == 0:
        return 0.0, 0.0, ("addresses", "random over all data: counters have no addresses")
    parts = [(found.read, "reads"), (found.write, "writes")]
    worded = [f"{name} {number.within_percent(of)}" for of, name in parts if of is not None]
    merges = "request sizes alone" if profile.reads_merged is None else "request sizes and merges"
    origin = "as stated" if found.all.low == found.all.high else f"inferred from {merges}"
    rest = "the rest random over all data" if found.all.value > 0 else "played at random over all data"
    why = f"sequential {', '.join(worded)}, {origin}; {rest}: counters have no addresses"
    read, write = (of.value if of is not None else 0.0 for of, _ in parts)
    return read, write, ("addresses", why)


def of(profile: Profile, shares: Sequence[Share] = (), fsync_rate: float | None = None) -> CounterLoad:
    """The load of a counter log with this profile, or of several together with these shares of its busiest stretch.

    Of its writes `fsync_rate` a second are durable at the peak, or as many as it has flushes. Raises `InputError` for a
    log without a single read or write.
    """
    window = profile.peak_window
    if not profile.requests or window is None:
        raise InputError("the log has no reads and no writes, so there is nothing to play")
    mean = profile.block_size_mean_bytes or 0.0
    size, write_size = (
        _size_bytes(of_op or mean) for of_op in (profile.read_size_mean_bytes, profile.write_size_mean_bytes)
    )
    sizes = f"all of the mean, {size / 1024:.0f} KiB"
    if write_size != size:
        sizes = f"reads of their mean, {size / 1024:.0f} KiB, writes of theirs, {write_size / 1024:.0f} KiB"
    if shares:
        sizes = "all of the mean of their log"
    read = window.read_fraction if window.read_fraction is not None else profile.read_fraction
    reads_in_order, writes_in_order, addresses = _inferred(profile)
    assumed: tuple[tuple[str, str], ...] = (
        addresses,
        ("request size", f"{sizes}: counters hold means only"),
        ("arrivals", "Poisson at the peak's rate: counters do not show bursts within a sample"),
    )
    rate, length_s = window.iops_mean or 0.0, window.length_s
    writes = rate * (1 - (read or 0.0))
    if fsync_rate is None:
        durable, origin = (profile.flushes or 0) / max(1.0, profile.writes), "one for each flush of the log"
    else:
        durable, origin = fsync_rate / max(fsync_rate, writes, 1e-9), "given by `--fsync-rate`"
    if durable and writes:
        durable = min(1.0, durable)
        why = f"{durable * writes:,.0f} of {writes:,.0f} a second, {origin}"
        assumed = (*assumed, ("durable writes", why))
    per_day = profile.write_bytes_per_day
    in_order = {"sequential_reads": reads_in_order, "sequential_writes": writes_in_order}
    return CounterLoad(
        size, read or 0.0, rate, length_s, per_day, assumed, tuple(shares), write_size, durable, **in_order
    )
