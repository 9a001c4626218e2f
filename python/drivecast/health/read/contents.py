"""What lies in a file, standard input or a scrape: documents of smartctl and nvme, or metrics of an exporter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from drivecast.document.record import Record, Unread
from drivecast.health.read import nvme, smartctl_exporter
from drivecast.health.read.host_name import HostNames
from drivecast.health.read.normalise import Origin, normalise
from drivecast.health.read.stream import Damage, PackedError, documents, text_of, unpack
from drivecast.health.rules import Rules
from drivecast.health.smart_data import SmartData

_IDENTITY_HINT = (
    "put the answer of `nvme id-ctrl DEVICE -o json` beside it, in the same file or as `NAME-id-ctrl.json`"
)
_RAID = (
    "is a RAID controller's report",
    "ask each drive behind it: `smartctl -x -j -d megaraid,N /dev/sda`, with its DID as N (HPE: `-d cciss,N`)",
)
_REPORTS = {
    "smartctl ": ("is smartctl's report for people", "add `-j`: `smartctl -x -j DEVICE`"),
    "Smart Log for NVME": ("is nvme's report for people", "add `-o json`: `nvme smart-log DEVICE -o json`"),
    "NVME Identify Controller": (
        "is nvme's report for people",
        "add `-o json`: `nvme id-ctrl DEVICE -o json`",
    ),
    "CLI Version": _RAID,
    "Smart Array": _RAID,
    "Smart HBA": _RAID,
    "Adapter #": _RAID,
}
"""What begins the reports of tools that are not read, what each is, and what to do."""
_DEVICE = re.compile(r"nvme\d+")
_DEVICE_KEYS = ("device", "DevicePath", "dev", "node", "name")
_FOREIGN_MAX = 3
"""Documents of one file that are nothing, and are named each."""
_GIVEN_UP = 1000
"""So many of them, and no drive: the rest is not read."""
_JSON_HINT = "`smartctl -x -j DEVICE` or `nvme smart-log DEVICE -o json` makes one"


@dataclass
class Beside:
    """Answers of nvme that wait for their other half, by the name of the file without what distinguishes them."""

    logs: dict[str, tuple[Origin, dict[str, Any]]] = field(default_factory=dict)
    identities: dict[str, dict[str, Any]] = field(default_factory=dict)


def records_of(
    data: bytes, origin: Origin, rules: Rules, beside: Beside, hosts: HostNames | None = None
) -> Iterator[Record | Unread]:
    """Yield what each document in the bytes gives."""
    hosts = hosts or HostNames()
    try:
        files = unpack(data, origin.place)
    except PackedError as error:
        yield Unread(origin.place, str(error), "copy it again")
        return
    for name, content in files:
        yield from _few(
            _file(content, replace(origin, place=name, named=hosts.named(name)), rules, beside, hosts), name
        )


def _few(found: Iterator[Record | Unread], name: str) -> Iterator[Record | Unread]:
    """Yield what a file gives, with a word for all that is nothing behind the first of it."""
    foreign, records = 0, 0
    for item in found:
        records += isinstance(item, Record)
        is_foreign = isinstance(item, Unread) and item.hint == _JSON_HINT
        foreign += is_foreign
        if not is_foreign or foreign <= _FOREIGN_MAX:
            yield item
        elif foreign >= _GIVEN_UP and not records:
            break
    if foreign > _FOREIGN_MAX:
        yield Unread(
            name,
            f"{foreign - _FOREIGN_MAX} more documents or parts are no answers of smartctl or nvme",
            _JSON_HINT,
        )


def _file(
    content: bytes, origin: Origin, rules: Rules, beside: Beside, hosts: HostNames
) -> Iterator[Record | Unread]:
    text, _ = text_of(content)
    begins = text[:256].lstrip()
    report = next((what for word, what in _REPORTS.items() if begins.startswith(word)), None)
    if not text.strip("\x00 \t\r\n"):
        yield Unread(
            origin.place, "is empty" if not text.strip() else "holds nothing but zero bytes", _JSON_HINT
        )
    elif smartctl_exporter.is_text(text):
        yield from _metrics(text, origin, rules, hosts)
    elif report is not None:
        yield Unread(origin.place, *report)
    else:
        for found in documents(text):
            if isinstance(found, Damage):
                place = f"{origin.place}: byte {found.byte}"
                yield Unread(place, found.what, "read the drive again, or cut the rest off")
            else:
                yield from _document(found[1], origin, found[0], rules, beside)


def _metrics(text: str, origin: Origin, rules: Rules, hosts: HostNames) -> Iterator[Record | Unread]:
    try:
        samples = list(smartctl_exporter.samples_of_text(text))
    except smartctl_exporter.LineError as error:
        yield Unread(f"{origin.place}: line {error.number}", error.what, "scrape it again")
        return
    for host, document in smartctl_exporter.documents(samples, hosts):
        device = document["device"]["name"]
        own = replace(origin, place=f"{origin.place}: {device}", host=host or origin.host)
        yield normalise(SmartData(document), own, rules)


def _document(
    value: Any, origin: Origin, byte: int, rules: Rules, beside: Beside, device: str | None = None
) -> Iterator[Record | Unread]:
    """Yield what a document gives; `device`: which one it is of, as what it lies in says."""
    place = f"{origin.place}: byte {byte}" if byte else origin.place
    if isinstance(value, list):
        if not value:
            yield Unread(place, "is an empty list", _JSON_HINT)
        for part in value:
            yield from _document(part, origin, byte, rules, beside)
    elif not isinstance(value, dict):
        yield Unread(place, f"expected an object of smartctl or nvme, found `{str(value)[:40]}`", _JSON_HINT)
    elif nvme.is_log(value) or nvme.is_identity(value):
        key = (
            device
            or _device_in(value)
            or re.sub(r"smart[-_]?log|id[-_]?ctrl", "", origin.place.lower()).strip("-_. ")
        )
        yield from _half(value, replace(origin, place=place), key, rules, beside)
    elif "smartctl" in value or "device" in value:
        yield normalise(SmartData(value), replace(origin, place=place), rules)
    elif halves := [(key, part) for key, part in value.items() if _is_half(part)]:
        own = device or _device_in(value)
        for key, part in halves:
            yield from _document(
                part, origin, byte, rules, beside, own or _name_in(key) or f"{origin.place} {byte}"
            )
    else:
        yield _unknown(value, place)


def _unknown(value: dict[str, Any], place: str) -> Unread:
    """Why an object is no answer about a drive."""
    if "Controllers" in value:
        return Unread(place, *_RAID)
    if "Devices" in value:
        return Unread(
            place, "is a list of drives, not what one says", "`nvme smart-log DEVICE -o json` for each"
        )
    keys = ", ".join(f"`{key}`" for key in list(value)[:3]) or "nothing"
    return Unread(place, f"is no answer of smartctl or nvme: it has {keys}", _JSON_HINT)


def _is_half(value: Any) -> bool:
    """Whether it is an answer of nvme, or a few of them by name."""
    if not isinstance(value, dict):
        return False
    parts = [value, *(part for part in value.values() if isinstance(part, dict))]
    return any(nvme.is_log(part) or nvme.is_identity(part) for part in parts)


def _device_in(value: dict[str, Any]) -> str | None:
    """The controller that a document names."""
    return next((name for key in _DEVICE_KEYS if (name := _name_in(value.get(key)))), None)


def _name_in(value: object) -> str | None:
    """The controller of a device, `nvme0` of `/dev/nvme0n1`."""
    found = _DEVICE.search(value) if isinstance(value, str) else None
    return found[0] if found else None


def _half(
    value: dict[str, Any], origin: Origin, key: str, rules: Rules, beside: Beside
) -> Iterator[Record | Unread]:
    if nvme.is_log(value):
        if key in beside.logs:
            yield _lonely(*beside.logs.pop(key))
        identity = beside.identities.pop(key, None)
        if identity is None:
            beside.logs[key] = (origin, value)
        else:
            yield _joined(origin, value, identity, rules)
    elif key in beside.logs:
        waiting, log = beside.logs.pop(key)
        yield _joined(waiting, log, value, rules)
    else:
        beside.identities[key] = value


def _joined(origin: Origin, log: dict[str, Any], identity: dict[str, Any], rules: Rules) -> Record | Unread:
    return normalise(SmartData(nvme.document_of(log, identity)), origin, rules)


def _lonely(origin: Origin, _log: dict[str, Any]) -> Unread:
    return Unread(origin.place, "nvme's log names no drive", _IDENTITY_HINT)


def left(beside: Beside, rules: Rules) -> Iterator[Record | Unread]:
    """Yield what is left of answers without their other half, once all files are read."""
    for key, (origin, log) in beside.logs.items():
        identity = beside.identities.get(key)
        yield _joined(origin, log, identity, rules) if identity else _lonely(origin, log)
