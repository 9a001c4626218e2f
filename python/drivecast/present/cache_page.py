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
    policies = found.policies
    text = filled(
        "cache.html",
        found=found,
        unit=cache_curves.UNITS[found.by],
        heads=[cache_curves.TITLES.get(policy, policy) for policy in policies],
        rows=found.by_size(),
        first=[point for point in found.curves if point.policy == policies[0]],
        titles=cache_curves.TITLES,
        figures=[] if chart is None else [Figure("cache-miss-ratio", chart)],
    )
    write_whole(path, text)
