"""How fast reports of drives become records, beside the parsing of their JSON alone: the floor under any reader.

One process reads the same bytes from memory, ten thousand reports of a SATA drive with thirty attributes, in turns with
Python's own JSON decoder on the same bytes; the medians of the processor time count.
"""

import json
import statistics
import time
from collections.abc import Callable
from typing import Any

from drivecast.document.record import Record
from drivecast.health.read.contents import Beside, records_of
from drivecast.health.read.normalise import Origin
from drivecast.health.rules import load

REPORTS = 10_000
RUNS = 5
RAW = {9: 9000, 12: 30, 225: 10**6, 226: 5120, 227: 40, 228: 540_010, 241: 10**6, 242: 10**5, 243: 2 * 10**6}


def report(number: int) -> dict[str, Any]:
    """One drive's report."""
    rows = [
        {
            "id": id_,
            "name": "Attribute",
            "value": 95 if id_ == 233 else 100,
            "worst": 95,
            "thresh": 0,
            "flags": {"value": 50, "string": "-O--CK ", "prefailure": False, "updated_online": True},
            "raw": {"value": RAW.get(id_, 0), "string": str(RAW.get(id_, 0))},
        }
        for id_ in (5, *range(170, 190), *sorted(RAW), 232, 233)
    ]
    return {
        "smartctl": {"version": [7, 3], "exit_status": 0},
        "local_time": {"time_t": 1_795_000_000 + number},
        "device": {"name": "/dev/sda", "type": "sat", "protocol": "ATA"},
        "model_name": "INTEL SSDSC2BB480G4",
        "serial_number": f"SERIAL{number:09d}",
        "firmware_version": "D2010370",
        "user_capacity": {"bytes": 480_103_981_056},
        "smart_status": {"passed": True},
        "power_on_time": {"hours": 9000},
        "temperature": {"current": 30},
        "ata_smart_attributes": {"table": rows},
    }


def ours(data: bytes) -> int:
    """Records, each with its figures."""
    found = records_of(data, Origin("bench"), load(), Beside())
    return sum(isinstance(entry, Record) and "wear_ratio" in entry.figures for entry in found)


def parsing(data: bytes) -> int:
    """The JSON alone."""
    return sum(json.loads(line)["smartctl"]["exit_status"] == 0 for line in data.splitlines())


def seconds(task: Callable[[bytes], int], data: bytes) -> float:
    """Processor time of one run that reads every report."""
    begin = time.process_time()
    count = task(data)
    spent = time.process_time() - begin
    if count != REPORTS:
        raise SystemExit(f"{task.__name__} read {count} of {REPORTS} reports")
    return spent


def main() -> None:
    """Print the figures."""
    data = b"".join(json.dumps(report(number)).encode() + b"\n" for number in range(REPORTS))
    pairs = [(seconds(ours, data), seconds(parsing, data)) for _ in range(RUNS)]
    read_s, parsed_s = (statistics.median(times) for times in zip(*pairs, strict=True))
    method = f"{REPORTS} reports of {len(data) // REPORTS} B, median of {RUNS} runs, one core"
    print(f"health read: {REPORTS / read_s:.0f} reports/s ({method})")
    print(f"health read over parsing its JSON: {read_s / parsed_s:.2f} times the time (paired)")


if __name__ == "__main__":
    main()
