"""The compiled core. Everything here releases the interpreter lock while it works."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Final, Protocol, Self, TypedDict, final, type_check_only

__all__ = [
    "Accesses",
    "Attached",
    "Draw",
    "Drawn",
    "InputError",
    "InvariantError",
    "Kept",
    "Stop",
    "Workload",
    "array_loss",
    "bytes_within",
    "cap_starting",
    "closed_loss",
    "complexity",
    "convert",
    "cost_over_years",
    "costing",
    "credits_left",
    "cycles_within",
    "design_controllers",
    "design_drives",
    "design_shape",
    "eviction_policies",
    "formats",
    "latency_bounds",
    "latency_chance",
    "life",
    "lose",
    "loss_of_any",
    "model_read",
    "model_write",
    "one_more",
    "parse_bytes",
    "parse_nanos",
    "profile",
    "read",
    "read_ns",
    "redundancy",
    "rent_over_years",
    "rental_caps",
    "rental_limits",
    "rental_month",
    "rental_smallest",
    "replacements",
    "replay",
    "response_times",
    "samples",
    "sequential_share",
    "simulate",
    "simulate_each",
    "standings",
    "student",
    "tables",
    "target_size",
    "toml_json",
    "volumes_lost",
    "wear",
    "wear_out",
    "years_of_cycles",
    "years_until",
]

_Paths = Sequence[str | PathLike[str]]
_Progress = Callable[[float, str], None] | None

@type_check_only
class Reading(TypedDict):
    """How a log is to be read."""

    event: str | None
    disk: str | None
    interval_s: float | None
    skip_first: bool
    format: str | None
    csv: str | None
    strict: bool
    whole_set: bool

class InputError(ValueError):
    """What was given cannot be used; says why, where and what to do.

    The attributes repeat what the text says, as far as the error holds them apart; else they are none.
    """

    path: str | None
    line: int | None
    """Counted from 1."""
    column: int | None
    """Of a design or workload line, counted from 1."""
    byte: int | None
    """Offset in the decompressed file."""
    hint: str | None

class InvariantError(RuntimeError):
    """A run broke a law it must obey; says how to reproduce it."""

@final
class Workload:
    """A workload to be played on designs, as often as wanted and from several threads."""

    duration_s: Final[float | None]
    """Length of the trace or of a pass of the model in seconds; none for a line."""
    written_bytes: Final[int | None]
    """Bytes that the trace or a pass of the model writes; none for a line."""
    rate_iops: Final[float | None]
    """Requests that a line issues a second; none for a closed loop, a trace or a model."""
    in_order: Final[list[float] | None]
    """The shares of reads and of writes of a line that begin where the one before ended; none of a trace or model."""
    iodepth: Final[int | None]
    """Requests that a line has outstanding at most, or always in a closed loop; none for a trace or a model."""
    span_bytes: Final[int | None]
    """The first byte after the last request of the trace or of a pass of the model; none for a line."""
    writes: Final[bool]
    """Whether anything is written or discarded."""
    @staticmethod
    def trace(logs: _Paths, reading: Reading | None = None) -> Workload:
        """The trace in these files."""
    @staticmethod
    def line(text: str) -> Workload:
        """The synthetic workload that a line describes."""
    @staticmethod
    def model(json: str, *, seed: int, seconds: float | None = None) -> Workload:
        """A pass of the model that a JSON document holds: of this length, or of its own."""
    @staticmethod
    def windows(played: Workload, *, whole: Workload, parts: Sequence[tuple[int, int]]) -> Workload:
        """Windows of a trace that represent all of it.

        `played` has each of them after what leads into it; `parts` are the ends of both in ns, lead-ins before their
        windows, and how often each counts; `whole` is a pass of the whole trace.
        """
    def recast(self, *, region_bytes: int | None = None, idle_s: float | None = None) -> Workload:
        """The trace with the regions that it touches moved together, and with no idle time above this."""
    def spread(self, *, region_bytes: int, to_bytes: int) -> Workload | None:
        """The trace with the regions that it touches at even distances over `to_bytes`; none where they fill these."""
    def of_streams(self, numbers: Sequence[int]) -> Workload:
        """The requests of some streams of the trace, or of a pass of the model."""
    def fit(self, name: str) -> str:
        """The model fitted to the trace, as JSON."""
    def rows(self) -> Any:
        """The requests of the trace, or of a pass of the model, as an Arrow stream."""
    def compact(self) -> bytes:
        """The requests of the trace in few bytes, without how long each took when it was recorded."""
    @staticmethod
    def expand(packed: bytes) -> Workload:
        """The trace that was made compact."""
    @staticmethod
    def again(packed: Any) -> Workload:
        """The workload that was pickled."""
    def __reduce__(self) -> tuple[Any, tuple[Any]]:
        """What `again` makes the workload of: a line, the document of a model, or requests as Parquet."""

@final
class Accesses:
    """The references of a trace, to be played through caches without time, as often as wanted, from several threads."""

    summary: Final[dict[str, Any]]
    """What the reader says of the trace."""
    reads: Final[float]
    """References that read: counted, or what the sample represents."""
    writes: Final[float]
    """References that write."""
    rate: Final[float]
    """Probability with which an object is in the sample; 1: all are, and counts are exact."""
    objects: Final[float]
    """Distinct objects referenced."""
    footprint_bytes: Final[float]
    """Bytes of these."""
    duration_s: Final[float]
    """From the first request to the last."""
    @staticmethod
    def trace(
        logs: _Paths,
        by: str,
        reading: Reading | None = None,
        progress: _Progress = None,
        *,
        references_max: int | None = None,
        objects_max: int | None = None,
    ) -> Accesses:
        """Those of the trace in these files, by `block` or by `object`; above the limits, a sample."""
    def part(self, number: int) -> Accesses:
        """A part of the sample, from 0 to below 8: a sample itself, of an eighth of the rate."""
    def behind(self, size_bytes: int) -> Accesses:
        """Those that go past so much memory before the cache."""
    def play(self, policy: str, size_bytes: int, *, seed: int) -> dict[str, float]:
        """What comes of the references in a cache of a size under a policy."""
    def lru(self, sizes: Sequence[int]) -> tuple[list[dict[str, float]], list[tuple[int, float]]]:
        """What comes of references by block in LRU caches of each size, in one pass.

        With it every size from which on more hit, and the references that miss there.
        """

def eviction_policies() -> list[str]:
    """The names of the eviction policies."""

def parse_bytes(text: str) -> int:
    """A size such as `64KiB` in bytes."""

def parse_nanos(text: str) -> int:
    """A time such as `5ms` in nanoseconds."""

def model_read(text: str, name: str) -> str:
    """The workload model in a TOML text as canonical JSON; `name` is what errors call the text."""

def model_write(json: str) -> str:
    """A workload model as the TOML that a person reads."""

def toml_json(text: str) -> str | None:
    """A TOML text as JSON, keys in their order; none where it is no TOML, or has what JSON lacks: dates, infinities."""

def tables() -> list[dict[str, Any]]:
    """The tables that stages hand to each other: name, columns with type, nullability and meaning."""

def design_drives(line: str) -> list[str]:
    """The names of the catalog's drives in a design."""

def design_controllers(line: str) -> list[str]:
    """The names of the catalog's controllers in a design."""

def design_shape(line: str, drives: dict[str, str], controllers: dict[str, str] = ...) -> dict[str, Any]:
    """What a design is: usable bytes, level, drives with their counts, partition."""

@type_check_only
class RunOptions(Protocol):
    """How a run is made: `drivecast.stage.simulate.Options`."""

    @property
    def seed(self) -> int: ...
    @property
    def start_s(self) -> float: ...
    @property
    def length_s(self) -> float | None: ...
    @property
    def duration_s(self) -> float | None: ...
    @property
    def requests(self) -> int | None: ...
    @property
    def warmup_s(self) -> float: ...
    @property
    def speedup(self) -> float: ...
    @property
    def iodepth(self) -> int | None: ...
    @property
    def own_depth(self) -> bool: ...
    @property
    def wrap(self) -> bool: ...
    @property
    def fill(self) -> float: ...
    @property
    def state(self) -> str: ...
    @property
    def streams(self) -> int: ...

@final
class Kept:
    """Drives in steady state, kept for the runs after; runs in several threads may share it."""

    preconditioned: Final[int]
    """How often a design was brought to steady state."""
    def __new__(cls, bytes_max: int) -> Kept:
        """Keeps what takes up to so much memory."""

@type_check_only
class Within(Protocol):
    """What a run must keep, or be given up: `drivecast.stage.simulate.Within`."""

    @property
    def quantile(self) -> float: ...
    @property
    def read_ns(self) -> int | None: ...
    @property
    def write_ns(self) -> int | None: ...

def simulate(
    line: str,
    drives: dict[str, str],
    workload: Workload,
    options: RunOptions,
    controllers: dict[str, str] = ...,
    *,
    kept: Kept | None = None,
    within: Within | None = None,
) -> dict[str, Any]:
    """Play a workload on a design; the outcome, its tables as Arrow. A run that is given up has `given_up`."""

def simulate_each(
    line: str,
    drives: dict[str, str],
    workload: Workload,
    options: RunOptions,
    controllers: dict[str, str] = ...,
) -> tuple[dict[str, Any], Any]:
    """Play a trace on a design; the outcome, and the latency of each request in ns, null where it did not complete."""

def read_ns(path: PathLike[str] | str) -> int:
    """What a read of 4 KiB of a file or device takes past the page cache, where nothing comes between.

    A low quantile of a thousand, one after another. Raises `OSError`. Linux only.
    """

@final
class Attached:
    """A design that is served as a disk by a thread of its own, until it is stopped or forgotten. Linux only.

    `data` is `memory` (at most `memory_max` bytes), `file` (at `path`) or `discard`; `cut` whether power may be cut;
    `error` the share of reads and writes that fail; `record` whether what comes is recorded; `sync` whether a flush is
    one of the file, too; one of `nbd`, the socket to make, `fuse`, an empty directory for a file `disk`, and
    `vhost_user`, the socket of a guest's device, is given.
    """

    size: int
    """Bytes of the disk."""
    members: int
    """Drives that can fail."""
    transport_ns: int
    """What the front costs there and back, which is taken off each answer; 0 for a guest's, which is not known."""

    def __new__(
        cls,
        line: str,
        drives: dict[str, str],
        controllers: dict[str, str] = ...,
        *,
        size: int | None,
        state: str,
        fill: float,
        seed: int,
        speed: float,
        data: str,
        memory_max: int,
        path: PathLike[str] | None,
        cut: bool,
        error: float,
        record: bool,
        sync: bool = False,
        nbd: PathLike[str] | None = None,
        fuse: PathLike[str] | None = None,
        vhost_user: PathLike[str] | None = None,
    ) -> Self: ...
    def start(self, transport_ns: int | None = None) -> None:
        """From now on the device takes its time; until then a file by FUSE is answered without it.

        What the way to it costs is as given, for one that leads through a loop device, or as measured over the file.
        """

    def snapshot(self, *, run: bool = False) -> dict[str, Any]:
        """What has been seen since the last call; those of `run` are counted apart from the others."""

    def fail(self, member: int) -> None:
        """A drive fails, counted from 0 in the order of the line."""

    def rebuild(self, bytes_per_s: float) -> None:
        """What has failed is rebuilt onto blank drives, at so many bytes a second each."""

    def slow(self, member: int, factor: float) -> None:
        """A drive takes so many times as long from now on."""

    def cut(self) -> int:
        """Power is cut: how many bytes of writes that were not flushed are lost."""

    def records(self) -> Any:
        """What came since the last call, as rows of a trace."""

    def stop(self) -> dict[str, Any]:
        """End it: the outcome, with `lateness`, of all and by kind."""

@final
class Stop:
    """Breaks off a run on a real target, from another thread than the run's."""

    def __init__(self) -> None: ...
    def ask(self) -> None:
        """The run ends within a tenth of a second, with what it measured."""

def target_size(path: PathLike[str]) -> tuple[int, int]:
    """Size in bytes of a target, and of its sectors."""

def replay(
    path: PathLike[str],
    workload: Workload,
    options: RunOptions,
    *,
    name: str,
    may_write: bool,
    stop: Stop,
) -> dict[str, Any]:
    """Play a workload on a real target; the outcome with the lag of issue."""

def response_times(
    disk: str,
    reads: Sequence[bool],
    offsets: Sequence[int],
    sizes: Sequence[int],
    thinks_ns: Sequence[int],
    *,
    seed: int,
) -> list[int]:
    """Response times in ns of reads and writes on a disk, one at a time, each a think time after the one before."""

def wear(
    line: str,
    drives: dict[str, str],
    workload: Workload,
    *,
    seed: int,
    fill: float,
    controllers: dict[str, str] = ...,
    kept: Kept | None = ...,
) -> dict[str, Any]:
    """Apply a workload's writes to a design, outside time, until write amplification is steady; from drives kept so."""

def lose(spec: str, *, seed: int, precision: float, missions_max: int) -> dict[str, Any]:
    """Simulate groups of drives, specified as JSON, until their chance of loss is known."""

def convert(
    logs: _Paths,
    out: str | PathLike[str],
    reading: Reading | None = None,
    progress: _Progress = None,
) -> dict[str, Any]:
    """Any log to Parquet at `out`; the summary."""

def profile(
    logs: _Paths,
    peak_window_s: float,
    reading: Reading | None = None,
    progress: _Progress = None,
) -> dict[str, Any]:
    """The profile of a log, its tables as Arrow, with the summary of the log under `log`."""

def sequential_share(reads: tuple[float, float, float], writes: tuple[float, float, float]) -> float:
    """The share inferred from requests, merges and bytes of either direction."""

def formats() -> list[dict[str, Any]]:
    """The formats of logs: traces, then counters, each with how it is recognised and a sample."""

def samples(logs: _Paths, reading: Reading | None = None) -> Any:
    """The samples of a counter log as an Arrow stream; none of a trace, which is not read then."""

def read(logs: _Paths, reading: Reading | None = None) -> Any:
    """The rows of a trace as an Arrow stream."""

_Bounds = tuple[float, float, float]
"""Low, value, high."""
_Groups = tuple[int, int, int]
"""How many groups, drives of each, and how many of these may fail."""
_DriveErrors = Sequence[tuple[Sequence[float], Sequence[float]]]
"""Of each drive its ratios and its excesses in microseconds."""

def bytes_within(years: float, bytes_per_day: float, growth_per_year: float) -> float:
    """The bytes written in `years`."""

def years_until(total_bytes: float, bytes_per_day: float, growth_per_year: float) -> float:
    """The years until so many bytes are written."""

def cycles_within(years: float, course: _Bounds) -> float:
    """Cycles spent in `years`, of a course given by cycles a day, growth and relaxation."""

def years_of_cycles(cycles: float, course: _Bounds) -> float:
    """Years until `cycles` are spent."""

def replacements(budget_bytes: float, years: float, bytes_per_day: float, growth_per_year: float) -> float:
    """How often a drive that takes so many bytes of the host is replaced."""

def life(rating: str, demand: str, write_amplification: _Bounds) -> dict[str, Any]:
    """Life of one drive with its bounds; what goes in is JSON."""

def redundancy(level: str, drives: int, groups: int | None) -> _Groups | None:
    """The groups of an array; none where its drives do not make equal groups that are large enough."""

def array_loss(
    groups: _Groups,
    years: float,
    *,
    mtbf_h: float,
    rebuild_h: float,
    drive_bytes: float,
    uber: float,
    latent_errors: float,
) -> dict[str, float]:
    """The closed form of the chance of losing data."""

def closed_loss(
    groups: _Groups, drive_bytes: float, spares: int, of: str, years: float, scrub_days: float
) -> dict[str, Any]:
    """The same of a design of the plan, with its bounds; `of` is JSON."""

def loss_of_any(chances: Sequence[float]) -> float:
    """The chance that any of several loses data."""

def wear_out(
    budget_bytes: float, years: float, bytes_per_day: float, growth_per_year: float
) -> tuple[list[float], float, float]:
    """When drives are worn out: years, drives that each represents, and the share that is left at the end."""

def cost_over_years(purchase: str, upkeep: str) -> dict[str, float]:
    """What an array costs over its years; what goes in is JSON."""

_Rented = tuple[int, float, float]
"""GiB, IOPS and MiB/s."""

def rental_smallest(kind: str, gib: int, iops: float, mibps: float) -> _Rented | None:
    """The smallest setting of a kind, which is JSON, that does as much; none where the kind does not reach it."""

def rental_limits(kind: str, gib: float, iops: float | None) -> dict[str, float] | None:
    """What a size allows, with these IOPS or those that come with it; none where sizes are steps."""

def rental_month(kind: str, rented: _Rented) -> dict[str, float] | None:
    """What a setting costs a month, in parts; none where there is no price."""

def rent_over_years(month_usd: float, years: float) -> float:
    """What a rent comes to over the years."""

def volumes_lost(afr: float, years: float, volumes: int) -> float:
    """The chance that one of so many volumes is lost within the years."""

def rental_caps(
    kind: str, rented: _Rented, instance: str | None, saved_s: float
) -> list[dict[str, float | None]]:
    """The token buckets of a setting, of requests and of bytes, behind those of an instance, which is JSON."""

_Bucket = tuple[float, float | None, float | None]
"""Per second, credits and the burst."""

def cap_starting(of: _Bucket, share: float, lasts: bool, saved_s: float) -> dict[str, float | None]:
    """A token bucket as it begins with this share of its credits."""

def credits_left(
    of: _Bucket, log: tuple[float, float, float, float], demand: Sequence[tuple[int, float]]
) -> dict[str, float]:
    """What a log leaves of the credits; of the log its duration, its peak's start and length, its hours of a day."""

def latency_bounds(drives: _DriveErrors, predicted_ns: float) -> tuple[float, float]:
    """The 80 % interval of a predicted latency, by the errors of measured drives."""

def latency_chance(drives: _DriveErrors, predicted_ns: float, limit_ns: float) -> float:
    """The chance that the true value is within a limit."""

def one_more(logarithms: Sequence[float], count: int) -> tuple[float, float]:
    """The 80 % interval of the factor of one more device."""

def student(degrees: int, probability: float) -> float:
    """The quantile of Student's distribution."""

def costing(facts: str) -> dict[str, Any]:
    """What a design costs and how long it lasts, and what moves both; what goes in is JSON."""

@final
class Drawn:
    """What was drawn of a design."""

    @property
    def total_usd(self) -> float:
        """What it costs over the years, at the likely values."""

    @property
    def costs_usd(self) -> list[float]:
        """In each draw."""

    @property
    def holds(self) -> list[bool]:
        """In which draws it fits."""

@final
class Draw:
    """What is not known of designs, drawn for all of them at once."""

    def __new__(cls, seed: int) -> Draw: ...
    def bought(self, parts: Sequence[tuple[str, _Bounds, float | None]], data_loss: float) -> Drawn:
        """What is drawn of a design that is bought: of each part facts, loss, and the chance to be fast enough."""

    def rented(self, provider: str, cost_usd: _Bounds | None) -> Drawn:
        """What is drawn of a rented design; one without a price is never the cheapest."""

def complexity(level: str | None = None) -> int:
    """How much there is to administrate of an array of this level; of a cache before it, without a level."""

def standings(
    entries: Sequence[tuple[str, Drawn, int, int, bool, float, float | None, float, float | None, bool]],
) -> list[tuple[int, int, float]]:
    """Where each comes out, best first: its place among the entries, tier, and chance to be the cheapest."""
