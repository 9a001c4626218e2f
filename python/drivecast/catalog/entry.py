"""A catalog file for a drive that the catalog lacks, from what its owner has: a SMART report, an identity, runs of fio.

Model. A report says what a drive is: model, capacity, link, whether it turns. Runs say how fast it is; each rate goes
where the sheet has it, marked measured, with its block size and what was outstanding. All else is that of the drive
on sale of the same class with the nearest capacity, marked assumed, with that drive's name; no speed is scaled. The
class follows from the capacity, since makers sell 960 and 1,920 GB to be written once a day, 800 and 1,600 GB three
times, and 500 and 1,000 GB for desktops; the caller may name another. Left out: price, and what no report states.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from drivecast.catalog.catalog import Catalog
from drivecast.catalog.drive import GB, Drive
from drivecast.catalog.family import ORIGINS, text
from drivecast.errors import HintedError, InputError
from drivecast.files import read_text
from drivecast.quantity import parse

DEEP = 16
"""Requests outstanding from which a rate is that of a busy drive."""
QLC_BYTES = 61_440 * GB
"""No drive on sale with three bits a cell is larger but one."""
MIXED_USE_GB = (400, 800, 1600, 3200, 6400, 12800, 25600)
DESKTOP_GB = (250, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4096, 8000)
AMOUNT_MAX = 1e18
JSON = TypeAdapter(dict[str, Any])


@dataclass
class Seen:
    """What is known of a drive so far."""

    model: str | None = None
    user_bytes: float | None = None
    rpm: int = 0
    link: str | None = None
    origin: dict[str, str] = field(default_factory=dict)
    """Documents by key."""
    rates: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Measured figures by key of the sheet, as its table has them."""

    def smart(self, path: Path) -> None:
        """Take what a SMART report says; raises `InputError` for another file."""
        found = _parsed(path, "`smartctl -x -j`")
        self.model = _word(found, "model_name") or _word(found, "scsi_model_name") or self.model
        size = _amount(found, "user_capacity", "bytes") or _amount(found, "nvme_total_capacity")
        self.user_bytes = size or self.user_bytes
        self.rpm = int(_amount(found, "rotation_rate"))
        slow = _word(found, "interface_speed", "max", "string").startswith("3.0")
        known = {"NVME": "PCIe 4.0 x4", "SCSI": "SAS 12G", "ATA": "SATA 3G" if slow else "SATA 6G"}
        self.link = known.get(_word(found, "device", "protocol").upper(), self.link)
        self.origin["report"] = f"SMART report of this drive, {path.name}"

    def nvme_id(self, path: Path) -> None:
        """Take what an NVMe drive says of itself; raises `InputError` for another file."""
        found = _parsed(path, "`nvme id-ctrl -o json`")
        self.model, self.link = _word(found, "mn") or self.model, self.link or "PCIe 4.0 x4"
        self.user_bytes = _amount(found, "tnvmcap") or self.user_bytes
        self.origin["report"] = f"identity that the drive reports, {path.name}"

    def fio(self, path: Path) -> None:
        """Take the rates of runs; raises `InputError` for another file, or one without a rate that a sheet has."""
        found = _parsed(path, "`fio --output-format=json`")
        jobs = found.get("jobs")
        for job in jobs if isinstance(jobs, list) else ():
            for key, figure in _rates(job, found.get("global options")):
                best = self.rates.get(key)
                better = max if key.endswith(("iops", "mb_s")) else min
                if best is None or better(best["value"], figure["value"]) == figure["value"]:
                    self.rates[key] = figure
        if not self.rates:
            raise HintedError(
                f"{path}: no run of one kind of request: expected `rw` of read, write, randread or randwrite",
                "a run of 4 KiB with 1 outstanding gives a latency, with 16 or more a rate",
            )
        self.origin["fio"] = f"runs of fio on this drive, {path.name}"


def _parsed(path: Path, by: str) -> dict[str, Any]:
    try:
        return JSON.validate_json(read_text(path))
    except ValidationError:
        raise HintedError(f"{path}: is no JSON object", f"expected what {by} writes") from None


def _at(found: Any, *keys: str) -> Any:
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _amount(found: Any, *keys: str) -> float:
    """A number at least 0; 0 where there is none."""
    value = _at(found, *keys)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 <= value < AMOUNT_MAX else 0.0


def _word(found: Any, *keys: str) -> str:
    """A line of text; empty where there is none."""
    value = _at(found, *keys)
    return " ".join("".join(each for each in str(value or "") if each.isprintable()).split())


def _rates(job: Any, options: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The figures of a sheet that a run of one kind of request gives."""

    def option(*names: str) -> str:
        return next(
            (
                word
                for at in (_at(job, "job options"), options)
                for name in names
                if (word := _word(at, name))
            ),
            "",
        )

    kind = option("rw", "readwrite")
    name = "write" if kind.endswith("write") else "read"
    try:
        block = parse.size_bytes((option("bs", "blocksize") or "4k").split(",")[0])
        outstanding = int(option("iodepth") or 1) * int(option("numjobs") or 1)
    except (ValueError, InputError):
        return
    rate, iops, mean = (_amount(job, name, *of) for of in (("bw_bytes",), ("iops",), ("lat_ns", "mean")))
    if kind in ("read", "write") and rate:
        yield f"sequential_{name}_mb_s", {"value": rate / 1e6, "measured": "fio"}
    if kind in ("randread", "randwrite") and outstanding >= DEEP and iops:
        asked = {"block_bytes": block, "outstanding": outstanding}
        yield f"random_{name}_iops", {"value": iops, **asked, "measured": "fio"}
    if kind in ("randread", "randwrite") and outstanding == 1 and mean:
        yield f"{name}_latency_us", {"value": mean / 1e3, "block_bytes": block, "measured": "fio"}


def like(catalog: Catalog, seen: Seen, drive_class: str | None) -> Drive:
    """The drive whose figures are assumed.

    Raises `HintedError` where the capacity is not known, or no drive is of the class.
    """
    if seen.user_bytes is None or seen.user_bytes < GB:
        raise HintedError("the drive's capacity is not known", "give `--from-smart` or `--from-nvme-id`")
    wanted = drive_class or _class_of(seen)
    sold = [
        drive for drive in catalog.drives.values() if drive.drive_class == wanted and drive.available_today
    ]
    if not sold:
        classes = sorted({drive.drive_class for drive in catalog.drives.values() if drive.available_today})
        raise HintedError(f"no drive on sale is of class `{wanted}`", f"known are {', '.join(classes)}")
    return min(sold, key=lambda drive: (abs(drive.user_bytes - (seen.user_bytes or 0)), drive.name))


def _class_of(seen: Seen) -> str:
    gb = round((seen.user_bytes or 0) / GB)
    if seen.rpm:
        return "10k" if seen.rpm > 10_000 else "nearline"
    near = {size for size in (*MIXED_USE_GB, *DESKTOP_GB) if abs(gb / size - 1) < 0.01}
    link = seen.link or "PCIe 4.0 x4"
    if link.startswith("SAS"):
        return "sas"
    if near & set(DESKTOP_GB):
        return "consumer-sata" if link.startswith("SATA") else "consumer-nvme"
    if link.startswith("SATA"):
        return "sata"
    if gb * GB >= QLC_BYTES:
        return "qlc"
    return "nvme-tlc-mu" if near else "nvme-tlc-ri"


def made(catalog: Catalog, seen: Seen, drive_class: str | None = None) -> str:
    """The text of the file; raises `InputError` as `like` does."""
    near = like(catalog, seen, drive_class)
    content = near.sheet.model_dump(mode="json", by_alias=True, exclude_none=True)
    why = f"as {near.title}, the nearest of class {near.drive_class} in the catalog"
    for table in ("calibrated", "fitted", "measured", "held_out", "fitted_runs"):
        content.pop(table, None)
    content["sources"] = seen.origin
    content["part_numbers"] = [seen.model] if seen.model else []
    _assume(content, why)
    identity = content["identity"]
    vendor, _, model = (seen.model or "unknown drive").partition(" ")
    identity.update(vendor=vendor, model=model or vendor, available_today=False)
    if (
        seen.link is not None
        and seen.link.partition(" ")[0] != near.sheet.identity.interface.partition(" ")[0]
    ):
        identity["interface"] = seen.link
    content["capacity"]["user_gb"] = {"value": round((seen.user_bytes or 0) / GB, 3), "source": "report"}
    if "raw_gib" in content["capacity"]:
        raw = content["capacity"]["raw_gib"]["value"] * (seen.user_bytes or 0) / near.user_bytes
        content["capacity"]["raw_gib"] = {"value": round(raw, 1), "assumed": f"the share of spare {why}"}
    for key, figure in seen.rates.items():
        _put(content, key, figure)
    return f"# {seen.model or 'A drive'}, entered by its owner: {', '.join(seen.origin.values())}.\n{text(content)}"


def _assume(content: dict[str, Any], why: str) -> None:
    """Replace every origin by an assumption."""
    for value in content.values():
        if isinstance(value, dict):
            if not ORIGINS.isdisjoint(value):
                for origin in ORIGINS & value.keys():
                    del value[origin]
                value["assumed"] = why
            else:
                _assume(value, why)


def _put(content: dict[str, Any], key: str, figure: dict[str, Any]) -> None:
    """A measured figure in its place: that of a disk's outer rate is a rate of sequential reads."""
    performance = content.get("performance")
    if performance is not None:
        performance[key] = {**figure, "state": "unstated"} if key.endswith("iops") else figure
    elif key in ("sequential_read_mb_s", "random_read_iops"):
        content["disk"]["outer_mb_s" if key.endswith("mb_s") else key] = figure


def name_of(seen: Seen) -> str:
    """A name for the file: the model's words."""
    return re.sub(r"[^a-z0-9.]+", "-", (seen.model or "drive").lower()).strip("-.") or "drive"


def known_as(catalog: Catalog, seen: Seen) -> Sequence[Drive]:
    """Drives of the catalog that have the model's name as a part number."""
    return catalog.with_part_number(seen.model) if seen.model else ()
