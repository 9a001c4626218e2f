"""Caches of a trace as one self-contained HTML page."""

from pathlib import Path

from drivecast.document.cache import CacheCurves
from drivecast.files import write_whole
from drivecast.present import cache_curves
from drivecast.present.drawing import Figure
from drivecast.present.figure import cache_curve
from drivecast.present.page import filled


def write(found: CacheCurves, path: Path) -> None:
    """Write the page, whole or not at all."""
    timed = found.latency
    charts = {
        "cache-miss-ratio": cache_curve.miss_ratio(found),
        "cache-latency": cache_curve.latency(timed) if timed else None,
    }
    policies = found.policies
    text = filled(
        "cache.html",
        found=found,
        unit=cache_curves.UNITS[found.by],
        heads=[cache_curves.TITLES.get(policy, policy) for policy in policies],
        rows=found.by_size(),
        first=[point for point in found.curves if point.policy == policies[0]],
        titles=cache_curves.TITLES,
        figures=[Figure(name, chart) for name, chart in charts.items() if chart is not None],
        latency_title=cache_curves.latency_title(timed) if timed else None,
        latency_rows=[cache_curves.latency_cells(row) for row in timed.rows] if timed else [],
        latency_reading=cache_curves.LATENCY_READING,
    )
    write_whole(path, text)
