"""A recording as text: what was recorded, what it cost, where it is."""

from drivecast.document.recording import Recording
from drivecast.present import grid
from drivecast.present.grid import Line
from drivecast.quantity import number


def text(found: Recording) -> list[Line]:
    """Return a recording in lines."""
    counters, trace = found.counters, found.trace
    share = number.percent(found.cpu_fraction)
    kernel = "; the kernel's part in each request comes on top" if trace else ""
    load = (
        f"{number.iops(counters.iops_mean)} IOPS, {number.throughput(counters.throughput_mean_bytes_per_s)}",
        f"{number.percent(counters.read_fraction)} reads, {number.binary_size(counters.block_size_mean_bytes)}",
        f"depth {number.significant(counters.queue_depth_mean, 2)}",
    )
    rows = [
        ("counters", f"{counters.reads:,.0f} reads, {counters.writes:,.0f} writes: {', '.join(load)}"),
        ("overhead", f"{found.cpu_s:.2f} s of CPU for the recording, {share} of a core{kernel}"),
        ("written", ", ".join(filter(None, (counters.path, trace.path if trace else None)))),
    ]
    if trace:
        lost = f"{trace.lost:,} events lost" if trace.lost else "none lost"
        rows.insert(1, ("trace", f"{trace.rows:,} requests, {lost}"))
    ended = " (interrupted)" if found.interrupted else ""
    return [f"{found.device}  {number.duration(found.seconds)}{ended}", *grid.pairs(rows, indent=0)]
