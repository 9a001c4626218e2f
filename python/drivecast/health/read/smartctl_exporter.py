"""smartctl_exporter's metrics in smartctl's terms: from a text of them, a scrape, or a Prometheus server.

A drive is one pair of labels `instance` and `device`; its identity comes from the labels of `smartctl_device`. Bytes
and seconds are turned back into the units of the logs they came from. Left out: flags, self-tests, links. Source:
github.com/prometheus-community/smartctl_exporter, metrics.go and smartctl.go.

`prometheus+http://HOST:9090?instance=…&device=…&job=…` asks for the newest value of each; with `start` (and `end`,
`step`, by default a day) for one record a step, which fills a history.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from drivecast.errors import InputError
from drivecast.source import prometheus

METRICS = "smartctl_.+"
PREFIX = "smartctl_device"
_UNIT_BYTES = 512_000
_DAY_S = 86_400.0
Sample = tuple[str, dict[str, str], float]


def is_text(text: str) -> bool:
    """Whether it is an exposition of smartctl_exporter."""
    head = text.lstrip("\ufeff \r\n")
    return head.startswith(("# HELP ", "# TYPE ", PREFIX)) and PREFIX in text


def samples_of_text(text: str) -> Iterator[Sample]:
    """Yield the samples of an exposition.

    Raises `InputError` with the line that is none.
    """
    from prometheus_client.parser import text_string_to_metric_families  # noqa: PLC0415 (only expositions need it)

    for number, line in enumerate(text.splitlines(), 1):
        # Line by line: one that is damaged is named by its number.
        if not line.startswith("smartctl_"):
            continue
        try:
            for family in text_string_to_metric_families(line + "\n"):
                yield from ((sample.name, sample.labels, sample.value) for sample in family.samples)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            raise InputError(
                f"line {number}: expected a metric and its value, found `{line[:60]}`: {error}"
            ) from None


def documents(samples: Iterable[Sample]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each drive's host and what it said."""
    drives: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        labels = sample[1]
        if "device" in labels:
            drives[labels.get("instance", ""), labels["device"]].append(sample)
    for (instance, device), own in sorted(drives.items()):
        yield instance.rpartition(":")[0] or instance, _document(device, own)


_DIRECT = {
    "capacity_bytes": ("user_capacity", "bytes"),
    "nvme_capacity_bytes": ("nvme_total_capacity",),
    "rotation_rate": ("rotation_rate",),
    "power_cycle_count": ("power_cycle_count",),
    "percentage_used": ("nvme_smart_health_information_log", "percentage_used"),
    "available_spare": ("nvme_smart_health_information_log", "available_spare"),
    "available_spare_threshold": ("nvme_smart_health_information_log", "available_spare_threshold"),
    "critical_warning": ("nvme_smart_health_information_log", "critical_warning"),
    "media_errors": ("nvme_smart_health_information_log", "media_errors"),
    "smartctl_exit_status": ("smartctl", "exit_status"),
}
_SCSI = {
    "smartctl_scsi_grown_defect_list": ("scsi_grown_defect_list",),
    "smartctl_read_total_uncorrected_errors": ("scsi_error_counter_log", "read", "total_uncorrected_errors"),
    "smartctl_write_total_uncorrected_errors": (
        "scsi_error_counter_log",
        "write",
        "total_uncorrected_errors",
    ),
}


def _put(document: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for key in path[:-1]:
        document = document.setdefault(key, {})
    document[path[-1]] = value


def _document(device: str, samples: list[Sample]) -> dict[str, Any]:
    found: dict[str, Any] = {"device": {"name": device}}
    attributes: dict[str, dict[str, Any]] = {}
    statistics = []
    protocol = next((sample[1].get("protocol", "") for sample in samples if sample[0] == PREFIX), "")
    for metric, labels, value in samples:
        name = metric.removeprefix(f"{PREFIX}_")
        if metric == PREFIX:
            found["device"] |= {"protocol": protocol, "type": labels.get("interface", "")}
            found |= _identity(labels)
        elif metric in _SCSI:
            _put(found, _SCSI[metric], value)
        elif name in _DIRECT:
            _put(found, _DIRECT[name], value)
        elif name == "attribute":
            row = attributes.setdefault(
                labels.get("attribute_id", ""),
                {"id": labels.get("attribute_id"), "name": labels.get("attribute_name")},
            )
            row |= {"raw": {"value": value}} if labels.get("attribute_value_type") == "raw" else {}
            row |= {"value": value} if labels.get("attribute_value_type") == "value" else {}
        elif name == "statistics":
            statistics.append(
                {"name": labels.get("statistic_name", ""), "value": value, "flags": _flags(labels)}
            )
        else:
            _converted(found, name, labels, value, protocol)
    if attributes:
        found["ata_smart_attributes"] = {"table": list(attributes.values())}
    if statistics:
        found["ata_device_statistics"] = {"pages": [{"table": statistics}]}
    return found


def _identity(labels: dict[str, str]) -> dict[str, Any]:
    names = (
        "model_name",
        "serial_number",
        "firmware_version",
        "scsi_vendor",
        "scsi_product",
        "scsi_revision",
    )
    found: dict[str, Any] = {name: labels.get(name, "") for name in names}
    if "model_family" in labels:
        found["in_smartctl_database"] = bool(labels["model_family"])
    return found


def _flags(labels: dict[str, str]) -> dict[str, bool]:
    return {"valid": labels.get("statistic_flags_short", "V").startswith("V")}


def _converted(found: dict[str, Any], name: str, labels: dict[str, str], value: float, protocol: str) -> None:
    if name == "power_on_seconds":
        _put(found, ("power_on_time", "hours"), value // 3600)
    elif name == "temperature" and labels.get("temperature_type") == "current":
        _put(found, ("temperature", "current"), value)
    elif name == "block_size" and labels.get("blocks_type") == "logical":
        found["logical_block_size"] = value
    elif name == "smart_status":
        _put(found, ("smart_status", "passed"), value == 1)
    elif name in {"bytes_read", "bytes_written"}:
        way = name.removeprefix("bytes_")
        if protocol == "SCSI":
            _put(
                found,
                ("scsi_error_counter_log", "read" if way == "read" else "write", "gigabytes_processed"),
                value / 1e9,
            )
        else:
            _put(found, ("nvme_smart_health_information_log", f"data_units_{way}"), value / _UNIT_BYTES)


def answers(url: str) -> Iterator[tuple[datetime, str, dict[str, Any]]]:
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
    with httpx.Client(timeout=60, follow_redirects=True, **prometheus.credentials(os.environ)) as client:
        server = prometheus.Server(query, client)
        moments = _series(server, selector, "start=" in str(url))
    if not moments:
        raise InputError(
            f"Prometheus at `{query.host}` has no metrics of smartctl_exporter for these labels\n"
            "hint: `count by (instance) (smartctl_device)` in its page shows which it has"
        )
    for moment in sorted(moments):
        for host, document in documents(moments[moment]):
            yield datetime.fromtimestamp(moment, UTC), host, document


def _series(server: prometheus.Server, selector: str, stretch: bool) -> dict[float, list[Sample]]:
    moments: dict[float, list[Sample]] = defaultdict(list)
    query = server.query
    if not stretch:
        # The server answers with what it scraped within five minutes of the time requested.
        values = {"query": selector, "time": f"{query.end_s:.3f}"}
        rows = server.ask("query", values)["result"]
        for labels, _, value in _points(rows):
            moments[float(int(query.end_s))].append((labels.pop("__name__", ""), labels, value))
        return moments
    step_s = query.step_s or _DAY_S
    for first_s, last_s in prometheus.chunks(query.start_s, query.end_s, step_s):
        values = {"query": selector, "start": f"{first_s:.3f}", "end": f"{last_s:.3f}", "step": f"{step_s:g}"}
        for labels, moment, value in _points(server.ask("query_range", values)["result"]):
            named = dict(labels)
            moments[float(int(moment))].append((named.pop("__name__", ""), named, value))
    return moments


def _points(rows: list[Any]) -> Iterator[tuple[dict[str, str], float, float]]:
    for row in rows:
        try:
            labels = {str(key): str(value) for key, value in row["metric"].items()}
            for moment, value in row.get("values") or [row["value"]]:
                yield dict(labels), float(moment), float(value)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(f"Prometheus did not answer as it does: found `{str(row)[:80]}`") from None
