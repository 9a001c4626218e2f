"""Reads at the end of the service: of flash that is worn by then, and of the oldest data.

Model. The peak is run again with the share of the rated cycles that the workload will have used, when reads are
repeated more often (`worn_retries` of the generation). The interval spans slow flash after the fastest wear and fast
flash after the slowest, besides what the intervals of a new drive span. Left out: programs and erases, whose times
change with wear, too.
"""

from drivecast.assess.endurance import Endurance
from drivecast.catalog import Corner
from drivecast.document.plan import Worn
from drivecast.plan.latencies import latencies
from drivecast.plan.trial import Bench
from drivecast.quantity.interval import Interval, Span
from drivecast.stage.design import Design
from drivecast.thread import over_cores


def worn_reads(design: Design, life: Endurance | None, bench: Bench) -> Worn | None:
    """Return p99 of reads after the years of service; none where nothing is known of what wear does to reads."""
    if life is None or design.drive.nand is None or design.drive.nand.worn_retries is None:
        return None
    used = _used(life, bench.requirements.years)
    ends: tuple[tuple[Corner, float], ...] = (
        ("typical", used.value),
        ("slow", used.high),
        ("fast", used.low),
    )
    runs = over_cores(lambda end: bench.run(design, corner=end[0], wear=end[1]), ends)
    found = latencies(runs, design.drive.latency_errors)["read", "p99"]
    if found is None:
        return None
    return Worn(
        cycles_used=Span(used.low, used.value, used.high),
        read_p99_ns=Span(found.low, found.value, found.high),
    )


def _used(life: Endurance, years: float) -> Interval:
    """Share of the rated cycles used, at most all of them: a design that outlives its flash does not fit."""
    cycles, rated = life.cycles_after(years), life.rating.pe_cycles
    shares = cycles.low / rated.high, cycles.value / rated.value, cycles.high / rated.low
    return Interval(*(min(1.0, share) for share in shares))
