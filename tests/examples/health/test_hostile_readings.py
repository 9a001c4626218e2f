"""Readings that are meant to do harm: damage throughout, archives that claim more than they hold, lines without end."""

import gzip
import io
import json
import os
import tarfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

import smart_reports as reports
from conftest import Run
from drivecast.document.record import Unread
from drivecast.errors import InputError
from drivecast.health.history import History, importing
from drivecast.health.read import records, smartctl_exporter, stream
from drivecast.health.smart_data import SmartData


def test_answers_that_take_no_minutes() -> None:
    """Damage was read again from each of its lines, and each row that is none was compared with all before it."""
    began = time.process_time()
    odd = {"ata_smart_attributes": {"table": [{"id": 1000 + number} for number in range(20_000)]}}
    assert not SmartData(odd).attributes
    for text in ('{"a\n' * 30_000, "[{\n" * 30_000, "[\n" * 900 + '{"a": 1},\n' * 5_000):
        found = list(stream.documents(text))
        assert isinstance(found[-1], stream.Damage)
    assert not list(stream.documents("," * 100_000_000))
    assert time.process_time() - began < 5


def test_half_a_character_is_stored_as_another(tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    log, history = tmp_path / "a.json", tmp_path / "h.sqlite3"
    log.write_text(json.dumps({**reports.intel(), "serial_number": "S\ud800"}))
    assert drivecast("health", "import", log, "--host", "db1", "--history", history).code == 0
    with History.open(str(history)) as opened:
        assert opened.drives()["serial"].to_list() == ["S?"]


def test_a_capacity_that_no_drive_has() -> None:
    odd = SmartData({"user_capacity": {"bytes": 10**30}})
    assert odd.capacity_bytes is None
    assert len(odd.problems) == 1


@pytest.mark.parametrize(
    "content", [b"\0" * 30_000_000, b"serial,model,time\n" + b"A,B,1700000000\n" * 500_000]
)
def test_a_packed_table_that_fills_the_memory(
    tmp_path: Path, drivecast: Callable[..., Run], monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(importing, "BYTES_MAX", 5_000_000)
    packed = tmp_path / "samples.csv.gz"
    packed.write_bytes(gzip.compress(content, 1))
    done = drivecast("health", "import", packed, "--history", tmp_path / "h.sqlite3")
    assert done.code == 2
    assert "when unpacked" in done.err


def test_a_table_whose_first_line_does_not_end(tmp_path: Path, drivecast: Callable[..., Run]) -> None:
    (tmp_path / "a.csv").write_bytes(b"x" * 2_000_000)
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(b"serial,model,time\n")[:-12] + b"\xff" * 12)
    for name, said in (("a.csv", "does not end within 1 MiB"), ("b.csv.gz", "as a table")):
        done = drivecast("health", "import", tmp_path / name, "--history", tmp_path / "h.sqlite3")
        assert done.code == 2
        assert said in done.err


@pytest.mark.parametrize(
    ("size", "realsize"),
    [(b"\x80" + (1 << 70).to_bytes(11), None), (b"00000001000\0", 1 << 40)],
    ids=["beyond any file", "of holes"],
)
def test_archives_that_claim_more_than_they_hold(size: bytes, realsize: int | None) -> None:
    """A number beyond any file, and a file of holes."""
    header = bytearray(tarfile.TarInfo("x.json").tobuf(tarfile.GNU_FORMAT))
    header[124:136] = size
    if realsize is not None:
        header[156:157] = tarfile.GNUTYPE_SPARSE
        header[386:410] = b"00000000000\0" + b"00000001000\0"
        header[483:495] = b"\x80" + realsize.to_bytes(11)
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    with pytest.raises(stream.PackedError):
        stream.unpack(bytes(header) + b"{}".ljust(512, b"\0") + bytes(1024))


def test_standard_input_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drivecast.health.read.BYTES_MAX", 10_000)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x" * 20_000)))
    (found,) = records(["-"])
    assert isinstance(found, Unread)
    assert found.place == "-"
    assert "MiB" in found.reason


def test_a_metric_has_an_end() -> None:
    labels = ",".join(f'l{number}="x"' for number in range(20_000))
    with pytest.raises(smartctl_exporter.LineError) as error:
        list(smartctl_exporter.samples_of_text(f"smartctl_device{{{labels}}} 1\n"))
    assert error.value.number == 1


def test_a_line_of_metrics_is_named_by_its_number() -> None:
    text = '# HELP x\n\nsmartctl_device{device="a\u2028b"} 1\nother 1\nsmartctl_device{device="c"} x\n'
    lines = smartctl_exporter.samples_of_text(text)
    assert next(lines)[1] == {"device": "a\u2028b"}
    with pytest.raises(smartctl_exporter.LineError) as error:
        next(lines)
    assert error.value.number == 5


HOURS = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour) for hour in range(1000)]


def table_of_hours(path: Path) -> None:
    pl.DataFrame({"serial": "A", "model": "M", "time": HOURS}).write_parquet(path, row_group_size=100)


def test_a_table_that_is_cut_off_while_it_is_read(tmp_path: Path) -> None:
    table_of_hours(path := tmp_path / "samples.parquet")
    parts = importing._parts(path, 100)
    first = next(parts)[1]
    os.truncate(path, 10)
    assert first.height + sum(part.height for _, part in parts) == len(HOURS)


def test_a_table_larger_than_memory_that_is_cut_off_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BYTES_MAX", 0)
    table_of_hours(path := tmp_path / "a b%20[c]*#.parquet")
    assert sum(part.height for _, part in importing._parts(path, 300)) == len(HOURS)
    parts = importing._parts(path, 100)
    assert next(parts)[1].height == 100
    os.truncate(path, 10)
    with pytest.raises(InputError) as error:
        list(parts)
    assert str(path) in str(error.value)
