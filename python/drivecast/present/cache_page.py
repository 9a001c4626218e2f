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
    chart = cache_curve.miss_ratio(found)
    policies = list(dict.fromkeys(point.policy for point in found.curves))
    points = {(point.policy, point.size_bytes): point for point in found.curves}
    text = filled(
        "cache.html",
        found=found,
        unit=cache_curves.UNITS[found.by],
        heads=[cache_curves.TITLES.get(policy, policy) for policy in policies],
        rows=[
            (size, [points[policy, size] for policy in policies])
            for size in sorted({point.size_bytes for point in found.curves})
        ],
        first=[point for point in found.curves if point.policy == policies[0]],
        titles=cache_curves.TITLES,
        figures=[] if chart is None else [Figure("cache-miss-ratio", chart)],
    )
    write_whole(path, text)
