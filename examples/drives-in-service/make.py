"""Writes 35 nights of `smartctl -x -j` for twenty NVMe drives in five machines: `python make.py FOLDER`.

Made, not measured, from a fixed seed: `FOLDER/HOST/DAY/DEVICE.json`, as a nightly job on each machine would leave them.
Every machine has the same four device names. Five drives and one machine have something the matter with them.
"""

import json
import random
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

LAST = datetime(2026, 3, 31, 2, 15, tzinfo=UTC)
NIGHTS = 35
MODELS = (("INTEL SSDPF2KX038TZ", 3_840_755_982_336), ("Micron_7450_MTFDKCC1T9TFR", 1_920_383_410_176))
CYCLES = 7000
"""Full writes of flash at which these count 100 % used; two bytes of flash are written for one of the host."""
UNIT_BYTES = 512_000
"""NVMe counts data in thousands of 512 bytes."""


class Drive:
    """A drive, and what it counts after each night."""

    def __init__(self, host: int, bay: int) -> None:
        draw = random.Random(10 * host + bay)
        self.host, self.device = f"db{host}", f"nvme{bay}"
        self.model, self.capacity = MODELS[(host + bay) % 2]
        self.serial = f"MADE{host}{bay}{draw.randrange(10**6):06}"
        self.hours = 24 * draw.randrange(400, 1300)
        self.per_day = self.capacity * draw.lognormvariate(-1.6, 0.4)
        self.used = draw.uniform(0.03, 0.3)
        self.nights = NIGHTS
        self.spare, self.errors = [100.0] * NIGHTS, [0] * NIGHTS
        self._fault(draw)
        pace = [self.per_day * draw.lognormvariate(0, 0.2) for _ in range(NIGHTS)]
        lifetime = self.used * CYCLES * self.capacity / 2
        self.written = [lifetime + sum(pace[: night + 1]) for night in range(NIGHTS)]

    def _fault(self, draw: random.Random) -> None:
        place = (self.host, self.device)
        if place == ("db2", "nvme1"):  # spare blocks: 100 to 20 % in four weeks
            lost = 0.0
            for night in range(NIGHTS - 28, NIGHTS):
                lost += draw.uniform(1.5, 4.3)
                self.spare[night] = 100.0 - lost
        if place == ("db4", "nvme3"):  # media errors: every other night at first, more and more of them
            count = 0
            for night in range(NIGHTS - 20, NIGHTS):
                count += draw.randrange(0, 2 + (night - NIGHTS + 20) // 4)
                self.errors[night] = count
        if place == ("db3", "nvme0"):  # one night with errors, two weeks ago
            self.errors[NIGHTS - 14 :] = [6] * 14
        if place == ("db1", "nvme2"):  # a log that is written seven times a day
            self.used, self.per_day = 0.84, 7.0 * self.capacity
        if place == ("db4", "nvme1"):  # more than the maker rates it for, and little of it lately
            self.used, self.per_day = 0.60, 0.3 * self.capacity
        if self.host == "db5":  # nothing of the whole machine for nine days
            self.nights = NIGHTS - 9

    def report(self, night: int) -> dict[str, object]:
        """What smartctl prints."""
        time = LAST - timedelta(days=NIGHTS - 1 - night)
        used = 2 * self.written[night] / (CYCLES * self.capacity)
        return {
            "json_format_version": [1, 0],
            "smartctl": {
                "version": [7, 4],
                "argv": ["smartctl", "-x", "-j", f"/dev/{self.device}"],
                "exit_status": 0,
            },
            "local_time": {"time_t": int(time.timestamp()), "asctime": f"{time:%a %b %e %H:%M:%S %Y} UTC"},
            "device": {"name": f"/dev/{self.device}", "type": "nvme", "protocol": "NVMe"},
            "model_name": self.model,
            "serial_number": self.serial,
            "firmware_version": "1.2",
            "user_capacity": {"blocks": self.capacity // 512, "bytes": self.capacity},
            "smart_status": {"passed": True, "nvme": {"value": 0}},
            "nvme_smart_health_information_log": {
                "critical_warning": 0,
                "temperature": 36,
                "available_spare": int(self.spare[night]),
                "available_spare_threshold": 10,
                "percentage_used": min(255, int(100 * used)),
                "data_units_written": int(self.written[night] / UNIT_BYTES),
                "data_units_read": int(3 * self.written[night] / UNIT_BYTES),
                "power_cycles": 9,
                "power_on_hours": self.hours + 24 * night,
                "media_errors": self.errors[night],
            },
            "temperature": {"current": 36},
            "power_on_time": {"hours": self.hours + 24 * night},
        }


def make(folder: Path) -> int:
    """Write the reports; returns how many."""
    count = 0
    for drive in (Drive(host, bay) for host in range(1, 6) for bay in range(4)):
        for night in range(drive.nights):
            time = LAST - timedelta(days=NIGHTS - 1 - night)
            path = folder / drive.host / f"{time:%Y-%m-%d}" / f"{drive.device}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(drive.report(night)))
            count += 1
    return count


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python make.py FOLDER")
    print(f"{make(Path(sys.argv[1])):,} reports in {sys.argv[1]}")
