"""Histories of drives whose future is known, for measuring how often an interval holds the truth.

Kinds of workload, each with parameters drawn for every drive from wide ranges that owe nothing to the forecast's model:

    constant   gamma noise, 5 % of the mean a day
    weekly     weekends at 10 to 70 % of a weekday, noise 15 %; by the hour also a daily cycle
    bursty     log-normal, sigma 0.5 to 1.5, today's logarithm keeping 0 to 0.7 of yesterday's
    drift      random walk of the logarithm, 0.1 to 0.6 a root year, noise 20 %
    growth     steadily -30 % to +40 % a year, noise 20 %
    steps      0.5 to 2 changes a year by a normal logarithm of sigma 0.8, noise 30 %

Counters move in bytes, data units (512,000 B), 32 MiB or 1 GB; days go missing; some counters are reset. Flash bytes
are host bytes times a write amplification that changes with each step of the workload; wear is their share of what the
flash takes, told in whole percents or in thousandths of one.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

KINDS = ("constant", "weekly", "bursty", "drift", "growth", "steps")
STEPS = (1.0, 512_000.0, float(2**25), 1e9)
FUTURE_DAYS = 3650
DAY_S = 86_400
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Drive:
    """One drive: what its history shows and what comes after."""

    kind: str
    days: int
    """Length of the history."""
    step: float
    wear_step: float
    samples: pl.DataFrame
    """`time`, `host_written_bytes`, `nand_written_bytes`, `wear_ratio`, `power_on_hours`."""
    future: Floats
    """Bytes the host will have written after 0, 1, 2, … days."""
    worn: Floats
    """Wear then."""
    rate: float
    """Mean bytes a day over the history."""
    changed: list[int]
    """Days before the last sample on which the level jumped."""


def daily(kind: str, random: np.random.Generator, days: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Bytes of each day in units of the drive's own rate, and the days on which the level jumped."""
    none = np.zeros(days, dtype=bool)

    def noise(share: float) -> Floats:
        return random.gamma(share**-2, share**2, days)

    match kind:
        case "constant":
            return noise(0.05), none
        case "weekly":
            weekend = random.uniform(0.1, 0.7)
            return np.where((np.arange(days) + random.integers(7)) % 7 < 5, 1.0, weekend) * noise(0.15), none
        case "bursty":
            sigma, memory = random.uniform(0.5, 1.5), random.uniform(0.0, 0.7)
            shocks = random.normal(size=days) * np.sqrt(1 - memory**2)
            shocks[0] /= np.sqrt(1 - memory**2)
            kept = np.arange(60)
            walk = np.convolve(shocks, memory**kept)[:days]
            return np.exp(sigma * walk - sigma**2 / 2), none
        case "drift":
            scale = random.uniform(0.1, 0.6) / np.sqrt(365)
            return np.exp(np.cumsum(random.normal(size=days)) * scale) * noise(0.2), none
        case "growth":
            return (1 + random.uniform(-0.3, 0.4)) ** (np.arange(days) / 365) * noise(0.2), none
        case "steps":
            jumps = random.random(days) < random.uniform(0.5, 2.0) / 365
            level = np.cumsum(np.where(jumps, random.normal(size=days) * 0.8, 0.0))
            return np.exp(level) * noise(0.3), jumps
    raise ValueError(kind)


def drive(
    kind: str, days: int, random: np.random.Generator, *, hourly: bool = False, resets: bool = False
) -> Drive:
    """Draw one drive."""
    before = int(random.integers(0, 700))
    whole = before + days + FUTURE_DAYS
    shape, jumps = daily(kind, random, whole)
    written = shape * 10 ** random.uniform(9.5, 12.0)
    host = np.concatenate([[0.0], np.cumsum(written)])
    amplification = random.uniform(1.1, 4.0) * np.exp(np.cumsum(jumps * random.normal(size=whole) * 0.3))
    nand = np.concatenate([[0.0], np.cumsum(written * amplification)])
    now = before + days
    wear = nand / nand[now] * random.uniform(0.05, 0.9)
    step, wear_step = float(random.choice(STEPS)), float(random.choice([0.01, 1e-5]))
    at = np.arange(before, now + 1, dtype=np.float64)
    if hourly:
        at = np.arange(before * 24, now * 24 + 1) / 24
    missing = random.choice([0.0, 0.0, 0.2])
    keep = random.random(at.size) >= missing
    keep[[0, -1]] = True
    at = at[keep]
    told = np.floor(_at(host, at, hourly) / step) * step
    if resets and days >= 60:
        cut = int(random.integers(20, at.size - 20))
        told[cut:] -= told[cut]
    samples = pl.DataFrame(
        {
            "time": (at * DAY_S).round().astype(np.int64),
            "host_written_bytes": told,
            "nand_written_bytes": np.floor(_at(nand, at, hourly) / 2**25) * 2**25,
            "wear_ratio": np.floor(_at(wear, at, hourly) / wear_step + 1e-9) * wear_step,
            "power_on_hours": np.floor(at * 24),
        }
    ).with_columns(pl.from_epoch("time", time_unit="s").dt.replace_time_zone("UTC"))
    changed = [now - int(place) for place in np.flatnonzero(jumps) if before < place < now]
    future = host[now:] - host[now]
    return Drive(
        kind, days, step, wear_step, samples, future, wear[now:], (host[now] - host[before]) / days, changed
    )


def _at(total: Floats, at: Floats, hourly: bool) -> Floats:
    """The counter between its days: evenly, or by the hour with a quiet night."""
    day = np.floor(at).astype(np.int64)
    part = at - day
    if hourly:
        part -= 0.7 * np.sin(2 * np.pi * part) / (2 * np.pi)
    later = np.minimum(day + 1, total.size - 1)
    return np.asarray(total[day] + part * (total[later] - total[day]))


def day_reached(future: Floats, limit: float) -> float:
    """Days until a rising course reaches a limit, infinite beyond its end."""
    if future[-1] < limit:
        return float("inf")
    return float(np.interp(limit, future, np.arange(future.size)))


def tables(drives: list[Drive]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The drives and their samples as a history gives them."""
    known = pl.DataFrame(
        {
            "drive": range(len(drives)),
            "serial": [f"SIM{number:06d}" for number in range(len(drives))],
            "capacity_bytes": [10**12] * len(drives),
            "sources": [
                f'{{"host_written_bytes": {{"step": {drive.step}}}, "wear_ratio": {{"step": {drive.wear_step}}}}}'
                for drive in drives
            ],
        }
    )
    samples = pl.concat(
        drive.samples.select(pl.lit(number, pl.Int64).alias("drive"), pl.all())
        for number, drive in enumerate(drives)
    )
    return known, samples
