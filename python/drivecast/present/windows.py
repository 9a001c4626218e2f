"""Windows that represent a trace, as a table: what each cluster is, and how often it counts."""

from pathlib import Path

from drivecast.document.windows import Windows
from drivecast.present import grid
from drivecast.quantity import number


def lines(path: Path, header: Windows) -> list[grid.Line]:
    """The clusters, and what their choice may be off."""
    rows = [
        (
            cluster.name,
            f"{cluster.weight:g}",
            number.significant(cluster.iops, 3),
            f"{number.size(cluster.bytes_per_s)}/s",
            f"{cluster.read_fraction:.0%}",
        )
        for cluster in header.clusters
    ]
    kept = sum(len(cluster.windows) for cluster in header.clusters)
    said = (
        f"{path}: {kept} of {header.windows} windows of {number.duration(header.window_s)}; "
        f"four fifths of the quantiles on another design within {header.error:.0%}, estimated on designs left out"
    )
    return [*grid.table(("<", "weight", "IOPS", "bytes", "reads"), rows), said, *header.notes]


def changed(path: Path, header: Windows) -> list[grid.Line]:
    """What of the windows in a file is no longer as it was fitted."""
    return [f"{path}: {len(header.clusters)} clusters", *header.notes]
