"""One document about one drive to one record, or the reason why there is none.

smartctl's exit status is eight bits: the command line was wrong, the drive did not open, a SMART command failed, the
drive reports that it fails, an attribute is at its threshold, one was, the error log has entries, the self-test log has
errors. The first two end a reading; the others are reported in notes, and the fourth is the drive's own verdict.
Source: smartctl(8), EXIT STATUS.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from drivecast.document.record import Record, Unread
from drivecast.errors import HintedError, InputError
from drivecast.health import warranty
from drivecast.health.interpret import interpret
from drivecast.health.read.host_name import UNNAMED, Named
from drivecast.health.rules import Rules
from drivecast.health.sanity import check
from drivecast.health.smart_data import SmartData

_STATUS = (
    (2, "a SMART command failed or a checksum was wrong: figures may be missing"),
    (4, "an attribute is at or below its threshold: the drive expects to fail soon"),
    (5, "an attribute was at or below its threshold in the past"),
    (6, "the drive's error log has entries"),
    (7, "the drive's self-test log has errors"),
)
_LOG = "nvme_smart_health_information_log"
_INCOMPLETE = 2
_FAILING = 3
_TOO_HOT = 2
_WARNINGS = (
    (1, "its spare is below its threshold"),
    (_TOO_HOT, "its temperature is out of range"),
    (4, "its reliability is degraded by media errors"),
    (8, "its medium is read-only"),
    (16, "the backup of its volatile memory failed"),
    (32, "its persistent memory is unreliable"),
)
"""Bits of NVMe's critical warning."""


def unread(place: str, error: InputError) -> Unread:
    """Return an error as the reason of one place, so that the others are read."""
    return Unread(
        place, *((error.reason, error.hint) if isinstance(error, HintedError) else (str(error), ""))
    )


@dataclass(frozen=True)
class Origin:
    """Where a document came from."""

    place: str
    host: str | None = None
    time: datetime | None = None
    """When it was read, for documents that do not state it."""
    time_from: str = ""
    """What that time is, for a note; empty where it is the time of the reading."""
    named: Named = UNNAMED
    """What the user states of the host and the device; it comes before what a document says."""


def normalise(document: SmartData, origin: Origin, rules: Rules) -> Record | Unread:
    """Return the record of a document; what it lacks is reported."""
    status = document.number("smartctl.exit_status")
    bits = int(status) if status is not None and 0 <= status < 256 else 0
    bus = document.bus
    if bits & 0b11 or bus is None:
        return refused(document, origin.place, bits)
    if not document.model:
        return Unread(origin.place, "names no model", "read it again with `smartctl -x -j`")
    host, device = origin.named.host or origin.host, document.device or origin.named.device
    serial = document.serial or placed(host, device)
    if serial is None:
        return Unread(
            origin.place,
            f"`{document.model}` reports neither serial number nor World Wide Name, and no host is known: it is "
            "ambiguous which drive it is",
            "name the machine, `--host` or `--host-from`; behind a controller `smartctl --scan-open` names the type to "
            "give with `--type`",
        )
    time = document.time(origin.time)
    if time is None or (origin.time_from and document.is_misdated):
        return _undated(document, origin.place)
    rule = rules.of(bus, document.model)
    found = interpret(document, rule)
    check(found, bus, document.capacity_bytes)
    if not found.figures:
        what = ": ".join([f"`{document.model}` reports no figure", *document.messages()[:1]])
        return Unread(origin.place, what, "`smartctl -x` reads all that a drive reports")
    notes = [*found.notes, *_status_notes(document, bits)]
    if origin.time_from and document.at("local_time.time_t") is None:
        notes.append(f"its time is {origin.time_from}")
    if not document.serial:
        notes.append(f"reports no serial number: known by its place, {host} {device}")
    firmware = (document.text(name) for name in ("firmware_version", "scsi_revision", "revision"))
    return Record(
        serial=serial,
        model=document.model,
        firmware=next(filter(None, firmware), None),
        bus=bus,
        capacity_bytes=document.capacity_bytes,
        rotating=(document.number("rotation_rate") or 0) > 0,
        vendor="standard" if rule.name.startswith("standard-") else rule.name,
        catalog=warranty.match(document.model, document.capacity_bytes, rules),
        host=host,
        device=device,
        time=time,
        passed=_passed(document, bits),
        figures=found.figures,
        notes=tuple(dict.fromkeys([*notes, *document.problems])),
    )


def _undated(document: SmartData, place: str) -> Unread:
    """Return why it is not known when a document was read: the time of its file may be that of a copy."""
    stated = document.at("local_time.time_t")
    if stated is None:
        return Unread(place, "does not state when it was read", "smartctl 7.0 and later write `local_time`")
    why = f"its clock was wrong ({str(stated)[:40]} s since 1970): when it was read is not known"
    return Unread(place, why, "set the machine's clock, and read the drive again")


def placed(host: str | None, device: str | None) -> str | None:
    """Return what stands in for a serial number: the place, where all of it is known."""
    return f"no-serial:{host}:{device}" if host and device else None


def _passed(document: SmartData, bits: int) -> bool | None:
    """Return the drive's verdict. Being too hot is none: smartctl makes one of any bit of NVMe's critical warning."""
    said, warning = document.at("smart_status.passed"), document.number(f"{_LOG}.critical_warning")
    if warning == _TOO_HOT:
        return True
    if bits >> _FAILING & 1 or said is False or warning:
        return False
    return True if said is True or warning == 0 else None


def _status_notes(document: SmartData, bits: int) -> Iterable[str]:
    for bit, text in _STATUS:
        if bits >> bit & 1:
            messages = document.messages() if bit == _INCOMPLETE else []
            yield text + (f" ({messages[0].removeprefix('Warning: ')})" if messages else "")
    warning = int(document.number(f"{_LOG}.critical_warning") or 0)
    yield from (text for bit, text in _WARNINGS if warning & bit)
    spare, threshold = (document.number(f"{_LOG}.available_spare{part}") for part in ("", "_threshold"))
    if spare is not None and threshold is not None and spare < threshold and not warning & 1:
        yield f"its spare of {spare:.0f} % is below its threshold of {threshold:.0f} %"


_REFUSALS = (
    (
        ("permission denied", "not permitted", "must be root"),
        "not permitted",
        "`drivecast health read {name} --sudo`, or `sudo smartctl -x -j {name} | drivecast health read -`",
    ),
    (
        ("standby", "sleep"),
        "asleep, and left so",
        "`smartctl -x -j {name} > FILE` wakes it; then read the file",
    ),
    (
        ("no such device", "no such file"),
        "there is no such drive, or it is gone",
        "`smartctl --scan-open` lists those there are",
    ),
    (
        ("unable to detect device type", "please specify", "megaraid"),
        "of unknown type",
        "`smartctl --scan-open` names the type to give with `--type`, such as `--type megaraid,0`",
    ),
)
"""What smartctl says in its messages, what that means, and what to do."""


def refused(document: SmartData, place: str, bits: int) -> Unread:
    """Return why smartctl has nothing of a drive, and which command helps."""
    messages = "; ".join(document.messages())
    argv = document.at("smartctl.argv")
    asked = [word for word in argv if str(word).startswith("/")] if isinstance(argv, list) else []
    name = document.text("device.name") or (asked or ["DEVICE"])[-1]
    if document.at("devices") is not None:
        return Unread(
            place, "is a list of drives, not what one says", "read each with `smartctl -x -j DEVICE`"
        )
    for words, meaning, hint in _REFUSALS:
        if any(word in messages.lower() for word in words):
            return Unread(place, f"{meaning}: {messages}", hint.format(name=name))
    if not bits & 0b11:
        return Unread(
            place, messages or "is no answer of smartctl about a drive", "`smartctl -x -j DEVICE` makes one"
        )
    why = "smartctl did not understand its command line" if bits & 1 else "smartctl could not open it"
    return Unread(place, messages or why, f"run `smartctl -x {name}` by hand")
