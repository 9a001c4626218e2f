"""Student's t distribution for a whole number of degrees of freedom: the factor of an interval from few samples.

Its model is in `crates/assess/src/latency.rs`.
"""

from drivecast import _core


def quantile(degrees: int, probability: float) -> float:
    """The value that T does not exceed with `probability`, which is at least 1/2 and below 1."""
    return _core.student(degrees, probability)
