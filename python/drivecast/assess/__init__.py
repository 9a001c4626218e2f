"""Arithmetic over outcomes: endurance, reliability, power and cost.

Pure functions over small frozen values; units stand last in every name. Nothing here reads a file or
simulates.
"""

from drivecast.assess.cost import Cost, Purchase, Upkeep, WearOut, cost_over_years, wear_out
from drivecast.assess.endurance import (
    Course,
    Endurance,
    FlashRating,
    bytes_within,
    end_date,
    life,
    member_bytes_per_day,
    replacements,
    years_until,
)
from drivecast.assess.power import Site, energy_kwh, watts
from drivecast.assess.rating import failure_rate, flash_rating, retention, site
from drivecast.assess.reliability import (
    Array,
    DataLoss,
    Level,
    annual_failure_rate,
    data_loss,
    mean_time_between_failures_h,
    mean_time_to_data_loss_h,
    rebuild_time_h,
    unreadable_probability,
)
from drivecast.assess.retention import Retention, Rule
from drivecast.assess.sensitivity import Input, Move, combined, moves
from drivecast.assess.step import Account, Origin, steps
from drivecast.quantity.interval import Interval

__all__ = [
    "Account",
    "Array",
    "Cost",
    "Course",
    "DataLoss",
    "Endurance",
    "FlashRating",
    "Input",
    "Interval",
    "Level",
    "Move",
    "Origin",
    "Purchase",
    "Retention",
    "Rule",
    "Site",
    "Upkeep",
    "WearOut",
    "annual_failure_rate",
    "bytes_within",
    "combined",
    "cost_over_years",
    "data_loss",
    "end_date",
    "energy_kwh",
    "failure_rate",
    "flash_rating",
    "life",
    "mean_time_between_failures_h",
    "mean_time_to_data_loss_h",
    "member_bytes_per_day",
    "moves",
    "rebuild_time_h",
    "replacements",
    "retention",
    "site",
    "steps",
    "unreadable_probability",
    "watts",
    "wear_out",
    "years_until",
]
