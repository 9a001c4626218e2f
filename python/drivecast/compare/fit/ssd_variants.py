"""A solid-state drive from outside: flash reads, controller, rates, dies, spare.

Model. The drive of the simulator, with flash of a usual generation. A lone read takes overhead + flash read +
transfer; reads at depth N keep D dies busy at most, each 1 / read time of them a second (Little's law), unless the
controller or the link ends it first; a lone write ends in the buffer, and writes continue at the rate of programs. The
cost of copies and the spare shows only in steady random writes, compared with writes to a fresh drive.

Starting values: overhead and flash from the median of lone reads, rates from the fastest runs, the controller's time
from the most requests a second. Dies come in powers of two: those around the number that the most reads a second keep
busy are the variants. Left out: geometry of a die, bus, erase time, cleaning policy: taken from the generation,
assumed.
"""

import math
from collections.abc import Sequence

from drivecast.compare.fit.observation import Observation
from drivecast.compare.fit.variant import (
    NOT_MEASURED,
    Content,
    Figure,
    Parameter,
    Target,
    Variant,
    assumed,
    identity,
)
from drivecast.document.outcome import OPS
from drivecast.errors import HintedError

GENERATION = "tlc-128-176l"
FLASH_SHARE = 0.6
"""Of a lone read's time, to begin with."""
CHANNELS = 8
SPARE = 1.1
"""Flash over capacity where it is not measured."""
GIB = 1 << 30
LONE = "at depth 1"


def _lone(observations: Sequence[Observation], op: str) -> float | None:
    """Median of the smallest lone requests, in ns."""
    runs = [run for run in observations if run.depth == 1 and f"{op}.q0.5" in run.figures]
    if not runs:
        return None
    return min(runs, key=lambda run: run.block_bytes).figures[f"{op}.q0.5"]


def _most(observations: Sequence[Observation], name: str) -> float | None:
    return max((run.figures[name] for run in observations if name in run.figures), default=None)


def _rate(observations: Sequence[Observation], op: str) -> float:
    """Most bytes a second of an operation, in MB/s."""
    rates = [
        run.figures["bytes_per_s"] * run.figures[f"{op}.iops"] / run.figures["iops"] / 1e6
        for run in observations
        if f"{op}.iops" in run.figures
    ]
    return max(rates, default=500.0)


def _reads(observations: Sequence[Observation], lone: float, *, in_line: bool) -> list[Parameter]:
    most = _most(observations, "read.iops") or 1e5
    command = "fitted.link_command_ns" if in_line else "fitted.read_command_ns"
    deep, streams = "random reads to depth 256", "reads of 128 KiB and more at depth 16"
    rate = _rate(observations, "read")
    flash = lone * FLASH_SHARE
    return [
        Parameter("fitted.read_ns", flash, 2e3, 1e6, "ns", "time of a flash read", deep, flash),
        Parameter(
            "fitted.read_overhead_ns", lone * 0.3, 10, 1e7, "ns", "part of a read's time that occupies nothing",
            f"reads {LONE}",
        ),
        Parameter(command, 0.7e9 / most, 1, 1e8, "ns", "controller's time of a read", deep),
        Parameter(
            "performance.sequential_read_mb_s", rate * 1.1, rate / 4, rate * 10, "MB/s",
            "controller's rate of reads", streams, rate,
        ),
    ]  # fmt: skip


def _writes(observations: Sequence[Observation], lone: float, *, in_line: bool) -> list[Parameter]:
    most = _most(observations, "write.iops") or 1e5
    command = "fitted.link_write_command_ns" if in_line else "fitted.write_command_ns"
    rate = _rate(observations, "write")
    return [
        Parameter(
            "fitted.write_overhead_ns", lone * 0.8, 10, 1e7, "ns", "part of a write's time that occupies nothing",
            f"writes {LONE}",
        ),
        Parameter(command, 0.5e9 / most, 1, 1e8, "ns", "controller's time of a write", "writes to depth 256"),
        Parameter(
            "fitted.program_mb_s", rate * 1.1, rate / 4, rate * 10, "MB/s", "rate of all programs",
            "writes over minutes", rate,
        ),
    ]  # fmt: skip


def _spare(observations: Sequence[Observation], user_gib: float) -> list[Parameter]:
    """What steady writes show, where there are any besides fresh ones."""
    steady = [
        run for run in observations if run.settings.get("state") == "steady" and "write.q0.5" in run.figures
    ]
    if not steady:
        return []
    writes = "random writes over the whole drive, fresh and steady"
    return [
        Parameter(
            "capacity.raw_gib", user_gib * 1.2, user_gib * 1.03, user_gib * 2.5, "", "flash built in, GiB", writes,
            user_gib * SPARE,
        )
    ]  # fmt: skip


def _link(target: Target) -> str:
    transport = str(target.described.get("transport") or "nvme").lower()
    return "SATA 6G" if transport in ("sata", "ata") else "SAS 12G" if transport == "sas" else "PCIe 4.0 x4"


def _performance(observations: Sequence[Observation]) -> Content:
    """The figures of a sheet, as measured."""
    found: Content = {}
    for op in OPS:
        most, lone = _most(observations, f"{op}.iops"), _lone(observations, op)
        found[f"random_{op}_iops"] = (
            {"value": most, "measured": "runs"} if most else assumed(1e5, f"no run has {op}s")
        )
        found[f"{op}_latency_us"] = (
            {"value": lone / 1e3, "measured": "runs"}
            if lone
            else assumed(100.0, f"no lone {op} was measured")
        )
    return found


def _counts(most_reads: float, flash_ns: float) -> list[int]:
    """Numbers of dies to try: powers of two around those that the most reads keep busy."""
    busy = max(most_reads * flash_ns * 1e-9, 1.0)
    first = min(max(math.ceil(math.log2(busy)), 1), 8)
    return [2**power for power in range(max(first - 1, 0), first + 3)]


def _content(target: Target, observations: Sequence[Observation], dies: int) -> Content:
    channels = min(CHANNELS, dies)
    user_gb = target.capacity_bytes / 1e9
    usual = "as drives of its kind"
    return {
        "kind": "ssd",
        "sources": {"runs": "the measured runs that the rest was fitted to"},
        "identity": identity(
            target, "nvme-tlc-ri" if _link(target).startswith("PCIe") else "sata", _link(target)
        ),
        "capacity": {
            "user_gb": assumed(user_gb, "size of the target"),
            "raw_gib": assumed(target.capacity_bytes / GIB * SPARE, "no steady random writes show it"),
        },
        "flash": {
            "nand": GENERATION,
            "channels": assumed(channels, usual),
            "dies_per_channel": {
                "value": dies // channels,
                "fitted": "dies, in powers of two, that agree best with reads at depth",
            },
            "mapping_kib": assumed(4, usual),
            "buffer_mib": assumed(16, usual),
            "power_loss_protection": assumed(True, usual),
        },
        "performance": {**_performance(observations), "queue_depth": assumed(256, usual)},
        "fitted": {"copy_cost": assumed(1.0, "copies cost what host writes do")},
        "endurance": {"dwpd": assumed(1.0, NOT_MEASURED), "warranty_years": assumed(5, NOT_MEASURED)},
        "reliability": {"mtbf_mh": assumed(2.0, NOT_MEASURED), "uber": assumed(1e-17, NOT_MEASURED)},
        "power": {"idle_w": assumed(5.0, NOT_MEASURED), "active_w": assumed(12.0, NOT_MEASURED)},
    }


def variants(observations: Sequence[Observation], target: Target) -> list[Variant]:
    """One for each number of dies. Raises `InputError` where there is no lone read."""
    read, write = _lone(observations, "read"), _lone(observations, "write")
    if read is None:
        raise HintedError(
            "an SSD is fitted to reads at depth 1, and there are none", "run a sweep that begins at depth 1"
        )
    in_line = not _link(target).startswith("PCIe")
    parameters = _reads(observations, read, in_line=in_line)
    if write is not None:
        parameters += _writes(observations, write, in_line=in_line)
    parameters += _spare(observations, target.capacity_bytes / GIB)
    counts = _counts(_most(observations, "read.iops") or 1e5, read * FLASH_SHARE)
    return [
        Variant(f"{dies} dies", tuple(parameters), _content(target, observations, dies), _completed)
        for dies in counts
    ]


def _completed(made: Content) -> None:
    """Add the rate of sequential writes: that of programs, where writes were measured."""
    rate: Figure | None = made["fitted"].get("program_mb_s")
    made["performance"]["sequential_write_mb_s"] = rate or assumed(500.0, "no run has writes")
