"""The real smartctl on a drive that does not exist: it replays what ATA commands returned."""

import json
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest

from drivecast.document.record import Record
from drivecast.health.read import records
from needs import needs

ROWS = {  # id: (value, raw)
    5: (100, 3),
    9: (100, 10_000),
    12: (100, 21),
    187: (100, 0),
    194: (100, 27),
    225: (100, 2_000_000),
    226: (100, 5120),
    227: (100, 40),
    228: (100, 600_010),
    232: (98, 0),
    233: (95, 0),
    241: (100, 2_000_000),
    242: (100, 500_000),
    243: (100, 3_000_000),
}


def words(text: str, count: int) -> bytes:
    """ATA text: two letters a word, the second first."""
    padded = text.ljust(2 * count).encode()
    return b"".join(padded[at + 1 : at + 2] + padded[at : at + 1] for at in range(0, 2 * count, 2))


def identify(model: str) -> bytes:
    """IDENTIFY DEVICE of a drive with SMART and 480 GB."""
    data = bytearray(512)

    def put(word: int, *values: int) -> None:
        struct.pack_into(f"<{len(values)}H", data, 2 * word, *values)

    data[20:40] = words("BTWL000000000001", 10)
    data[46:54] = words("D2012370", 4)
    data[54:94] = words(model, 20)
    sectors = 937_703_088
    put(0, 0x0040)
    put(49, 0x2F00)
    put(60, 0xFFFF, 0x0FFF)
    put(80, 0x01F0, 0)
    put(82, 0x746B, 0x7D09, 0x4163, 0x7469, 0xBC01, 0x4163)
    put(100, sectors & 0xFFFF, sectors >> 16, 0, 0)
    put(108, 0x55CD, 0x2E40, 0x4B00, 0x0001)
    put(217, 1)
    return bytes(data)


def table(rows: list[bytes]) -> bytes:
    """A SMART structure: revision, rows, and a sum of nothing."""
    data = bytearray(b"\x01\x00" + b"".join(rows)).ljust(512, b"\0")
    data[511] = -sum(data) & 0xFF
    return bytes(data)


def replay(model: str) -> str:
    values = table(
        [
            struct.pack("<BHBB", id_, 0x32, value, value) + raw.to_bytes(6, "little") + b"\0"
            for id_, (value, raw) in ROWS.items()
        ]
    )
    thresholds = table([struct.pack("<BB", id_, 0) + bytes(10) for id_ in ROWS])
    parts = []
    for name, data in (
        ("IDENTIFY DEVICE", identify(model)),
        ("SMART READ ATTRIBUTE VALUES", values),
        ("SMART READ ATTRIBUTE THRESHOLDS", thresholds),
        ("SMART STATUS CHECK", None),
    ):
        parts.append(f"REPORT-IOCTL: Device=/dev/sda Command={name}")
        parts.append(f"REPORT-IOCTL: Device=/dev/sda Command={name} returned 0")
        if data is not None:
            parts += ["", f"===== [{name}] DATA START (BASE-16) ====="]
            parts += [f"{at:03d}-{at + 15:03d}: {data[at : at + 16].hex(' ')}" for at in range(0, 512, 16)]
            parts.append(f"===== [{name}] DATA END (512 Bytes) =====\n")
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize(
    ("model", "family"), [("INTEL SSDSC2BB480G4", "intel-dc-sata"), ("UNHEARD OF 480", "standard")]
)
def test_what_the_real_smartctl_writes_is_read(model: str, family: str, tmp_path: Path) -> None:
    command = [needs("smartctl"), "-i", "-A", "-H", "-j", "-"]
    done = subprocess.run(command, input=replay(model), capture_output=True, text=True, check=False)
    said: dict[str, Any] = json.loads(done.stdout)
    assert said.get("model_name") == model, said["smartctl"]
    path = tmp_path / "a.json"
    path.write_text(done.stdout)
    (found,) = list(records([path]))
    assert isinstance(found, Record), found
    assert found.vendor == family
    assert (found.serial, found.firmware) == ("BTWL000000000001", "D2012370")
    assert found.capacity_bytes == 937_703_088 * 512
    assert found.passed is True
    values = {name: found.value(name) for name in ("power_on_hours", "power_cycles", "reallocated_sectors")}
    assert values == {"power_on_hours": 10_000, "power_cycles": 21, "reallocated_sectors": 3}
    assert found.value("temperature_c") == 27
    if family == "standard":
        # smartctl calls 241 sectors and 233 a wear indicator whatever the drive is.
        assert {found.figures[name].trust for name in ("wear_ratio", "host_written_bytes")} == {"doubtful"}
        return
    assert found.value("wear_ratio") == pytest.approx(0.05)
    assert found.value("host_written_bytes") == 2_000_000 * (32 << 20)
    assert found.value("nand_written_bytes") == 3_000_000 * (32 << 20)
    assert found.value("spare_ratio") == 0.98
