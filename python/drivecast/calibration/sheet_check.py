"""A drive's data sheet as tests of the simulated drive.

Model. Each speed that a sheet states is a run of the simulator under the conditions of the sheet:

- sequential rates: 128 KiB, 32 outstanding, from the start of the drive;
- random rates: the sheet's block and depth (where it states none, 32 outstanding on SATA and SAS, 256 on PCIe: the
  depths that makers use), over the whole drive or, where the sheet says so, 8 GB of it;
- mixed rates: as random ones, with the sheet's share of reads;
- latencies: the mean of requests so rare that each finds the drive idle.

Writes meet a drive that the same writes have brought to its steady state, unless the sheet states a fresh one. For a
disk: the rate of its outermost zone; the time of a lone random read, against mean seek and half a turn; the same for
writes with the write cache off, with their settling; and random reads with many outstanding where its sheet has a
figure.

Of drives that nobody measured, lone requests take what the sheet says in these runs, not what others of the interface
were measured to take.

Left out: consistency and quality-of-service figures (nearly none of our sheets has them).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.drive import Drive
from drivecast.catalog.sheet import Disk, HddSheet, Iops, Latency, Mixed, SsdSheet, Stated
from drivecast.document.calibration import SheetCheck, SheetFigure, Verdict, VerdictCounts
from drivecast.stage import simulate as simulation
from drivecast.thread import over_cores

Unit = Literal["MB/s", "IOPS", "µs", "ms"]

TOLERANCE = 0.10
"""How far a simulated drive may be from its sheet."""
SPAN_BYTES = 8e9
STREAM_KIB = 128
STREAM_OUTSTANDING = 32
STREAM_REQUESTS = 8_000
READ_REQUESTS = 100_000
WRITE_REQUESTS = 500_000
"""So many that cleaning has come round on each die of the largest drive."""
LONE_REQUESTS = 500
LONE_SHARE = 0.01
"""Of the time, how much a lone request may take: so the next one nearly always finds the drive idle."""
DISK_REQUESTS = 4_000
MEASURED: dict[str | None, str] = {
    "measured": "a lone request was measured by others; sheets state more",
    "platform": "a lone request was measured of another drive of its platform; sheets state more",
}
"""Why latencies are not those of the sheet, by how they are known."""
WRITTEN_THROUGH = "[write_cache=off]"
"""How a disk is set for the time of a lone write."""


@dataclass(frozen=True)
class SheetTest:
    """One figure of a sheet and the run that must show it."""

    drive: Drive
    key: str
    """Of the figure in the drive's file, such as `performance.random_read_iops`."""
    name: str
    unit: Unit
    figure: Stated
    workload: str
    requests: int
    precondition: bool = False
    whole: float | None = None
    """What the run must show where that is more than the figure."""
    settings: str = ""
    """What the run sets otherwise than the drive is shipped, as a design has it: `[write_cache=off]`."""

    @property
    def stated(self) -> float:
        """What the run must show."""
        return self.figure.value if self.whole is None else self.whole

    @property
    def unmet(self) -> str | None:
        """Why no drive as simulated can reach the figure; none where it has to."""
        is_lone = self.unit == "µs"
        return (
            MEASURED.get(self.drive.latency_known) if is_lone and not self.figure.unmet else self.figure.unmet
        )


@dataclass(frozen=True)
class Result:
    """A test and what the simulated drive did."""

    test: SheetTest
    simulated: float

    @property
    def ratio(self) -> float:
        """Simulated over stated."""
        return self.simulated / self.test.stated

    @property
    def verdict(self) -> Verdict:
        """Whether it is near enough; a figure out of reach says why in the drive's file."""
        if abs(self.ratio - 1) <= TOLERANCE:
            return "within"
        return "beyond" if self.test.unmet is None else "excused"

    @property
    def row(self) -> SheetFigure:
        """The result as a document has it."""
        test = self.test
        return SheetFigure(
            drive=test.drive.name,
            test=test.name,
            key=test.key,
            unit=test.unit,
            stated=test.stated,
            provenance=test.figure.provenance,
            simulated=float(f"{self.simulated:.6g}"),
            ratio=round(self.ratio, 4),
            verdict=self.verdict,
            reason=test.unmet,
        )


def _size(block_bytes: int) -> str:
    return f"{block_bytes // 1024} KiB" if block_bytes % 1024 == 0 else f"{block_bytes} B"


def _stream(drive: Drive, way: str, figure: Stated) -> SheetTest:
    read = int(way == "read")
    line = f"sequential({STREAM_KIB}KiB, read={read}, iodepth={STREAM_OUTSTANDING})"
    key, name = f"performance.sequential_{way}_mb_s", f"sequential {way}"
    return SheetTest(drive, key, name, "MB/s", figure, line, STREAM_REQUESTS, precondition=not read)


def _random(drive: Drive, key: str, way: str, figure: Iops, read: float) -> SheetTest:
    usual = 256 if drive.sheet.identity.interface.startswith("PCIe") else 32
    depth = figure.outstanding or usual
    span = min(1.0, SPAN_BYTES / drive.user_bytes) if figure.state == "span-8gb" else 1.0
    line = f"random({figure.block_bytes}, read={read:g}, iodepth={depth}, span={span:g})"
    settled = read < 1 and figure.state != "fresh"
    state = f", {figure.state}" if read < 1 and figure.state != "unstated" else ""
    name = f"random {way} {_size(figure.block_bytes)}, {depth} outstanding{state}"
    requests = WRITE_REQUESTS if settled else READ_REQUESTS
    return SheetTest(drive, key, name, "IOPS", figure, line, requests, precondition=settled)


def _lone(drive: Drive, way: str, figure: Latency) -> SheetTest:
    rate = LONE_SHARE * 1e6 / figure.value
    line = f"{figure.pattern}({figure.block_bytes}, read={int(way == 'read')}, rate={rate:g}iops)"
    name = f"{way} latency, {figure.pattern} {_size(figure.block_bytes)}"
    return SheetTest(drive, f"performance.{way}_latency_us", name, "µs", figure, line, LONE_REQUESTS)


def _ssd_tests(drive: Drive, sheet: SsdSheet) -> list[SheetTest]:
    speed = sheet.performance
    mixed = speed.mixed_iops if isinstance(speed.mixed_iops, Mixed) else None
    rates: list[tuple[str, str, Iops | None, float]] = [
        ("random_read_iops", "read", speed.random_read_iops, 1.0),
        ("random_write_iops", "write", speed.random_write_iops, 0.0),
        ("larger_read_iops", "read", speed.larger_read_iops, 1.0),
    ]
    if mixed is not None:
        rates.append(("mixed_iops", f"{mixed.read_fraction:.0%} read", mixed, mixed.read_fraction))
    return [
        _stream(drive, "read", speed.sequential_read_mb_s),
        _stream(drive, "write", speed.sequential_write_mb_s),
        *(_random(drive, f"performance.{key}", way, rate, read) for key, way, rate, read in rates if rate),
        _lone(drive, "read", speed.read_latency_us),
        _lone(drive, "write", speed.write_latency_us),
    ]


def _hdd_tests(drive: Drive, disk: Disk) -> list[SheetTest]:
    """Of a lone random access: seek and half a turn; overhead and transfer are small next to them."""
    outer, seek, half_turn_ms = disk.outer_mb_s, disk.seek_mean_ms, 30e3 / disk.rpm.value
    line = f"sequential({STREAM_KIB}KiB, read=1, iodepth=4)"
    name = "sequential read, outer zone"
    tests = [SheetTest(drive, "disk.outer_mb_s", name, "MB/s", outer, line, DISK_REQUESTS)]
    for way, settle_ms, settings in (
        ("read", 0.0, ""),
        ("write", disk.write_settle_ms.value, WRITTEN_THROUGH),
    ):
        line, name = f"random(4096, read={int(way == 'read')}, iodepth=1)", f"random {way} access"
        test = SheetTest(drive, "disk.seek_mean_ms", name, "ms", seek, line, DISK_REQUESTS)
        tests.append(replace(test, whole=seek.value + settle_ms + half_turn_ms, settings=settings))
    if disk.random_read_iops is not None:
        tests.append(_random(drive, "disk.random_read_iops", "read", disk.random_read_iops, 1.0))
    return tests


def sheet_tests(drive: Drive) -> list[SheetTest]:
    """List what the drive's sheet states, as tests."""
    if isinstance(drive.sheet, HddSheet):
        return _hdd_tests(drive, drive.sheet.disk)
    return _ssd_tests(drive, drive.sheet)


def run(test: SheetTest, drive: Drive, catalog: Catalog) -> Result:
    """Run one test on `drive`, which need not be the catalog's own of that name, with the data of its sheet."""
    drive = replace(drive, interface=drive.interface.as_stated)
    if isinstance(drive.sheet, SsdSheet) and drive.sheet.performance.compression is not None:
        drive = replace(drive, compression=drive.sheet.performance.compression.value)
    alone = replace(catalog, drives={drive.name: drive})
    options = simulation.Options(requests=test.requests, state="steady" if test.precondition else "fresh")
    outcome = simulation.simulate(
        f"{drive.name}{test.settings}", simulation.workload(test.workload), alone, options
    )
    if test.unit == "IOPS":
        return Result(test, outcome.iops)
    if test.unit == "MB/s":
        return Result(test, outcome.throughput_bytes_per_s / 1e6)
    latency_ns = outcome.latency_of("read" if outcome.read.requests else "write", "mean")
    return Result(test, latency_ns / {"µs": 1e3, "ms": 1e6}[test.unit])


def check(
    catalog: Catalog, names: Iterable[str], update: Callable[[float, str], None], threads: int | None = None
) -> SheetCheck:
    """Run all tests of the drives named, on all cores; rows in the order of the names.

    Raises `CatalogError` for a name that the catalog does not have.
    """
    tests = [test for drive in map(catalog.get, names) for test in sheet_tests(drive)]
    results = over_cores(
        lambda test: run(test, test.drive, catalog),
        tests,
        lambda share, test: update(share, test.drive.name),
        threads,
    )
    verdicts = [result.verdict for result in results]
    counts = {verdict: verdicts.count(verdict) for verdict in ("within", "beyond", "excused")}
    return SheetCheck(
        tolerance=TOLERANCE, counts=VerdictCounts(**counts), tests=[result.row for result in results]
    )
