"""What a predicted latency may be in truth, by how far predictions of real drives were off.

The model and its arithmetic are in `crates/assess/src/latency.rs`, which the page of a report calls, too.
"""

from collections.abc import Sequence

from drivecast import _core
from drivecast.catalog.latency_error import Spread


def bounds(spread: Spread, predicted_ns: float) -> tuple[float, float]:
    """Return the 80 % interval of a prediction, which it holds, in ns."""
    return _core.latency_bounds(_errors(spread), predicted_ns)


def one_more(logarithms: Sequence[float], count: int) -> tuple[float, float]:
    """Return the 80 % interval of the factor of one more device, by the logarithms of those of `count` devices."""
    return _core.one_more(list(logarithms), count)


def chance(spread: Spread, predicted_ns: float, limit_ns: float) -> float:
    """Return the chance that the true value is at most `limit_ns`; never certain, for want of more errors."""
    return _core.latency_chance(_errors(spread), predicted_ns, limit_ns)


def _errors(spread: Spread) -> list[tuple[list[float], list[float]]]:
    return [(each.ratios, each.excess_us) for each in spread.drives]
