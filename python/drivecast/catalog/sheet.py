"""The tables of a drive's file: what its data sheet says, in the data sheet's units.

Represented: capacity, geometry, sheet performance, rated endurance, reliability and power of one drive.
Left out: firmware behaviour, which the simulator models, and price, which has a separate file
because it ages faster.
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from drivecast.catalog.calibrated import Calibrated
from drivecast.catalog.figure import (
    Count,
    Figure,
    HeldOut,
    NonNegative,
    Positive,
    Probability,
    Range,
    Strict,
    Switch,
)
from drivecast.catalog.measured import MeasuredDisk

DriveClass = Literal[
    "nvme-tlc-ri",
    "nvme-tlc-mu",
    "qlc",
    "slc",
    "optane",
    "sata",
    "sata-mu",
    "sas",
    "boot",
    "consumer-nvme",
    "consumer-sata",
    "15k",
    "10k",
    "nearline",
    "nas",
    "old-pcie",
    "old-sata",
    "old-disk",
]
"""What prices and buyers go by: `slc` writes one bit a cell, for logs; `nas` is a disk for a small array."""


class Identity(Strict):
    """What the drive is called and how it is attached."""

    vendor: str
    model: str
    drive_class: DriveClass = Field(alias="class")
    available_today: bool
    """Whether a buyer can order it new; the others serve to reproduce published experiments."""
    form: str
    interface: str
    """A name in `interfaces.toml`."""
    bridge: bool = False
    """Whether a card holds modules of their own behind a SAS bridge."""
    consumer: bool = False
    """Whether it is sold for desktops; searched with `--consumer`, or where it is named."""
    host_managed: bool = False
    """Whether the host writes it zone by zone (shingled tracks), so that it takes no array; only where it is named."""
    year: Count
    platform: Figure[str] | None = None
    """What drives share whose controller, firmware and flash are the same; none: those of its file do."""


class SsdCapacity(Strict):
    """What is sold and what is built in."""

    user_gb: Positive
    raw_gib: Positive


class HddCapacity(Strict):
    """What is sold."""

    user_gb: Positive


class Flash(Strict):
    """The flash behind the controller."""

    nand: str
    """A generation in `nand.toml`."""
    channels: Count
    dies_per_channel: Count
    mapping_kib: Positive
    """Unit of the mapping table."""
    buffer_mib: Positive
    """Write buffer."""
    power_loss_protection: Switch
    """Whether the write buffer survives a loss of power."""
    read_ahead_kib: Positive | None = None
    """How far the drive reads ahead of a sequential stream; none: it does not, or it is unknown."""


class Stated(Figure[Annotated[float, Field(gt=0)]]):
    """A speed that the simulated drive is compared with."""

    unmet: str | None = None
    """Why no drive as simulated can reach it; none where it has to."""


class Iops(Stated):
    """A rate of random requests, with the conditions it was stated for."""

    block_bytes: Annotated[int, Field(gt=0)] = 4096
    outstanding: Annotated[int, Field(gt=0)] | None = None
    """Requests outstanding; none: what is usual for the link."""
    state: Literal["steady", "fresh", "span-8gb", "unstated"] = "unstated"
    """Steady: after preconditioning, over the whole drive. Span-8gb: random within 8 GB only."""


class Mixed(Iops):
    """A rate of random reads and writes together."""

    read_fraction: Annotated[float, Field(gt=0, lt=1)]


class Latency(Stated):
    """Time of one request with no other outstanding."""

    block_bytes: Annotated[int, Field(gt=0)] = 4096
    pattern: Literal["random", "sequential"] = "random"


class Performance(Strict):
    """The sheet's speeds."""

    sequential_read_mb_s: Stated
    sequential_write_mb_s: Stated
    random_read_iops: Iops
    random_write_iops: Iops
    larger_read_iops: Iops | None = None
    """Random reads of larger blocks; no parameter rests on them."""
    mixed_iops: Mixed | None = None
    read_latency_us: Latency
    write_latency_us: Latency
    queue_depth: Count
    """Commands the drive takes at once."""
    compression: Figure[Annotated[float, Field(gt=0, le=1)]] | None = None
    """What a byte of the data behind these speeds takes in flash; none: the drive does not compress."""


class Fitted(Strict):
    """What no sheet states, found by running the simulated drive through its sheet's tests (`fitting`)."""

    link_command_ns: NonNegative | None = None
    link_write_command_ns: NonNegative | None = None
    read_command_ns: NonNegative | None = None
    write_command_ns: NonNegative | None = None
    copy_cost: Positive | None = None
    """What a copied page takes of the program rate, in host pages."""
    program_mb_s: Positive | None = None
    """Rate of all programs, copies included; else that of sequential writes."""
    effective_gib: Positive | None = None
    """Flash that data can move in, what dies have beyond their nominal size included; else the raw capacity."""
    read_overhead_ns: NonNegative | None = None
    write_overhead_ns: NonNegative | None = None
    read_ns: Positive | None = None
    """Time of a flash read, in place of that of the NAND generation."""


class Endurance(Strict):
    """Rated writes."""

    tbw_tb: Positive | None = None
    dwpd: Positive | None = None
    warranty_years: Positive
    pe_cycles: Range | None = None
    """In place of those of the NAND generation."""


class DiskEndurance(Strict):
    """A disk's warranty; its surfaces do not wear by writing."""

    warranty_years: Positive
    workload_tb_per_year: Positive | None = None
    """Reads and writes together that the failure rate is rated for."""


class Reliability(Strict):
    """How often it fails, by its maker's statement."""

    mtbf_mh: Positive
    """Million hours."""
    afr: Probability | None = None
    """Annual failure rate where the sheet states one."""
    uber: Probability
    """Unrecoverable errors per bit read."""


class Power(Strict):
    """Electrical power of the drive alone."""

    idle_w: NonNegative
    active_w: Positive
    read_w: Positive | None = None
    """Under reads alone, where the sheet has it."""
    write_w: Positive | None = None


class Disk(Strict):
    """Heads, platters and cache."""

    rpm: Positive
    surfaces: Count
    outer_mb_s: Stated
    inner_mb_s: Positive
    seek_track_ms: Positive
    seek_mean_ms: Stated
    seek_full_ms: Positive
    write_settle_ms: NonNegative
    head_switch_ms: Positive
    overhead_us: NonNegative
    cache_mib: Positive
    write_cache: Switch
    """Whether the volatile write cache is on as the drive is shipped."""
    queue_depth: Count
    scheduler: Figure[Literal["sptf", "look", "fifo"]] | None = None
    """How the disk orders its queue; shortest positioning time first where nothing is said."""
    random_read_iops: Iops | None = None
    """Where the sheet states it, with the requests outstanding."""


class Features(Strict):
    """What the host can ask of a drive besides its speed."""

    sector_bytes: Figure[Annotated[list[int], Field(min_length=1)]] | None = None
    """Sizes that it can be formatted to."""
    namespaces: Count | None = None
    data_placement: Switch | None = None
    """Whether the host can say which data to keep together (NVMe flexible data placement)."""


class SsdSheet(Strict):
    """File of a solid-state drive."""

    kind: Literal["ssd"]
    sources: dict[str, str]
    part_numbers: list[str] = Field(default_factory=list)
    identity: Identity
    capacity: SsdCapacity
    flash: Flash
    features: Features = Features()
    performance: Performance
    fitted: Fitted = Fitted()
    calibrated: Calibrated | None = None
    """Only where its latency under load was measured."""
    endurance: Endurance
    reliability: Reliability
    power: Power
    held_out: HeldOut | None = None
    """Only where the drive was fitted to runs."""


class HddSheet(Strict):
    """File of a rotating disk."""

    kind: Literal["hdd"]
    sources: dict[str, str]
    part_numbers: list[str] = Field(default_factory=list)
    identity: Identity
    capacity: HddCapacity
    disk: Disk
    measured: MeasuredDisk | None = None
    fitted_runs: list[str] = Field(default_factory=list)
    """Runs of a table of measured drives that figures here were fitted to: `controller randread 1x1`."""
    endurance: DiskEndurance
    reliability: Reliability
    power: Power
    held_out: HeldOut | None = None
    """Only where the disk was fitted to runs."""


class Nand(Strict):
    """A generation of flash.

    Geometry of a die and times of its operations, each with the range seen in its kind.
    """

    page_kib: Count
    pages_per_block: Count
    planes: Count
    plane_groups: Count
    """Groups of planes that serve different commands at once; to the simulator each is a separate die."""
    die_gib: Positive
    read_us: Range
    program_us: Range
    pages_per_program: Count
    """Flash pages of a plane that one `program_us` covers: 3 for a one-shot program of three-bit cells."""
    erase_ms: Range
    pe_cycles: Range
    bus_mt_s: Range
    """Transfers of one byte each, millions a second."""
    retention: Figure[str] | None = None
    """The rule in `[retention.rules]` that the cycles are rated by; none: nothing is known."""
    reads_per_block: Range | None = None
    """Reads of a block until it is written elsewhere; none: reads cost no programs."""
    streams: Count | None = None
    """Streams by age of the data that firmware of the generation's time keeps apart; none: all data are mixed."""
    worn_retries: Range | None = None
    """Repetitions of a page read, on average, after all rated cycles and for the oldest data; none: not known."""
    read_spread_us: Positive | None = None
    """How much longer the slowest type of its pages takes than the mean; none: all take as long."""
    read_retry: Probability | None = None
    """Share of the reads of new flash that are repeated; none: not known."""
    suspend_us: Positive | None = None
    """Time to suspend a program for a read, where the generation can."""
    suspend_wait_us: Positive | None = None
    """Mean time until a program or erase comes to where it can be suspended; none: it can be at any time."""
    erase_suspend_us: Positive | None = None
    """Time to suspend an erase for a read; none: as for a program."""

    @model_validator(mode="after")
    def _groups_divide_planes(self) -> Self:
        if self.planes.value % self.plane_groups.value:
            raise PydanticCustomError("range", "`plane_groups` must divide `planes`")
        return self


class RetentionRule(Strict):
    """How long flash keeps data without power after its last rated cycle."""

    months: Positive
    off_c: Figure[float | int]
    """Temperature without power."""
    on_c: Figure[float | int]
    """Temperature while the cycles were spent."""


class RetentionLaw(Strict):
    """How retention changes with cycles and temperature, and what temperatures are taken."""

    activation_ev: Positive
    slope: Range
    operating_c: Range
    storage_c: Range
    refresh_share: Range
    """Of the time data would keep, after which a powered drive writes them again."""
    rules: dict[str, RetentionRule]


class NandFile(Strict):
    """`nand.toml`."""

    sources: dict[str, str]
    retention: RetentionLaw
    generations: dict[str, Nand]

    @model_validator(mode="after")
    def _rules_are_known(self) -> Self:
        for name, nand in self.generations.items():
            if nand.retention is not None and nand.retention.value not in self.retention.rules:
                known = ", ".join(f"`{rule}`" for rule in self.retention.rules)
                raise PydanticCustomError(
                    "range",
                    "`generations.{name}.retention` names no rule; known are {known}",
                    {"name": name, "known": known},
                )
        return self


class Overhead(Strict):
    """What a lone request takes besides its work: sheets state it longer than drives were measured to take."""

    measured_us: NonNegative
    """Mean of the drives that were measured."""
    stated_us: NonNegative
    """What their sheets leave."""

    def of(self, stated_us: float) -> float:
        """Of a drive whose sheet leaves this much: less by as much as theirs at most, and none is below them."""
        return min(stated_us, max(self.measured_us.value, stated_us - self.beyond_us))

    @property
    def beyond_us(self) -> float:
        """By how much sheets are too long."""
        return self.stated_us.value - self.measured_us.value


class Interface(Strict):
    """A host link, one way."""

    line_mb_s: Positive
    """After line encoding."""
    efficiency: Figure[Annotated[float, Field(gt=0, le=1)]]
    """Share left for data after packet headers and framing."""
    half_duplex: Switch | None = None
    """Whether data go one way at a time; none: both ways at once."""
    write_jitter_us: NonNegative | None = None
    """Mean of what a write's time varies by in host, link and firmware; none: it does not vary."""
    read_overhead: Overhead | None = None
    """Of a lone read besides flash, transfers and command; none: as sheets have it."""
    write_overhead: Overhead | None = None
    """Of a lone write besides its transfer and command."""

    @property
    def as_stated(self) -> Self:
        """The link with overheads as the sheets of drives leave them."""
        return self.model_copy(update={"read_overhead": None, "write_overhead": None})

    @property
    def bytes_per_s(self) -> float:
        """Rate of data."""
        return self.line_mb_s.value * self.efficiency.value * 1e6


class InterfaceFile(Strict):
    """`interfaces.toml`."""

    sources: dict[str, str]
    interfaces: dict[str, Interface]


class Failures(Strict):
    """Annual failure rates of large fleets in service: data sheets are more hopeful."""

    ssd: Probability
    hdd: Probability


class FailureFile(Strict):
    """`failures.toml`."""

    sources: dict[str, str]
    annual_failure_rate: Failures
