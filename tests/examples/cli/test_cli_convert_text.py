"""`drivecast convert` on text: detection that is stated, mappings, standard input, URLs, strictness."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from fsspec.registry import _registry

from conftest import PROGRAM, Run
from drivecast.errors import InputError
from drivecast.stage import trace

TABLE = "ts,type,lba,len\n1000,R,8,4096\n1010,W,16,512\n"
MAPPING = "time=ts:us,op=type:R/W,offset=lba:512,size=len:1"
SPC = "0,20941264,8192,W,0.551706\n0,20939840,8192,W,0.554041\n1,3436288,15872,r,1.250720\n"


def test_what_was_detected_is_said(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    log, out = tmp_path / "anything", tmp_path / "out.parquet"
    log.write_text(SPC)
    run = drivecast("convert", log, "-o", out, "--output-format", "json")
    assert run.code == 0, run.err
    assert (run.json["format"], run.json["rows"]) == ("spc", 3)
    assert pl.read_parquet(out)["offset_bytes"].to_list() == [20941264 * 512, 20939840 * 512, 3436288 * 512]


def test_a_table_by_a_mapping(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    log, out = tmp_path / "t.csv", tmp_path / "out.parquet"
    log.write_text(TABLE)
    run = drivecast("convert", log, "--csv", MAPPING, "-o", out, "--output-format", "json")
    assert run.code == 0, run.err
    assert (run.json["format"], run.json["rows"]) == ("csv", 2)
    assert pl.read_parquet(out)["time_ns"].to_list() == [0, 10_000]
    wrong = drivecast(
        "convert", log, "--csv", "time=ts:us,op=kind,offset=lba,size=len", "-o", tmp_path / "no"
    )
    assert wrong.code == 2
    assert "--csv: " in wrong.err
    assert "`kind`" in wrong.err
    assert not (tmp_path / "no").exists()


def test_a_format_that_is_asked_for(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    log, out = tmp_path / "t", tmp_path / "out.parquet"
    log.write_text("".join(f"{3 * i} 0 {8 * i} 8 1\n" for i in range(20)))
    doubt = drivecast("convert", log, "-o", out)
    assert doubt.code == 2
    assert all(f"`--format {name}`" in doubt.err for name in ("mqsim", "disksim"))
    run = drivecast("convert", log, "--format", "disksim", "-o", out)
    assert run.code == 0, run.err
    assert pl.read_parquet(out)["time_ns"][1] == 3_000_000
    unknown = drivecast("convert", log, "--format", "nonsense", "-o", out)
    assert unknown.code == 2
    assert "--format: " in unknown.err


def test_strict_refuses_what_lacks_something(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    log, out = tmp_path / "t", tmp_path / "out.parquet"
    log.write_text(SPC * 100 + "0,1,")
    run = drivecast("convert", log, "-o", out)
    assert run.code == 0, run.err
    assert "line 301" in run.err
    strict = drivecast("convert", log, "--strict", "-o", tmp_path / "no")
    assert strict.code == 2
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    run = subprocess.run(
        [PROGRAM, "convert", "-", "-o", out, "--output-format", "json"],
        input=pack(SPC.encode()),
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    summary = json.loads(run.stdout)
    assert (summary["rows"], summary["files"][0]["name"]) == (3, "standard input")


def test_a_url(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(SPC)
    (tmp_path / "b.csv").write_text(SPC.replace("0,2", "2,2"))
    url, out = f"file://{tmp_path}/a.csv", tmp_path / "out.parquet"
    assert drivecast("convert", url, "-o", out).code == 0
    assert pl.read_parquet(out).height == 3
    run = drivecast("convert", f"file://{tmp_path}/*.csv", "-o", out, "--output-format", "json")
    assert run.code == 0, run.err
    assert [file["name"] for file in run.json["files"]] == ["a.csv", "b.csv"]
    assert trace.convert([url], out).rows == 3


def test_a_url_that_cannot_be_opened() -> None:
    for url in ("nonsense://x/y", "file:///there/is/no/such/file", "file:///there/is/none/*.csv"):
        with pytest.raises(InputError) as refused:
            trace.profile([url])
        assert f"`{url}`" in str(refused.value)


def test_a_protocol_whose_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(_registry, "s3", raising=False)  # an earlier test may have opened one
    with pytest.raises(InputError) as refused:
        trace.profile(["s3://bucket/key"])
    assert "'drivecast[s3]'" in str(refused.value)


def test_the_formats_are_listed(drivecast: Callable[..., Run]) -> None:
    found = drivecast("formats", "--output-format", "json").json["formats"]
    assert found == trace.formats()
    kinds = {kind: [row for row in found if row["kind"] == kind] for kind in ("trace", "counters")}
    assert len({row["name"] for row in kinds["trace"]}) == len(kinds["trace"]) >= 20
    assert len({row["title"] for row in kinds["counters"]}) == len(kinds["counters"]) >= 9
    assert all(row["detected_by"] and row["sample"] for row in found)
    text = drivecast("formats", "perfmon").out
    assert "typeperf" in text
    assert "(PDH-CSV 4.0)" in text
    assert drivecast("formats", "--output-format", "csv").out.count("\n") == len(found) + 1
    assert "`what`" in drivecast("formats", "what").err
