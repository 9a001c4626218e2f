"""Workload models from the command line: fitted, shown, generated, compared with a trace, refused."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import drivecast as dc
from drivecast import _core
from drivecast.cli.main import app
from drivecast.document.model import Open, Size
from drivecast.document.profile import Profile
from drivecast.document.validation import Comparison, Validation
from drivecast.errors import InputError
from drivecast.model import counters, validation_file
from drivecast.model.trace_measures import distance
from drivecast.stage import model_file
from drivecast.stage.simulate import workload

RUN = CliRunner()

TEXT = """schema_version = 1
name = "pages"
span_bytes = 1_073_741_824
duration_s = 2.0

[[streams]]
name = "pages"
read = 0.5
sizes = [{ bytes = 4096, share = 1.0 }]
address = { pattern = "random" }
arrivals = { loop = "open", rate_iops = 500.0 }
"""


FULL = """schema_version = 1
name = "full"
description = "every key"
span_bytes = 1_073_741_824
extent_bytes = 65536

[[streams]]
name = "open"
read = 0.5
trim = 0.01
flush = 0.02
sizes = [{ bytes = 4096, share = 1.0, next = [0.5, 0.5] }, { bytes = 8192, share = 1.0, next = [0.25, 0.75] }]
align_bytes = 512

[streams.address]
pattern = "random"
zones = [{ from = 0.0, to = 0.5, share = 1.0, used = 0.25 }]
law = "zipf"
exponent = 0.8
reuse = { share = 0.1, runs_ago = [[0.0, 1.0], [1.0, 9.0]], among = "all", in_order = 0.5 }
near = { forward = 0.25, back = 0.125, bytes = 65536.0 }

[streams.arrivals]
loop = "open"
rate_iops = 500.0
batch = { requests = 4.0, spacing_s = [[0.0, 0.001], [1.0, 0.002]] }
burst = { batches = 2.0, spacing_s = 0.01 }
gaps = [[0.0, 1.0], [1.0, 3.0]]
rate_over_time = { period_s = 10.0, steps = [[0.0, 0.5], [5.0, 1.5]] }

[[streams]]
name = "runs"
sizes = [{ bytes = 4096, share = 1.0 }]
arrivals = { loop = "closed", iodepth = 4, think_s = 0.25 }

[streams.address]
pattern = "sequential"
run_requests = 8.0
interleaved = 3
switch = 0.5

[[streams]]
name = "log"
sizes = [{ bytes = 4096, share = 1.0 }]
address = { pattern = "append", from = 0.5, to = 1.0 }
arrivals = { loop = "open", rate_iops = 1.0, listed = { period_s = 5.0, bursts = [[1.0, 20.0, 0.5]] } }

[provenance]
default = { measured = "a test" }
span_bytes = { assumed = "as large as it is" }
"""


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    path = tmp_path / "m.toml"
    path.write_text(TEXT)
    return path


def test_named_models_read_and_say_where_they_are_from() -> None:
    for name in model_file.named():
        found = model_file.load(name)
        assert found.name == name
        assert "default" in found.provenance
        assert model_file.toml(found)


def test_generate_is_deterministic_and_keeps_the_rate(pages: Path, tmp_path: Path) -> None:
    out = [tmp_path / f"{name}.parquet" for name in "abc"]
    for path, seed in zip(out, (1, 1, 2), strict=True):
        done = RUN.invoke(app, ["model", "generate", str(pages), "-o", str(path), "--seed", str(seed)])
        assert done.exit_code == 0, done.output
    assert out[0].read_bytes() == out[1].read_bytes() != out[2].read_bytes()
    rows = pl.read_parquet(out[0])
    assert abs(len(rows) - 1000) < 50
    assert rows["time_ns"].is_sorted()
    assert workload(str(out[0])).duration_s == pytest.approx(2.0, abs=0.1)


def test_a_model_is_a_workload(pages: Path) -> None:
    assert workload(str(pages)).duration_s == 2.0
    assert workload("spc1-like").duration_s == 60.0
    assert workload("iometer-database").duration_s is None


def test_a_model_is_profiled_as_the_trace_made_from_it(pages: Path, tmp_path: Path) -> None:
    made = tmp_path / "m.parquet"
    RUN.invoke(app, ["model", "generate", str(pages), "-o", str(made), "--seed", "3"])
    of = {}
    for path, seed in ((made, 0), (pages, 3), (pages, 4)):
        done = RUN.invoke(app, ["profile", str(path), "--seed", str(seed), "--output-format", "json"])
        assert done.exit_code == 0, done.output
        of[path, seed] = json.loads(done.stdout)
    notes = [profile["log"].pop("notes") for profile in of.values()]
    assert of[made, 0] == of[pages, 3] != of[pages, 4]
    assert ["`m`" in "".join(texts) for texts in notes] == [False, True, True]
    assert dc.profile(pages, seed=3).requests == of[pages, 3]["requests"]


def test_a_model_is_profiled_alone(pages: Path) -> None:
    done = RUN.invoke(app, ["profile", str(pages), "spc1-like"])
    assert (done.exit_code, done.stdout) == (2, "")


def test_faults_of_a_file_are_reported_by_line(pages: Path) -> None:
    pages.write_text(TEXT.replace("read = 0.5", "reed = 0.5"))
    done = RUN.invoke(app, ["model", "show", str(pages)])
    assert done.exit_code == 2
    assert "m.toml, line 8" in done.output
    assert "`read`" in done.output


def test_plan_refuses_a_model_without_a_verdict(pages: Path) -> None:
    of = validation_file.fingerprint(model_file.read(pages))
    with pytest.raises(InputError, match="has not been validated"):
        validation_file.demand(pages, of)
    far = Comparison(
        group="outcome", name="SSD: read p99", unit="", measure="factor - 1", distance=0.5, limit=0.15
    )
    validation_file.store(pages, of, Validation(schema_version=1, model="pages", seed=0, parts=[far]))
    with pytest.raises(InputError) as failed:
        validation_file.demand(pages, of)
    assert far.name in str(failed.value)
    validation_file.store(pages, of, Validation(schema_version=1, model="pages", seed=0, parts=[]))
    validation_file.demand(pages, of)
    pages.write_text(TEXT.replace("0.5", "0.6"))
    with pytest.raises(InputError, match="has changed"):
        validation_file.demand(pages, validation_file.fingerprint(model_file.read(pages)))
    done = RUN.invoke(app, ["plan", str(pages)])
    assert done.exit_code == 2
    assert "--accept-model" in done.output


def test_what_counters_do_not_report_is_assumed(tmp_path: Path) -> None:
    profile = Profile.model_construct(
        requests=300,
        reads=200,
        writes=100,
        read_size_mean_bytes=9000.0,
        write_size_mean_bytes=4096.0,
        duration_s=4.0,
        seconds=[{"reads": reads, "writes": 25} for reads in (0, 100, 100, 0)],
    )
    found = counters.fit(profile, "log", None)
    loops = [stream.arrivals for stream in found.streams]
    assert [loop.rate_iops for loop in loops if isinstance(loop, Open)] == [50.0, 25.0]
    assert isinstance(loops[0], Open)
    assert loops[0].rate_over_time.steps == [(0, 0), (1, 2), (2, 2), (3, 0)]
    assert found.streams[0].sizes == [Size(bytes=8192, share=0.803), Size(bytes=12288, share=0.197)]
    assert "streams.reads.arrivals.gaps" in found.assumed
    assert "span_bytes" in found.assumed
    path = tmp_path / "m.toml"
    path.write_text(model_file.toml(found))
    assert model_file.toml(model_file.read(path)) == path.read_text()


def test_a_model_keeps_every_key_of_its_file(pages: Path) -> None:
    pages.write_text(FULL)
    canonical = json.loads(_core.model_read(FULL, "full"))
    found = model_file.read(pages)
    assert found.stated() == canonical
    assert json.loads(_core.model_read(model_file.toml(found), "again")) == canonical


def test_distances_of_known_distributions() -> None:
    ours, theirs = pl.Series([1.0, 2.0, 3.0, 4.0]), pl.Series([1.0, 2.0, 30.0, 40.0])
    found = distance(ours, theirs)
    assert found.ks == pytest.approx(0.5)
    assert found.decades == pytest.approx(0.5, abs=0.01)
    same = distance(ours, ours)
    assert same.ks == pytest.approx(0.0)
    assert same.decades == 0.0
