"""How long a day is, and a year: `docs/decisions/0019-two-years.md`; and which day it is."""

import os
import time
from datetime import UTC, date, datetime

DAY_S = 86_400

HOURS_PER_YEAR = 8766.0
"""Of service, energy and cost: the Julian year of 365.25 days."""

MTBF_HOURS_PER_YEAR = 8760.0
"""Of annual failure rates: makers turn an MTBF into one, and fleets count drive days into years, by 365 days."""


def today() -> date:
    """The day it is, by `SOURCE_DATE_EPOCH` where that is set, so that a page can be made again to the byte."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch) if epoch.isdecimal() else time.time(), UTC).date()
