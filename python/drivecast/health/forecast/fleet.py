"""Questions to a whole fleet: replacements in each quarter, and groups whose drives end together.

The table is that of `in_service`: a row a drive, judged.

**Replacements.** A drive ends in a quarter with the chance p that its distribution gives between the quarter's days.
The expected count is the sum of p. Its interval is that of a sum of independent draws with these chances: exact by
convolution for the chances above 5 %, and as a Poisson variable for the many small ones. Drives of one array share a
workload and are not independent; the interval says nothing of a change that hits all of them. An end is that of the
flash or of the spare, whichever has the earlier median; what fails now counts in the first quarter (`BY_NOW`). A
warranty that ends is no replacement.

**Groups of one age.** Drives of one array share its writes, so what moves one end moves all of them, and their medians
keep their distances. A group is at risk where more of its drives end within `WINDOW_DAYS` of each other (noticing,
ordering, exchanging, rebuilding) than one.
"""

from datetime import date, datetime
from itertools import pairwise

import numpy as np
import polars as pl

from drivecast.document.forecast import Group, Quarter
from drivecast.health.forecast.day_grid import Floats
from drivecast.health.forecast.horizon import YEAR_DAYS, YEARS_MAX
from drivecast.health.forecast.limit_dates import SHARES
from drivecast.quantity.year import DAY_S

WINDOW_DAYS = 14
BY_NOW = ("failing", "spare low", "errors grow", "worn", "flash ended")
SMALL_CHANCE = 0.05
QUARTERS = 20
UNIX_START = date(1970, 1, 1)


def quarters(table: pl.DataFrame, *, now: datetime, level: float, count: int = QUARTERS) -> list[Quarter]:
    """Count the drives of a forecast that end in each of the next `count` quarters."""
    first = now.year * 4 + (now.month - 1) // 3
    starts = [date(place // 4, place % 4 * 3 + 1, 1) for place in range(first, first + count + 1)]
    chance = reached(table, starts[1:])
    before: Floats = np.zeros(len(chance))
    rows = []
    for number, (start, end) in enumerate(pairwise(starts)):
        inside = chance[:, number] - before
        before = chance[:, number]
        low, high = bounds(inside, level)
        quarter = Quarter(
            quarter=f"{start.year}-Q{(start.month + 2) // 3}",
            start=start,
            end=end,
            replacements=float(inside.sum()),
            replacements_low=low,
            replacements_high=high,
            cumulative=float(before.sum()),
        )
        rows.append(quarter)
    return rows


def reached(table: pl.DataFrame, days: list[date]) -> Floats:
    """Return the chance that each drive's end comes before each of `days`, drives × days.

    In the order of the table, those with no end left out; what is due already comes last.
    """
    table = table.with_columns(due=_due())
    surely = np.ones((table.filter("due").height, len(days)))
    open_ = table.filter(~pl.col("due") & pl.col("end_days").is_not_null())
    if open_.is_empty():
        return surely
    ends = np.stack(list(open_["end_days"].to_numpy())).astype(np.float64)
    points = np.concatenate([ends[:, :1] / 2, ends], axis=1)
    levels = np.array([0.0, *SHARES[:-1], 1.0])  # the last quantile counts as sure
    last = open_["last_seen"].dt.epoch("s").to_numpy() / DAY_S
    rows = np.arange(len(points))
    chance = np.zeros((len(points), len(days)))
    for number, day in enumerate(days):
        passed = (day - UNIX_START).days - last
        place = (points <= passed[:, None]).sum(axis=1)
        left, right = np.maximum(place - 1, 0), np.minimum(place, len(levels) - 1)
        start = points[rows, left]
        with np.errstate(invalid="ignore", divide="ignore"):
            width = points[rows, right] - start
            share = np.where(np.isfinite(width) & (width > 0), (passed - start) / width, 0.0)
        chance[:, number] = np.where(place == 0, 0.0, levels[left] + share * (levels[right] - levels[left]))
    return np.concatenate([chance, surely])


def _due() -> pl.Expr:
    """Whether a drive is to be replaced whatever its forecast is."""
    kinds = pl.col("concerns").list.eval(pl.element().struct.field("kind").is_in(BY_NOW))
    return kinds.list.any().fill_null(value=False)


def ending(table: pl.DataFrame, day: date, least: float) -> pl.DataFrame:
    """Return the drives that end by `day` with a chance of `least` or more, likeliest first, and that `chance`."""
    table = table.with_columns(due=_due())
    open_, surely = table.filter(~pl.col("due") & pl.col("end_days").is_not_null()), table.filter("due")
    both = pl.concat([open_, surely]).with_columns(chance=pl.Series(reached(table.drop("due"), [day])[:, 0]))
    likely = both.drop("due").filter(pl.col("chance") >= least)
    return likely.sort("chance", "drive", descending=[True, False])


def bounds(chances: Floats, level: float) -> tuple[int, int]:
    """Return the bounds that hold a sum of independent draws with the chance `level`, or more."""
    tail = (1 - level) / 2
    certain = int((chances >= 1 - 1e-9).sum())
    large = chances[(chances > SMALL_CHANCE) & (chances < 1 - 1e-9)]
    small = float(chances[chances <= SMALL_CHANCE].sum())
    shares = np.ones(1)
    if large.size > 2000:  # the sum of so many is normal to less than one drive
        middle, width = float(large.sum()), float(np.sqrt((large * (1 - large)).sum()))
        counts = np.arange(large.size + 1)
        shares = np.exp(-0.5 * ((counts - middle) / width) ** 2)
        shares /= shares.sum()
    else:
        for chance in large:
            shares = np.convolve(shares, [1 - chance, chance])
    counts = np.arange(int(small + 10 * np.sqrt(small) + 20))
    logs = counts * np.log(max(small, 1e-300)) - small - np.cumsum(np.log(np.maximum(counts, 1)))
    below = np.cumsum(np.convolve(shares, np.exp(logs)))
    low, high = (int(np.searchsorted(below, share * below[-1])) for share in (tail, 1 - tail))
    return certain + low, certain + high


def groups(table: pl.DataFrame, window_days: int = WINDOW_DAYS) -> list[Group]:
    """Return the groups by their first end, with the most drives that end within `window_days` of each other."""
    median = pl.col("end_days").arr.get(SHARES.index(0.5))
    near = pl.when(median.is_finite() & (median < YEARS_MAX * YEAR_DAYS)).then(median * DAY_S)
    end = (pl.col("last_seen") + pl.duration(seconds=near.round().cast(pl.Int64))).dt.date()
    known = table.filter(pl.col("group").is_not_null()).with_columns(end=end).sort("end", nulls_last=True)
    found = []
    for (name,), part in known.group_by("group", maintain_order=True):
        ends = part["end"].drop_nulls()
        days = ends.to_physical().to_numpy()  # in order
        inside = np.searchsorted(days, days + window_days, "right") - np.arange(days.size)
        within = int(inside.max(initial=0))
        group = Group(
            group=str(name),
            drives=part.height,
            first_end=ends[0] if ends.len() else None,
            last_end=ends[-1] if ends.len() else None,
            within_window=within,
            at_risk=within > 1,
        )
        found.append(group)
    return sorted(found, key=lambda group: (group.first_end or date.max, group.group))
