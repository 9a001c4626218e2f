"""Four hundred servers as smartctl_exporter shows them, a point a day for forty-five days, in OpenMetrics.

One NVMe drive a server, of two models, from a fixed seed. Most write a fifth of their capacity a day and last for many
years; a handful write far more, one is past its rating, one reports errors, one judges itself failing, one goes
silent, and four were put in last week.
"""

import random
from collections.abc import Iterator

DAY_S = 86_400
DAYS = 45
END_S = 1_759_320_000
"""2025-10-01, noon in UTC."""

MODELS = (("INTEL SSDPF2KX038TZ", 3_840_755_982_336), ("Micron_7450_MTFDKCC1T9TFR", 1_920_383_410_176))
CYCLES = 7000.0
"""Full writes of the capacity at which these say 100 % used."""

HOT = (11, 57, 133, 208, 341)
PAST, ERRORS, FAILING, SILENT = 301, 77, 90, 250
NEW = (396, 397, 398, 399)


class Server:
    """One server's drive and what it has said each day."""

    def __init__(self, number: int) -> None:
        draw = random.Random(number)
        self.number, self.name = number, f"db{number:03}.example:9633"
        self.model, self.capacity = MODELS[number % 2]
        self.serial = f"PH{number:03}K{draw.randrange(10**6):06}"
        per_day = self.capacity * draw.lognormvariate(-1.6, 0.5)
        per_day *= 12 if number in HOT else 1
        used = draw.uniform(0.66, 0.84) if number in HOT else draw.uniform(0.02, 0.4)
        used = 1.07 if number == PAST else 0.0 if number in NEW else used
        week = [draw.lognormvariate(-0.01, 0.15) for _ in range(DAYS + 7)]
        daily = [per_day * week[day // 7] * draw.lognormvariate(-0.02, 0.2) for day in range(DAYS)]
        self.first = DAYS - 6 if number in NEW else 0
        self.last = DAYS - 5 if number == SILENT else DAYS
        self.written = [used * CYCLES * self.capacity / 2]
        for day in range(DAYS):
            self.written.append(self.written[-1] + (daily[day] if day >= self.first else 0.0))
        self.age_days = 3 if number in NEW else draw.randrange(500, 1100)

    def days(self) -> range:
        """Days with a sample."""
        return range(self.first, self.last + 1)


def _values(server: Server, day: int) -> dict[str, float]:
    """What the drive said on a day."""
    failing = server.number == FAILING and day > DAYS - 3
    errors = max(0, day - DAYS + 20) if server.number == ERRORS else 0
    return {
        "bytes_written": server.written[day] // 512_000 * 512_000,
        "percentage_used": min(255, 100 * 2 * server.written[day] // (CYCLES * server.capacity)),
        "available_spare": 92 if server.number == PAST else 100,
        "media_errors": 3 * errors,
        "power_on_seconds": 3600 * 24 * (server.age_days + day - server.first),
        "smart_status": 0 if failing else 1,
        "capacity_bytes": server.capacity,
    }


def lines() -> Iterator[str]:
    """The exposition, a metric after another."""
    fleet = [Server(number) for number in range(400)]

    identity = (
        'protocol="NVMe",interface="nvme",model_name="{}",serial_number="{}",firmware_version="1.2"'.format
    )
    said = {drive.number: {day: _values(drive, day) for day in drive.days()} for drive in fleet}
    for name in ("", *said[0][0]):
        metric = f"smartctl_device_{name}" if name else "smartctl_device"
        yield f"# TYPE {metric} gauge"
        for drive in fleet:
            more = "" if name else f",{identity(drive.model, drive.serial)}"
            own = f'{{instance="{drive.name}",job="smartctl",device="nvme0"{more}}}'
            for day in drive.days():
                value = said[drive.number][day][name] if name else 1
                yield f"{metric}{own} {value:.0f} {END_S - (DAYS - day) * DAY_S}"
    yield "# EOF"
