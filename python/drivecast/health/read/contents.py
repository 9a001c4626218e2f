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
        yield from _file(content, replace(origin, place=name, named=hosts.named(name)), rules, beside, hosts)


def _file(
    content: bytes, origin: Origin, rules: Rules, beside: Beside, hosts: HostNames
) -> Iterator[Record | Unread]:
    text, _ = text_of(content)
    if not text.strip():
        yield Unread(origin.place, "is empty", _JSON_HINT)
    elif smartctl_exporter.is_text(text):
        yield from _metrics(text, origin, rules, hosts)
    elif text.lstrip().startswith("smartctl "):
        yield Unread(origin.place, "is smartctl's report for people", "add `-j`: `smartctl -x -j DEVICE`")
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
    value: Any, origin: Origin, byte: int, rules: Rules, beside: Beside
) -> Iterator[Record | Unread]:
    place = f"{origin.place}: byte {byte}" if byte else origin.place
    if isinstance(value, list):
        for part in value:
            yield from _document(part, origin, byte, rules, beside)
    elif not isinstance(value, dict):
        yield Unread(place, f"expected an object of smartctl or nvme, found `{str(value)[:40]}`", _JSON_HINT)
    elif nvme.is_log(value) or nvme.is_identity(value):
        key = re.sub(r"smart[-_]?log|id[-_]?ctrl", "", origin.place.lower()).strip("-_. ")
        yield from _half(value, replace(origin, place=place), key, rules, beside)
    elif "smartctl" in value or "device" in value:
        yield normalise(SmartData(value), replace(origin, place=place), rules)
    elif "Devices" in value:
        yield Unread(
            place, "is a list of drives, not what one says", "`nvme smart-log DEVICE -o json` for each"
        )
    else:
        keys = ", ".join(f"`{key}`" for key in list(value)[:3]) or "nothing"
        yield Unread(place, f"is no answer of smartctl or nvme: it has {keys}", _JSON_HINT)


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
