"""Windows for others: what is gone from the file, what is as it was, and what is said of it."""

import io
import random
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bundled import CATALOG
from conftest import Run
from drivecast.document.windows import ANONYMOUS
from drivecast.errors import InputError
from drivecast.model import anonymous, clusters, fit_windows
from drivecast.stage import windows_file, windows_pass
from drivecast.stage.simulate import simulate, workload
from drivecast.stage.wear import amplification
from drivecast.stage.windows_file import Archive
from small_traces import GIB, READ, WRITE, Io, write

KEY = b"a key for this test only"
NAME, HASH = "payroll-db7", "c0ffee" * 10
BEGIN_US = 1_700_000_000_000_000
"""Of the recording, as a clock has it."""
SSD = "samsung-pm893-960gb"


@pytest.fixture(scope="module", autouse=True)
def _of_two_seconds() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit_windows, "WINDOWS", (60,))
        patch.setattr(fit_windows, "KEPT", (12,))
        yield


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a minute: reads at random, writes to a small part, and a scan that crosses extents."""
    rng, ios = random.Random(4), []
    for second in range(30):
        for _ in range(60):
            ios.append(Io(int((second + rng.random()) * 1e6), READ, rng.randrange(1 << 16) * 16384, 16384))
        for _ in range(200 if second % 7 == 3 else 40):
            ios.append(Io(int((second + rng.random()) * 1e6), WRITE, rng.randrange(1 << 12) * 16384, 16384))
        for place in range(10):
            offset = 2 * GIB + (second * 10 + place << 18)
            ios.append(Io(int((second + place / 100) * 1e6), READ, offset, 1 << 18))
    ios.sort(key=lambda each: each.time_us)
    shifted = [replace(each, time_us=BEGIN_US + each.time_us) for each in ios]
    return write(tmp_path_factory.mktemp(NAME), shifted)


@pytest.fixture(scope="module")
def fitted(log: Path) -> Archive:
    found = fit_windows.fit(
        workload(str(log)), NAME, HASH, CATALOG, within=0.5, seed=0, update=lambda _share, _what: None
    )
    named = [found.header.clusters[0].model_copy(update={"name": f"{NAME} at night"})]
    update = {"clusters": [*named, *found.header.clusters[1:]], "remarks": [f"of {NAME}, on Monday"]}
    return replace(found, header=found.header.model_copy(update=update))


@pytest.fixture(scope="module")
def shared(fitted: Archive) -> Archive:
    return anonymous.anonymized(fitted, KEY)


def test_names_and_the_hash_are_gone(fitted: Archive, shared: Archive, tmp_path: Path) -> None:
    secret = [NAME.encode(), HASH.encode(), b"Monday", b"night", KEY]
    assert [word for word in secret if word in _unpacked(fitted)] == secret[:-1], "and so they would be found"
    assert not [word for word in secret if word in _unpacked(shared)]
    path = tmp_path / "shared.windows"
    windows_file.write(path, shared)
    assert windows_file.read(path).header == shared.header


def _unpacked(found: Archive) -> bytes:
    """All that is in the file: its members, their names, and the values of its tables."""
    content = windows_file.content(found)
    with zipfile.ZipFile(io.BytesIO(content)) as members:
        texts = [members.read(name) for name in members.namelist()]
    tables = [table.write_csv().encode() for table in (found.rows, found.map, found.order)]
    return b"".join([content, *texts, *tables])


def test_no_moment_is_left(shared: Archive) -> None:
    length_ns = shared.header.duration_s * 1e9
    assert length_ns < 100e9 < BEGIN_US * 1000
    assert int(shared.rows["time_ns"].max()) <= length_ns  # type: ignore[arg-type]
    numbers = [float(word) for word in re.findall(r"\d+(?:\.\d+)?", str(shared.header.model_dump()))]
    assert max(numbers) <= shared.header.span_bytes, "no number of the header is a date"


def test_addresses_are_others_and_the_same_in_both_tables(fitted: Archive, shared: Archive) -> None:
    places: dict[int, int] = {}
    for before, after in ((fitted.rows, shared.rows), (fitted.map, shared.map)):
        assert before.drop("offset_bytes").equals(after.drop("offset_bytes")), "all but addresses is kept"
        for old, new in zip(before["offset_bytes"], after["offset_bytes"], strict=True):
            assert places.setdefault(old, new) == new
    assert sum(old != new for old, new in places.items()) > 0.9 * len(places)


def test_flash_and_caches_fare_as_on_the_trace(fitted: Archive, shared: Archive) -> None:
    before, after = (windows_pass.workload(each) for each in (fitted, shared))
    ours, theirs = (simulate(SSD, load, CATALOG) for load in (before, after))
    for op in ("read", "write"):
        for name in ("q0.5", "q0.99"):
            assert theirs.latency_of(op, name) == pytest.approx(ours.latency_of(op, name), rel=0.03)
    drive = f"ssd(logical={4 * GIB}, spare_factor=0.1)"
    worn = [amplification(drive, load, CATALOG, fill=1.0).write_amplification for load in (before, after)]
    assert worn[1] == pytest.approx(worn[0], rel=0.02)
    assert _stack_depths(fitted) == _stack_depths(shared), "every LRU cache has the same hits"


def _stack_depths(found: Archive) -> list[int]:
    """Of each request in turn, how many other pages were accessed since its own was: -1 at first."""
    recent: list[int] = []
    depths = []
    for page in (found.map.filter(pl.col("size_bytes") > 0)["offset_bytes"] // 4096).to_list():
        depth = recent[::-1].index(page) if page in recent else -1
        depths.append(depth)
        if depth >= 0:
            recent.remove(page)
        recent.append(page)
    return depths


def test_a_key_is_repeatable_and_none_is_drawn(fitted: Archive, shared: Archive) -> None:
    content = windows_file.content
    assert content(anonymous.anonymized(fitted, KEY)) == content(shared)
    drawn = [anonymous.anonymized(fitted, anonymous.key_of(None)) for _ in range(2)]
    assert not drawn[0].map.equals(drawn[1].map)
    with pytest.raises(InputError) as refused:
        anonymous.key_of("short")
    assert "--key: " in str(refused.value)


def test_what_runs_join_is_refused(fitted: Archive) -> None:
    size = 1 << 24
    scan = [Io(at * 1000, READ, at * size, size) for at in range(fitted.header.span_bytes // size)]
    joined = fitted.map.head(len(scan)).with_columns(
        pl.Series("op", ["read"] * len(scan)),
        pl.Series("offset_bytes", [each.offset for each in scan], dtype=pl.UInt64),
        pl.Series("size_bytes", [size] * len(scan), dtype=pl.UInt32),
    )
    with pytest.raises(InputError):
        anonymous.anonymized(replace(fitted, map=joined), KEY)


def test_names_and_remarks_of_a_fit_are_kept(fitted: Archive, tmp_path: Path) -> None:
    assert all(clusters.NAME.fullmatch(cluster.name) for cluster in fitted.header.clusters[1:])
    rng, ios = random.Random(3), []
    for at in range(6000):
        ios.append(Io(at * 10_000, READ, rng.randrange(1 << 16) * 16384, 16384))
        ios += [Io(at * 10_000 + 5, WRITE, rng.randrange(1 << 16) * 16384, 16384)] * (9 * (at > 3000))
    ios += [Io(20_000_000 + at, WRITE, rng.randrange(1 << 16) * 16384, 65536) for at in range(3000)]
    load = workload(str(write(tmp_path, sorted(ios, key=lambda each: each.time_us))))
    found = fit_windows.fit(load, "x", "", CATALOG, within=0.5, seed=0, update=lambda _share, _what: None)
    assert len(found.header.remarks) == 2
    assert anonymous.anonymized(found, KEY).header.remarks == found.header.remarks
    edited = [f"{text} on {NAME}" for text in found.header.remarks]
    again = replace(found, header=found.header.model_copy(update={"remarks": edited}))
    assert anonymous.anonymized(again, KEY).header.remarks == []


def test_the_verbs(fitted: Archive, log: Path, tmp_path: Path, drivecast: Any) -> None:
    source, out, key = tmp_path / "m.windows", tmp_path / "shared.windows", KEY.decode()
    windows_file.write(source, fitted)
    run: Run = drivecast("model", "anonymize", source, "-o", out, "--key", key, "--output-format", "json")
    assert run.code == 0, run.err
    assert run.json["name"] == "anonymous"
    assert [text.startswith(ANONYMOUS) for text in run.json["changes"]] == [True, True]
    judged: Run = drivecast("model", "validate", out, log, "--output-format", "json")
    assert judged.code in (0, 1), judged.err
    assert judged.json["changes"] == run.json["changes"]
    parts = {part["name"]: part for part in judged.json["parts"]}
    for name in ("run length", "reuse distance", "update distance"):
        assert parts[name]["distance"] == 0
    assert parts["seek distance"]["distance"] > 0
    assert not parts["seek distance"]["judged"]
    assert parts["SSD: read p99"]["passes"]


def test_a_fit_is_anonymous_at_once(log: Path, tmp_path: Path, drivecast: Any) -> None:
    out = tmp_path / "m.windows"
    run: Run = drivecast("model", "fit", log, "-o", out, "--anonymous", "--output-format", "json")
    assert run.code == 0, run.err
    header = windows_file.read(out).header
    assert (header.name, header.trace_hash) == ("anonymous", "")
    refused: Run = drivecast("model", "fit", log, "-o", tmp_path / "m.toml", "--anonymous")
    assert refused.code == 2
    assert "--anonymous" in refused.err
    lone: Run = drivecast("model", "fit", log, "-o", out, "--key", KEY.decode())
    assert lone.code == 2
    assert "--key" in lone.err
