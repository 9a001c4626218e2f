"""What a maker states of a drive, and how much of it was read in a document.

Model: the figures that a data sheet prints: capacity, speeds and latencies, rated writes, warranty, failure and error
rates, power; of a disk also its speed of rotation, outer rate, cache and yearly workload. The rest of a drive's file,
such as channels, dies and seek curves, is in no sheet: it follows from the class or from a fit, and is left out here.
"""

from collections.abc import Iterator

from pydantic import BaseModel

from drivecast.catalog.drive import Drive
from drivecast.catalog.figure import Sourced
from drivecast.document.catalog import Provenance

STATED = frozenset(
    {
        "user_gb",
        "sequential_read_mb_s",
        "sequential_write_mb_s",
        "random_read_iops",
        "random_write_iops",
        "read_latency_us",
        "write_latency_us",
        "tbw_tb",
        "dwpd",
        "warranty_years",
        "mtbf_mh",
        "afr",
        "uber",
        "idle_w",
        "active_w",
        "read_w",
        "write_w",
        "rpm",
        "outer_mb_s",
        "cache_mib",
        "workload_tb_per_year",
    }
)


def figures(drive: Drive) -> Iterator[tuple[str, Sourced]]:
    """The figures that a maker states, of those that the drive's file has."""
    for _, part in drive.sheet:
        if isinstance(part, BaseModel):
            for name, figure in part:
                for stated in figure if isinstance(figure, tuple | list) else (figure,):
                    if name in STATED and isinstance(stated, Sourced):
                        yield name, stated


def assumed_share(drive: Drive) -> float:
    """The share of those figures that no document was read for."""
    known = [figure.provenance is Provenance.ASSUMED for _, figure in figures(drive)]
    return sum(known) / len(known)
