"""smartctl_exporter's metrics in smartctl's terms: from a text of them, a scrape, or a Prometheus server.

A drive is one set of the labels that name a host, `instance` and `device`; its identity comes from the labels of
`smartctl_device`. Bytes
and seconds are turned back into the units of the logs they came from. Left out: flags, self-tests, links. Source:
github.com/prometheus-community/smartctl_exporter, metrics.go and smartctl.go.

`prometheus+http://HOST:9090?instance=…&device=…&job=…` asks for the newest value of each; with `start` (and `end`,
`step`, by default a day) for one record a step, which fills a history.
"""

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from drivecast.errors import HintedError, InputError
from drivecast.health.read.host_name import HostNames
from drivecast.quantity.year import DAY_S
from drivecast.source import download_limit, prometheus

METRICS = "smartctl_.+"
PREFIX = "smartctl_device"
_UNIT_BYTES = 512_000
_LINES = re.compile(r"^smartctl_[^\n]*", re.MULTILINE)
_LINE_MAX = 64 << 10
"""The parser takes time that grows with the square of a line."""
_NO_DATE_S = 253_402_300_800
"""The year 10,000."""
Sample = tuple[str, dict[str, str], float]


def is_text(text: str) -> bool:
    """Whether it is an exposition of smartctl_exporter."""
    head = text.lstrip("\ufeff \r\n")
    return head.startswith(("# HELP ", "# TYPE ", PREFIX)) and PREFIX in text


class LineError(ValueError):
    """A line is no metric."""

    def __init__(self, number: int, what: str) -> None:
        super().__init__(f"line {number}: {what}")
        self.number, self.what = number, what


def samples_of_text(text: str) -> Iterator[Sample]:
    """Yield the samples of an exposition; raises `LineError` with the first line that is none."""
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415 (only expositions need it)

    number, at = 1, 0
    for found in _LINES.finditer(text):
        # Line by line: one that is damaged is named by its number.
        number += text.count("\n", at, found.start())
        at, line = found.start(), found[0]
        if len(line) > _LINE_MAX:
            raise LineError(
                number, f"expected a metric of at most {_LINE_MAX >> 10} KiB, found `{line[:60]}`…"
            )
        try:
            for family in text_string_to_metric_families(line + "\n"):
                yield from ((sample.name, sample.labels, sample.value) for sample in family.samples)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            what = f"expected a metric and its value, found `{line[:60]}`: {error}"
            raise LineError(number, what) from None


def documents(samples: Iterable[Sample], hosts: HostNames) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Yield each drive's host and what it said."""
    drives: dict[tuple[str, str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        labels = sample[1]
        if "device" in labels:
            host = hosts.labelled(labels) or ""
            drives[host, labels.get("instance", ""), labels["device"]].append(sample)
    for (host, _, device), own in sorted(drives.items()):
        yield host or None, _document(device, own)


_LOG = "nvme_smart_health_information_log"
_ERRORS = "scsi_error_counter_log"
_PLACES: dict[str, tuple[str, float]] = {
    "smartctl_device_capacity_bytes": ("user_capacity.bytes", 1),
    "smartctl_device_nvme_capacity_bytes": ("nvme_total_capacity", 1),
    "smartctl_device_rotation_rate": ("rotation_rate", 1),
    "smartctl_device_power_cycle_count": ("power_cycle_count", 1),
    "smartctl_device_percentage_used": (f"{_LOG}.percentage_used", 1),
    "smartctl_device_available_spare": (f"{_LOG}.available_spare", 1),
    "smartctl_device_available_spare_threshold": (f"{_LOG}.available_spare_threshold", 1),
    "smartctl_device_critical_warning": (f"{_LOG}.critical_warning", 1),
    "smartctl_device_media_errors": (f"{_LOG}.media_errors", 1),
    "smartctl_device_smartctl_exit_status": ("smartctl.exit_status", 1),
    "smartctl_device_temperature current": ("temperature.current", 1),
    "smartctl_device_block_size logical": ("logical_block_size", 1),
    "smartctl_device_bytes_read": (f"{_LOG}.data_units_read", _UNIT_BYTES),
    "smartctl_device_bytes_written": (f"{_LOG}.data_units_written", _UNIT_BYTES),
    "smartctl_device_bytes_read SCSI": (f"{_ERRORS}.read.gigabytes_processed", 1e9),
    "smartctl_device_bytes_written SCSI": (f"{_ERRORS}.write.gigabytes_processed", 1e9),
    "smartctl_scsi_grown_defect_list": ("scsi_grown_defect_list", 1),
    "smartctl_read_total_uncorrected_errors": (f"{_ERRORS}.read.total_uncorrected_errors", 1),
    "smartctl_write_total_uncorrected_errors": (f"{_ERRORS}.write.total_uncorrected_errors", 1),
}
"""Where smartctl has what a metric reports, and what of it counts one there; some are distinguished by a label."""
_IDENTITY = (
    "model_name",
    "serial_number",
    "firmware_version",
    "scsi_vendor",
    "scsi_product",
    "scsi_revision",
)


def _put(document: dict[str, Any], path: str, value: Any) -> None:
    *above, last = path.split(".")
    for key in above:
        document = document.setdefault(key, {})
    document[last] = value


def _document(device: str, samples: list[Sample]) -> dict[str, Any]:
    found: dict[str, Any] = {"device": {"name": device}}
    attributes: dict[str | None, dict[str, Any]] = {}
    statistics = []
    drive = next((labels for metric, labels, _ in samples if metric == PREFIX), None)
    protocol = (drive or {}).get("protocol", "")
    if drive is not None:
        found["device"] |= {"protocol": protocol, "type": drive.get("interface", "")}
        found |= {name: drive.get(name, "") for name in _IDENTITY}
        found |= {"in_smartctl_database": bool(drive["model_family"])} if "model_family" in drive else {}
    for metric, labels, value in samples:
        match metric.removeprefix(f"{PREFIX}_"):
            case "attribute":
                number = labels.get("attribute_id")
                row = attributes.setdefault(number, {"id": number, "name": labels.get("attribute_name")})
                kinds: dict[str, dict[str, Any]] = {
                    "raw": {"raw": {"value": value}},
                    "value": {"value": value},
                    "thresh": {"thresh": value},
                }
                row |= kinds.get(labels.get("attribute_value_type", ""), {})
            case "statistics":
                valid = labels.get("statistic_flags_short", "V").startswith("V")
                name = labels.get("statistic_name", "")
                statistics.append({"name": name, "value": value, "flags": {"valid": valid}})
            case "power_on_seconds":
                _put(found, "power_on_time.hours", value // 3600)
            case "smart_status":
                _put(found, "smart_status.passed", value == 1)
            case _:
                which = labels.get("temperature_type") or labels.get("blocks_type") or protocol
                place, unit = _PLACES.get(f"{metric} {which}") or _PLACES.get(metric, ("", 1))
                if place:
                    _put(found, place, value / unit)
    if attributes:
        found["ata_smart_attributes"] = {"table": list(attributes.values())}
    if statistics:
        found["ata_device_statistics"] = {"pages": [{"table": statistics}]}
    return found


def answers(url: str, hosts: HostNames) -> Iterator[tuple[datetime, str | None, dict[str, Any]]]:
    """Yield time, host and document of each drive that a Prometheus server knows.

    Raises `InputError` where it cannot be reached, refuses, or knows none.
    """
    import os  # noqa: PLC0415

    import httpx  # noqa: PLC0415 (only who asks a server waits for it)

    query = prometheus.parse(url, time.time())
    matchers = [f'__name__=~"{METRICS}"', *query.matchers]
    if query.device is not None:
        matchers.append(prometheus.matcher("device", query.device))
    selector = f"{{{','.join(matchers)}}}"
    with httpx.Client(
        timeout=download_limit.patience(), follow_redirects=True, **prometheus.credentials(os.environ)
    ) as client:
        server = prometheus.Server(query, client)
        moments = _series(server, selector, "start=" in str(url))
    if not moments:
        raise HintedError(
            f"Prometheus at `{query.host}` has no metrics of smartctl_exporter for these labels",
            "`count by (instance) (smartctl_device)` in its page shows which it has",
        )
    for moment in sorted(moments):
        for host, document in documents(moments[moment], hosts):
            yield datetime.fromtimestamp(moment, UTC), host, document


def _series(server: prometheus.Server, selector: str, stretch: bool) -> dict[float, list[Sample]]:
    query = server.query
    if not stretch:
        # The server answers with what it scraped within five minutes of the time requested.
        rows = server.ask("query", {"query": selector, "time": f"{query.end_s:.3f}"})
        samples = [sample for _, sample in _points(rows)]
        return {float(int(query.end_s)): samples} if samples else {}
    moments: dict[float, list[Sample]] = defaultdict(list)
    step_s = query.step_s or DAY_S
    for first_s, last_s in prometheus.chunks(query.start_s, query.end_s, step_s):
        values = {"query": selector, "start": f"{first_s:.3f}", "end": f"{last_s:.3f}", "step": f"{step_s:g}"}
        for moment, sample in _points(server.ask("query_range", values)):
            moments[float(int(moment))].append(sample)
    return moments


def _points(rows: list[Any]) -> Iterator[tuple[float, Sample]]:
    for row in rows:
        try:
            labels = {str(key): str(value) for key, value in row["metric"].items()}
            name = labels.pop("__name__", "")
            for moment, value in row.get("values") or [row["value"]]:
                if not 0 <= float(moment) < _NO_DATE_S:
                    raise ValueError
                yield float(moment), (name, labels, float(value))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(f"Prometheus did not answer as it does: found `{str(row)[:80]}`") from None
