"""What a drive reported, before anybody interprets it: a document in the shape of `smartctl --json`.

Every source is brought into this shape (nvme-cli and exporters name the same things otherwise), so that the rules
name a thing once. Left out: anything a figure does not need. Numbers that are no numbers, and lists that are no
lists, read as missing and are noted.
"""

import math
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from drivecast.document.record import Bus

_PROTOCOLS: dict[str, Bus] = {"ATA": "ata", "NVMe": "nvme", "SCSI": "scsi"}
_NUMBER = re.compile(r"\d{1,40}(\.\d{1,9})?")
_YEARS = (2000, 2100)
"""A clock outside them was never set."""
BLOCK_BYTES = 512
PROBLEMS_MAX = 50
"""Of one answer: a list may hold any number of rows that are none."""
CAPACITY_BYTES_MAX = 10**18
"""An exabyte."""
_FILLER = 4
"""A serial number of so many equal letters was never written."""


@dataclass(frozen=True)
class Attribute:
    """One ATA attribute."""

    id: int
    name: str
    raw: float | None
    normalized: float | None
    threshold: float | None = None
    """Normalized value at which the drive expects to fail; none where it says 0, which no value falls below."""


@dataclass
class SmartData:
    """One answer about one drive; `problems` collects what is not as smartctl writes it."""

    content: dict[str, Any]
    problems: list[str] = field(default_factory=list)

    def at(self, path: str) -> Any:
        """Return what is at a path such as `device.name`; nothing where the way ends."""
        value: Any = self.content
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def text(self, path: str) -> str:
        """Return text without blanks around it and halves of characters, which cannot be stored; empty for none."""
        value = self.at(path)
        return " ".join(value.split()).encode(errors="replace").decode() if isinstance(value, str) else ""

    def number(self, path: str) -> float | None:
        """Return a number that is not negative but for temperatures; nothing where there is none."""
        value = self.at(path)
        if value is None:
            return None
        found = as_number(value)
        if found is None:
            self._note(f"`{path}`: expected a number, found `{str(value)[:40]}`")
        return found

    def rows(self, path: str) -> list[dict[str, Any]]:
        """Return the objects of a list."""
        value = self.at(path)
        if value is None:
            return []
        if not isinstance(value, list):
            self._note(f"`{path}`: expected a list, found `{str(value)[:40]}`")
            return []
        return [row for row in value if isinstance(row, dict)]

    def _note(self, what: str) -> None:
        if len(self.problems) < PROBLEMS_MAX and what not in self.problems:
            self.problems.append(what)

    @cached_property
    def attributes(self) -> dict[int, Attribute]:
        """ATA attributes by number."""
        found = {}
        for row in self.rows("ata_smart_attributes.table"):
            id_, raw, name = as_number(row.get("id")), row.get("raw"), row.get("name")
            counted = as_number(raw.get("value")) if isinstance(raw, dict) else None
            if id_ is None or not 1 <= id_ <= 255 or id_ != int(id_):
                self._note(f"an attribute has the number `{str(row.get('id'))[:20]}`, expected 1 to 255")
                continue
            if counted is None:
                self._note(f"attribute {int(id_)} has no raw value that is a number")
            name = name.strip() if isinstance(name, str) else ""
            normalized, threshold = as_number(row.get("value")), as_number(row.get("thresh")) or None
            found[int(id_)] = Attribute(int(id_), name, counted, normalized, threshold)
        return found

    @cached_property
    def statistics(self) -> dict[str, float]:
        """ATA device statistics that the drive marks as valid."""
        found: dict[str, float] = {}
        tables = (page.get("table") for page in self.rows("ata_device_statistics.pages"))
        rows = (row for table in tables if isinstance(table, list) for row in table if isinstance(row, dict))
        for row in rows:
            flags, value = row.get("flags"), as_number(row.get("value"))
            if value is not None and not (isinstance(flags, dict) and flags.get("valid") is False):
                found.setdefault(str(row.get("name")), value)
        return found

    @property
    def bus(self) -> Bus | None:
        """How the drive is spoken to, from what it answered."""
        if named := _PROTOCOLS.get(self.text("device.protocol")):
            return named
        if "nvme_smart_health_information_log" in self.content:
            return "nvme"
        if "ata_smart_attributes" in self.content:
            return "ata"
        return "scsi" if any(key.startswith("scsi_") for key in self.content) else None

    @property
    def model(self) -> str:
        """Name of the model; SAS drives give it in parts."""
        parts = f"{self.text('scsi_vendor') or self.text('vendor')} {self.text('scsi_product') or self.text('product')}"
        return self.text("model_name") or self.text("scsi_model_name") or parts.strip()

    @property
    def serial(self) -> str:
        """Serial number; a World Wide Name stands in."""
        found = self.text("serial_number")
        if found and not (len(found) >= _FILLER and len(set(found)) == 1):
            return found
        naa, oui, id_ = (self.at(f"wwn.{part}") for part in ("naa", "oui", "id"))
        if all(type(part) is int and part >= 0 for part in (naa, oui, id_)):
            return f"wwn-0x{naa:x}{oui:06x}{id_:09x}"
        return self.text("logical_unit_id")

    @property
    def capacity_bytes(self) -> int | None:
        """What the host sees; of NVMe the whole drive, which a namespace may be a part of."""
        found = self.number("nvme_total_capacity") or self.number("user_capacity.bytes")
        if found and found > CAPACITY_BYTES_MAX:
            self._note(f"a capacity of {found:.3g} bytes: no drive has it")
            return None
        return int(found) if found else None

    @property
    def block_bytes(self) -> int:
        """The unit of logical block addresses."""
        return int(self.number("logical_block_size") or BLOCK_BYTES)

    @property
    def device(self) -> str:
        """Where it was found; behind a controller with the place there."""
        name, kind = self.text("device.name"), self.text("device.type")
        return f"{name} {kind}" if "," in kind else name

    def time(self, otherwise: datetime | None) -> datetime | None:
        """Return when it was read, to the second; `otherwise` where the document does not state it."""
        seconds = self.at("local_time.time_t")
        if type(seconds) is int and 0 < seconds < 2**33:
            found = datetime.fromtimestamp(seconds, UTC)
            if _YEARS[0] <= found.year < _YEARS[1]:
                return found
        if seconds is not None:
            self._note(f"`local_time.time_t`: expected seconds since 1970, found `{str(seconds)[:40]}`")
        return otherwise.replace(microsecond=0) if otherwise else None

    @property
    def is_misdated(self) -> bool:
        """Whether it states a time that only a wrong clock can have written."""
        return self.at("local_time.time_t") is not None and self.time(None) is None

    def messages(self) -> list[str]:
        """Return what smartctl had to say, errors before warnings."""
        rows = [row for row in self.rows("smartctl.messages") if isinstance(row.get("string"), str)]
        rows.sort(key=lambda row: row.get("severity") != "error")
        return [" ".join(row["string"].split()) for row in rows]


def as_number(value: object) -> float | None:
    """Return a finite number of base 10, in JSON's own form or as text; nothing for all else."""
    if isinstance(value, str):
        text = value.strip().replace(",", "")
        return float(text) if _NUMBER.fullmatch(text) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) and abs(found) < 1e39 else None
