"""Whatever a report holds, reading it gives records whose figures can be, or says what is wrong: never a traceback."""

import json
import math
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import smart_reports as reports
from damaged import changed, places
from drivecast.document.record import NAMES, Record, Unread
from drivecast.errors import InputError
from drivecast.health.meter import measure, reading
from drivecast.health.read import HostNames, records
from drivecast.health.read.contents import Beside, left, records_of
from drivecast.health.read.host_name import without_port
from drivecast.health.read.normalise import Origin
from drivecast.health.rules import load
from drivecast.health.smart_data import SmartData

WHOLE = [reports.intel(), reports.nvme(), reports.scsi(), reports.nvme_log(), reports.nvme_identity()]
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from([65535, 255, 2**32 - 1, -1, "65535", "1e999", 10**400]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


def read(data: bytes) -> list[Record | Unread]:
    beside = Beside()
    found = [*records_of(data, Origin("a.json"), load(), beside), *left(beside, load())]
    for entry in found:
        if isinstance(entry, Unread):
            assert entry.reason
            assert entry.hint
            continue
        assert entry.serial
        assert entry.model
        assert set(entry.figures) <= set(NAMES)
        for name, figure in entry.figures.items():
            assert math.isfinite(figure.value)
            assert figure.step > 0
            assert (figure.trust == "doubtful") == bool(figure.reason)
            if figure.trust == "doubtful":
                continue
            assert figure.value >= (-40 if name == "temperature_c" else 0), (name, figure)
            if name.endswith("_ratio"):
                assert figure.value <= (1 if name == "spare_ratio" else 2.55), (name, figure)
    return found


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_value_anywhere(data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(WHOLE))
    for _ in range(data.draw(st.integers(1, 3))):
        document = changed(document, data.draw(st.sampled_from(places(document))), data.draw(VALUES))
    assert read(json.dumps(document).encode()) or isinstance(document, list) or "sn" in document


@settings(max_examples=150)
@given(st.sampled_from(WHOLE), st.data())
def test_damaged_bytes(document: Any, data: st.DataObject) -> None:
    content = bytearray(json.dumps(document).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    read(bytes(content))


@settings(max_examples=100)
@given(st.sampled_from(WHOLE[:3]), st.data())
def test_a_document_cut_anywhere_gives_no_record(document: Any, data: st.DataObject) -> None:
    content = json.dumps(document).encode()
    at = data.draw(st.integers(1, len(content) - 1))
    (found,) = read(content[:at])
    assert isinstance(found, Unread)
    assert f"byte {at}" in found.place or "byte" in found.place


@settings(max_examples=80)
@given(st.integers(0, len(reports.exposition()) - 1), st.binary(min_size=1, max_size=3))
def test_damaged_metrics(at: int, put: bytes) -> None:
    content = reports.exposition().encode()
    read(content[:at] + put + content[at + len(put) :])


@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    assert all(isinstance(entry, Unread) for entry in read(content))


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_meter_between_damaged_reports(data: st.DataObject) -> None:
    first = reports.intel()
    last = changed(first, data.draw(st.sampled_from(places(first)[1:])), data.draw(VALUES))
    if isinstance(last.get("local_time"), dict):
        last["local_time"]["time_t"] = reports.TIME_S + 3600
    try:
        found = measure(*(reading(SmartData(content), Origin("x"), load()) for content in (first, last)))
    except InputError:
        return
    for bounded in (
        found.wear_ratio,
        found.life_years_media,
        found.left_years_media,
        found.write_amplification,
    ):
        if bounded is not None and bounded.value is not None:
            assert bounded.low is not None
            assert bounded.low <= bounded.value * (1 + 1e-12)
            assert bounded.high is None or bounded.value <= bounded.high * (1 + 1e-12)


COUNTS = st.sampled_from([0, 1, 59, 60, 100, 5120, 65535, 102_400, 600_020, 600_080, 2**32 - 1, -1])


@settings(max_examples=150)
@given(
    st.lists(st.tuples(COUNTS, COUNTS, COUNTS, st.integers(0, 100)), min_size=2, max_size=2), st.booleans()
)
def test_a_meter_between_any_counts(counts: list[tuple[int, int, int, int]], counts_nand: bool) -> None:
    model, gb = ("INTEL SSDSC2BB480G4", 480) if counts_nand else ("INTEL SSDSA2BZ200G3", 200)
    readings = []
    for at, (wear, reads, minutes, life) in enumerate(counts):
        document = reports.intel(wear, reads, minutes, life, host=10**6 + 99 * at, model=model, gb=gb)
        document["local_time"]["time_t"] += 3600 * at
        if not counts_nand:
            document["ata_smart_attributes"]["table"].pop()
        readings.append(reading(SmartData(document), Origin("x"), load()))
    found = measure(*readings)
    for bounded in (
        found.wear_ratio,
        found.life_years_media,
        found.left_years_media,
        found.write_amplification,
        found.nand_written_bytes,
    ):
        ends = (
            []
            if bounded is None
            else [end for end in (bounded.low, bounded.value, bounded.high) if end is not None]
        )
        assert all(math.isfinite(end) and end >= 0 for end in ends)
        assert all(low <= other * (1 + 1e-12) for low, other in pairwise(ends))


@pytest.mark.parametrize("name", ["nosuch.json", "."])
def test_places_without_reports(name: str, tmp_path: Path) -> None:
    (found,) = list(records([tmp_path / name]))
    assert isinstance(found, Unread)


@given(st.text("{}host*deviceP<>?()[]\\./-1", max_size=20), st.text("/host1.json-é\\", max_size=20))
def test_any_pattern_names_a_host_or_says_why_not(pattern: str, path: str) -> None:
    hosts = None
    with suppress(InputError):
        hosts = HostNames.of(None, pattern)
    if hosts is None:
        return
    named = hosts.named(path)
    assert named.host is None or named.host in path.replace("\\", "/")
    assert hosts.unmatched == ([path] if named.host is None and named.device is None else [])


@given(st.from_regex(r"[a-z0-9][a-z0-9.-]{0,9}", fullmatch=True), st.integers(0, 65535))
def test_a_host_with_a_port_is_the_host(host: str, port: int) -> None:
    loopback = host == "localhost" or host.startswith("127.")
    assert without_port(f"{host}:{port}") == without_port(host) == (None if loopback else host)
