"""nvme-cli's JSON in smartctl's terms: `nvme smart-log`, with `nvme id-ctrl` beside it for the drive's identity.

The log alone names no drive. Temperatures are in kelvin; long counts may be text. Source: nvme-cli, nvme-print-json.c;
NVM Express Base Specification 2.0c, log page 02h.
"""

from typing import Any

from drivecast.health.smart_data import as_number

_KELVIN = 273
_NAMES = {
    "avail_spare": "available_spare",
    "spare_thresh": "available_spare_threshold",
    "percent_used": "percentage_used",
}
_ALIKE = ("data_units_read", "data_units_written", "power_cycles", "power_on_hours", "media_errors")


def is_log(document: dict[str, Any]) -> bool:
    """Whether it is an answer of `nvme smart-log`."""
    return "smartctl" not in document and ("percent_used" in document or "avail_spare" in document)


def is_identity(document: dict[str, Any]) -> bool:
    """Whether it is an answer of `nvme id-ctrl`."""
    return "smartctl" not in document and "sn" in document and "mn" in document


def document_of(log: dict[str, Any], identity: dict[str, Any]) -> dict[str, Any]:
    """Return both as smartctl would have said it."""
    warning = log.get("critical_warning")
    if isinstance(warning, dict):
        warning = warning.get("value")
    names = {**_NAMES, **{name: name for name in _ALIKE}}
    log_ = {new: log[old] for old, new in names.items() if old in log}
    log_["critical_warning"] = warning
    kelvin = as_number(log.get("temperature"))
    found: dict[str, Any] = {
        "device": {"protocol": "NVMe", "type": "nvme"},
        "model_name": identity.get("mn"),
        "serial_number": identity.get("sn"),
        "firmware_version": identity.get("fr"),
        "nvme_total_capacity": identity.get("tnvmcap"),
        "nvme_smart_health_information_log": log_,
    }
    if kelvin is not None:
        # Early versions print degrees Celsius; no drive runs at 200 °C, none at -70 °C.
        found["temperature"] = {"current": kelvin - _KELVIN if kelvin > 200 else kelvin}
    return found
