"""What a wear run reports, made up: the documents of designs that nothing simulated."""

from datetime import date
from typing import Any

from drivecast.document.wear import Wear

FIGURES: dict[str, Any] = {
    "design": "ssd(logical=4GiB, spare_factor=0.28)",
    "seed": 1,
    "write_amplification": 2.0,
    "write_amplification_low": 1.5,
    "write_amplification_high": 3.0,
    "steady": True,
    "host_pages": 1000,
    "copied_pages": 1000,
    "levelled_pages": 0,
    "erases": 10,
    "erase_count_min": 3,
    "erase_count_mean": 6.25,
    "erase_count_max": 9,
    "erase_count_deviation": 1.5,
    "fill": 1.0,
    "scale": 1.0,
    "members": 1,
    "parity_factor": 1.0,
    "rounding_factor": 1.0,
    "host_bytes_written": 4_096_000,
    "member_host_bytes_max": 4_096_000,
    "drives": [],
    "date": date(2026, 1, 1),
    "years": 5.0,
}


def wear(**change: Any) -> Wear:
    """The wear of a design, with these figures."""
    return Wear(**{**FIGURES, **change})
