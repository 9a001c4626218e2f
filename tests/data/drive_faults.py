"""A fleet with planted faults whose truth is known: 400 drives in 100 hosts over 90 days.

Every host has the same device names. Hosts are read by the hour (a fifth), by the day, or by the week (a fifth); hourly
samples older than a month are thinned to days, as `prune` leaves them. Drives are NVMe of two models, SATA of one, and
disks of one.

A healthy drive wears slowly, loses a percent of spare in years, and has errors as a study of the field found them
("Flash Reliability in Production", FAST 2016): in 2 % of months, 30 % of those that follow one; then on a geometric
number of days, 3 on average, which is 2 of 1,000 drive days, the lower end of what was found. The generator knows
nothing of the rules: spare falls by its own noise, errors grow by a factor a day.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
import polars as pl

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)
DAYS = 90
HOSTS, PER_HOST = 100, 4
YEAR_DAYS = 365.25

Model = tuple[str, int, float, str]
"""Name, capacity in bytes, rated writes in bytes, kind."""
MODELS: tuple[Model, ...] = (
    ("INTEL SSDPF2KX038TZ", 3_840_755_982_336, 7.008e15, "nvme"),
    ("Micron_7450_MTFDKCC1T9TFR", 1_920_383_410_176, 3.65e15, "nvme"),
    ("SAMSUNG MZ7L3480HCHQ-00A07", 480_103_981_056, 8.76e14, "ssd"),
    ("ST6000NM0115-1YZ110", 6_001_175_126_016, 0.0, "disk"),
)

PLANTED: dict[str, tuple[int, str]] = {
    "spare 100 to 11 % in 30 days": (3, "replace"),
    "spare falls by a percent a day": (3, "replace"),
    "media errors grow": (4, "replace"),
    "reallocated and pending sectors grow": (3, "replace"),
    "judges itself failing": (1, "replace"),
    "worn past its rating": (1, "replace"),
    "flash worn out in 60 days": (3, "replace"),
    "errors of one day": (8, "watch"),
    "near its rated writes": (3, "warranty"),
    "beyond its rated writes": (6, "warranty"),
    "warranty ends next month": (4, "warranty"),
    "pulled from a host that is read": (1, "silent"),
    "moved to another host": (3, "ok"),
    "no serial number": (2, "ok"),
    "one reading of no spare": (2, "ok"),
}
"""How many drives of each, and the list that they belong to."""
SILENT_HOSTS = {"hourly": 3.0, "daily": 10.0, "weekly": 28.0}
"""A host of each rhythm that stopped reporting so many days ago."""


@dataclass
class Drive:
    """One drive: what it is, what is wrong with it, and what it says at any day of the ninety."""

    serial: str | None
    host: int
    device: str
    model: Model
    rhythm: str
    fault: str = ""
    written: float = 0.0
    per_day: float = 0.0
    wear: float = 0.1
    wear_per_day: float = 1e-4
    age_days: float = 800.0
    until: float = DAYS
    """Its last reading, at most."""
    spare: np.ndarray = field(default_factory=lambda: np.full(DAYS + 1, 100.0))
    """Percent at the end of each day."""
    errors: np.ndarray = field(default_factory=lambda: np.zeros(DAYS + 1))
    """Errors of each day."""
    moved: int | None = None
    """Host it was in for the first half."""


@dataclass(frozen=True)
class Fleet:
    """The samples as a table that `health import` takes, and what is true of every drive."""

    samples: pl.DataFrame
    drives: list[Drive]

    def truth(self) -> dict[str, str]:
        """The planted fault of each serial number, in the form in which a history has it."""
        return {name(drive): drive.fault for drive in self.drives}

    def expected(self) -> dict[str, str | None]:
        """The list that each drive belongs to; none where nothing speaks for one: a healthy drive that has errors."""
        lists = {fault: status for fault, (_, status) in PLANTED.items()} | {"silent host": "silent"}
        found: dict[str, str | None] = {}
        for drive in self.drives:
            recent = (
                drive.errors if drive.model[3] == "disk" else drive.errors[DAYS - 45 :]
            )  # pending sectors stay
            healthy = None if recent.any() else "ok"
            found[name(drive)] = lists[drive.fault] if drive.fault else healthy
        return found


def name(drive: Drive) -> str:
    """The serial number, or what stands in for it."""
    return drive.serial or f"no-serial:{host(drive.host)}:{drive.device}"


def host(number: int) -> str:
    """The name of a host."""
    return f"db{number:03d}.example"


def fleet(seed: int, hosts: int = HOSTS) -> Fleet:
    """Draw a fleet."""
    random = np.random.default_rng(seed)
    drives = [drive for number in range(hosts) for drive in _host(number, random)]
    for drive in drives:
        _healthy(drive, random)
    _plant(drives, random)
    rows = [part for drive in drives for part in _samples(drive, random)]
    return Fleet(pl.concat(rows, how="diagonal_relaxed"), drives)


def _host(number: int, random: np.random.Generator) -> Iterator[Drive]:
    rhythm = {0: "hourly", 1: "weekly"}.get(number % 5, "daily")
    kind = number % 10
    for bay in range(PER_HOST):
        model = MODELS[3 if kind == 9 else 2 if kind in (4, 7) else (number + bay) % 2]
        device = f"/dev/sd{'abcd'[bay]}" if model[3] != "nvme" else f"/dev/nvme{bay}"
        yield Drive(f"S{number:03d}{bay}{random.integers(10**5):05d}", number, device, model, rhythm)


def _healthy(drive: Drive, random: np.random.Generator) -> None:
    _, capacity, rated, kind = drive.model
    drive.age_days = float(random.uniform(200, 1500))
    drive.per_day = capacity * float(random.lognormal(np.log(0.1), 0.6))
    if kind != "disk":  # so that neither its writes nor its wear come to an end this year
        drive.per_day = min(drive.per_day, 0.5 * rated / (drive.age_days + 2 * YEAR_DAYS))
        drive.wear = min(float(random.uniform(0.02, 0.5)), drive.age_days / (drive.age_days + 2 * YEAR_DAYS))
        drive.wear_per_day = drive.wear / drive.age_days
    drive.written = drive.per_day * drive.age_days
    losses = random.poisson(1 / (2 * YEAR_DAYS), DAYS + 1).cumsum()
    drive.spare = 100.0 - random.poisson(drive.age_days / (2 * YEAR_DAYS)) - losses
    drive.errors[1:] += healthy_errors(random, DAYS // 30)


def healthy_errors(
    random: np.random.Generator, months: int, onset: float = 0.02, days_mean: float = 3.0
) -> np.ndarray:
    """Errors of each day of a healthy drive: a month has some with the chance `onset`, or 30 % after one that had."""
    errors = np.zeros(30 * months)
    had = False
    for month in range(months):
        had = bool(random.random() < (0.30 if had else onset))
        if had:
            days = min(int(random.geometric(1 / days_mean)), 30)
            errors[month * 30 + random.choice(30, days, replace=False)] += 1 + random.geometric(0.3, days)
    return errors


def _plant(drives: list[Drive], random: np.random.Generator) -> None:
    """Give each fault to drives that it may befall, and silence to whole hosts."""
    for rhythm, days in SILENT_HOSTS.items():
        chosen = random.choice([*{drive.host for drive in drives if drive.rhythm == rhythm}])
        for drive in drives:
            if drive.host == chosen:
                drive.fault, drive.until = "silent host", DAYS - days
                drive.errors[:] = 0
    flash = {"nvme", "ssd"}
    suits: dict[str, set[str]] = {
        "reallocated and pending sectors grow": {"disk"},
        "no serial number": flash | {"disk"},
    }
    faults: dict[str, Callable[[Drive, np.random.Generator], None]] = {
        "spare 100 to 11 % in 30 days": lambda drive, draw: _falls(drive, draw, 30, 89.0),
        "spare falls by a percent a day": lambda drive, draw: _falls(drive, draw, 60, 60.0),
        "media errors grow": lambda drive, draw: _grow(drive, draw, int(draw.integers(15, 30))),
        "reallocated and pending sectors grow": lambda drive, draw: _grow(
            drive, draw, int(draw.integers(15, 30))
        ),
        "worn past its rating": lambda drive, _: _wears(drive, 1.07, 1e-3),
        "flash worn out in 60 days": lambda drive, _: _wears(drive, 0.90, 0.10 / 60),
        "errors of one day": _burst,
        "near its rated writes": lambda drive, _: _writes(drive, 0.985, 0.015 / 20),
        "beyond its rated writes": lambda drive, draw: _writes(drive, float(draw.uniform(1.05, 1.9)), 2e-4),
        "warranty ends next month": lambda drive, _: _old(drive, 5 * YEAR_DAYS - 30),
        "pulled from a host that is read": lambda drive, _: setattr(drive, "until", DAYS - 25.0),
        "no serial number": lambda drive, _: setattr(drive, "serial", None),
    }
    for fault, (count, _) in PLANTED.items():
        free = [drive for drive in drives if not drive.fault and drive.model[3] in suits.get(fault, flash)]
        if fault == "pulled from a host that is read":
            free = [drive for drive in free if drive.rhythm != "weekly"]
        for number in random.choice(len(free), count, replace=False):
            drive = free[number]
            drive.fault = fault
            drive.errors[:] = 0
            faults.get(fault, lambda _drive, _draw: None)(drive, random)
            if fault == "moved to another host":
                drive.moved = int((drive.host + 7) % HOSTS)


def _falls(drive: Drive, random: np.random.Generator, days: int, by: float) -> None:
    """Spare falls by `by` percent over the last `days`, unevenly."""
    shares = random.gamma(1.5, 1.0, days)
    lost = np.concatenate([np.zeros(DAYS + 1 - days), by * shares.cumsum() / shares.sum()])
    drive.spare = 100.0 - np.floor(lost + 1e-9)


def _grow(drive: Drive, random: np.random.Generator, days: int) -> None:
    """Errors begin so many days ago, one in two days first, and grow by a twelfth a day."""
    rate = 0.5 * 1.08 ** np.arange(days)
    drive.errors[-days:] = random.poisson(rate)


def _burst(drive: Drive, random: np.random.Generator) -> None:
    drive.errors[DAYS - int(random.integers(8, 28))] = int(random.integers(1, 60))


def _wears(drive: Drive, now: float, per_day: float) -> None:
    drive.wear, drive.wear_per_day = now - DAYS * per_day, per_day
    drive.written = drive.model[2] * 0.5
    drive.per_day = max(drive.per_day, drive.written * per_day / max(drive.wear, 0.1))
    drive.written -= DAYS * drive.per_day


def _writes(drive: Drive, share: float, per_day: float) -> None:
    """`share` of the rated writes are written by now, and so much more a day; its flash is half worn."""
    drive.per_day = drive.model[2] * per_day
    drive.written = drive.model[2] * share - DAYS * drive.per_day
    drive.wear, drive.wear_per_day = 0.45, 1e-4


def _old(drive: Drive, days: float) -> None:
    drive.age_days = days - DAYS
    drive.per_day = 0.3 * drive.model[2] / days
    drive.written = drive.per_day * drive.age_days
    drive.wear, drive.wear_per_day = 0.2, 0.2 / days


def _times(drive: Drive, random: np.random.Generator) -> np.ndarray:
    """Days, with fractions, at which it is read: thinned where they are old, one in fifty missing."""
    phase = random.uniform(0, 0.04)
    daily = np.arange(0.5, DAYS + 0.01)
    if drive.rhythm == "hourly":
        at = np.concatenate([daily[daily < DAYS - 30], np.arange(DAYS - 30, DAYS + 1e-9, 1 / 24)])
    elif drive.rhythm == "weekly":
        at = np.arange((DAYS - random.uniform(0, 6.5)) % 7, DAYS + 1e-9, 7)
    else:
        at = daily
    at = at - phase
    at = at[(at >= 0) & (random.random(at.size) > 0.02)]
    return at[at <= drive.until]


def _samples(drive: Drive, random: np.random.Generator) -> Iterator[pl.DataFrame]:
    at = _times(drive, random)
    day = np.floor(at).astype(int)
    noise = random.gamma(1 / 0.3**2, 0.3**2, DAYS + 1)
    written = drive.written + drive.per_day * (
        np.concatenate([[0.0], noise.cumsum()])[day] + noise[day] * (at - day)
    )
    model, capacity, _, kind = drive.model
    count = np.concatenate([[0.0], drive.errors.cumsum()])[day + 1]
    wear = np.floor(100 * (drive.wear + drive.wear_per_day * at) + 1e-9) / 100
    home = host(drive.host)
    hosts = [host(drive.moved) if drive.moved is not None and moment < DAYS / 2 else home for moment in at]
    disk = kind == "disk"
    spare = drive.spare[day].copy()
    if drive.fault == "one reading of no spare":
        spare[at.size // 2] = 0.0
    columns = {
        "serial": [drive.serial] * at.size,
        "model": model,
        "capacity_bytes": capacity,
        "bus": "nvme" if kind == "nvme" else "ata",
        "rotating": disk,
        "host": hosts,
        "device": drive.device,
        "time": [NOW - timedelta(days=float(DAYS - moment)) for moment in at],
        "host_written_bytes": np.floor(written / 512_000) * 512_000,
        "wear_ratio": None if disk else wear,
        "spare_ratio": None if disk else spare / 100,
        "spare_threshold_ratio": None if disk else 0.1,
        "media_errors": 0.0 if disk else count,
        "reallocated_sectors": np.floor(count / 2) * 8 if disk else 0.0,
        "pending_sectors": count - np.floor(count / 2) if disk else None,
        "power_on_hours": np.floor(24 * (drive.age_days + at)),
        "passed": np.where(at > DAYS - 5, drive.fault != "judges itself failing", True),
    }
    schema = {
        name: pl.Float64 for name in columns if name.endswith(("_ratio", "_errors", "_sectors", "_hours"))
    }
    yield pl.DataFrame(
        columns, schema_overrides={**schema, "serial": pl.String, "host_written_bytes": pl.Float64}
    )
