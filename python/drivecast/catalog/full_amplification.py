"""Write amplification of a full drive, in closed form.

Model. Uniform random writes over a drive whose blocks are cleaned in order of age: with T bytes of flash for U of data,
WA = 1 / (1 - exp(-T / (U WA))) (Xiang and Kurkoski 2011). Left out: that greedy cleaning copies a few per cent less.
"""

import math


def full_drive_amplification(raw_over_user: float) -> float:
    """Return the write amplification, for T / U."""
    amplification = 1.0
    for _ in range(200):  # the iteration contracts by a fixed factor below 1; 200 steps reach the last digit
        amplification = 1 / -math.expm1(-raw_over_user / amplification)
    return amplification
