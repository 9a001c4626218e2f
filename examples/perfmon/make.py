"""Writes `db1.csv`: ten minutes of a database server's disks, as Windows' Performance Monitor would have logged them.

Made, not measured: rates are a daily job's (quiet, two minutes of load, quiet), figures have the noise of a fixed seed.
"""

import random
from pathlib import Path

COUNTERS = (
    "Disk Reads/sec",
    "Disk Writes/sec",
    "Disk Read Bytes/sec",
    "Disk Write Bytes/sec",
    "Avg. Disk sec/Read",
    "Avg. Disk sec/Write",
    "Avg. Disk Queue Length",
)
INTERVAL_S = 5
SAMPLES = 120


def sample(number: int, draw: random.Random) -> tuple[float, ...]:
    """The counters of the data disk: 6 of 10 requests are reads of 8 KiB, writes are of 12 KiB."""
    load = 600.0 if 48 <= number < 72 else 150.0
    reads, writes = (load * share * draw.uniform(0.95, 1.05) for share in (0.6, 0.4))
    read_s, write_s = (each * draw.uniform(0.9, 1.1) for each in (0.004, 0.002))
    return reads, writes, reads * 8192, writes * 12288, read_s, write_s, reads * read_s + writes * write_s


def render() -> str:
    """The log."""
    draw = random.Random(1)
    disks = ("0 C:", "1 D:", "_Total")
    paths = [f'"\\\\DB1\\PhysicalDisk({disk})\\{name}"' for disk in disks for name in COUNTERS]
    lines = [",".join(['"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)"', *paths])]
    for number in range(SAMPLES + 1):
        second = number * INTERVAL_S
        data = sample(number - 1, draw)
        system = (2.0, 3.0, 2.0 * 4096, 3.0 * 4096, 0.004, 0.002, 0.014)
        both = [a + b for a, b in zip(system[:4], data[:4], strict=True)]
        values = [*system, *data, *both, *data[4:]]
        # Rates need two readings: the first sample of a log has none.
        cells = [" " if number == 0 else f"{value:.6f}" for value in values]
        lines.append(
            ",".join(
                f'"{cell}"' for cell in (f"11/21/2026 14:{second // 60:02d}:{second % 60:02d}.000", *cells)
            )
        )
    return "\r\n".join(lines) + "\r\n"


if __name__ == "__main__":
    Path(__file__).with_name("db1.csv").write_text(render(), newline="")
