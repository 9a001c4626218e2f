"""`drivecast compare fit`: a file that works, and inputs that do not."""

import tomllib
from pathlib import Path

import pytest

from conftest import invoke
from drivecast import catalog
from drivecast.compare.fit import burst, hold_out, observation, variant
from drivecast.document import result
from measured_runs import VOLUME, depths, point, written

DEPTHS = (1, 2, 4, 8, 16)


@pytest.fixture(scope="module")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    folder = tmp_path_factory.mktemp("fit")
    runs = written(folder / "runs.json", depths(VOLUME, DEPTHS, (1.0, 0.7, 0.0), repeats=2))
    out = folder / "my-disk.toml"
    options = ("-o", out, "--figure", folder / "f.svg", "-q", "--output-format", "json")
    found = invoke("compare", "fit", runs, *options)
    assert found.code == 0, found.err
    return out, found.json


def test_fit_says_what_it_fitted_and_what_it_held_out(fitted):
    _, document = fitted
    assert document["kind"] == "volume"
    assert document["variant"] in ("batches", "growing batches"), "a sweep cannot always separate them"
    assert document["capacity_bytes"] == VOLUME["capacity_bytes"]
    assert (document["settings_fitted"], document["settings_held_out"]) == (13, 2)
    held = {row["workload"] for row in document["figures"] if row["held_out"]}
    assert held == {f"random(4KiB, read=0.7, iodepth={depth})" for depth in (2, 8)}


def test_held_out_quantiles_are_predicted(fitted):
    _, document = fitted
    errors = {row["quantity"]: row for row in document["errors"]}
    assert errors["read.q0.5"]["error_max"] < 0.1
    assert errors["read.q0.99"]["error_max"] < 0.2
    assert errors["iops"]["noise"] is not None


def test_file_is_one_of_the_catalog_with_its_error(fitted):
    out, document = fitted
    content = tomllib.loads(out.read_text())
    assert content["held_out"]["runs"] == 2
    assert content["front"]["read_command_ns"]["low"] < content["front"]["read_command_ns"]["value"]
    assert content["front"]["read_command_ns"]["fitted"]
    volume = catalog.load([out]).volumes["my-disk"]
    assert volume.sheet.held_out.p99_error_max == content["held_out"]["p99_error_max"]
    assert (out.parent / "f.svg").read_text().startswith("<svg")
    names = {row["name"] for row in document["parameters"] if row["provenance"] == "fitted"}
    assert {"front.read_command_ns", "read.service_ns"} <= names


def test_file_is_simulated_by_name(fitted):
    out, _ = fitted
    load = ("-w", "random(4KiB, read=1, iodepth=4)", "--requests", "2000", "--output-format", "json")
    found = invoke("simulate", "my-disk", *load, "--catalog", out)
    assert found.code == 0, found.err
    assert found.json["iops"] > 0


def few(path: Path) -> Path:
    return written(path, depths(VOLUME, (1, 2), (1.0,)))


def one_depth(path: Path) -> Path:
    points = [
        point(VOLUME, f"random({size}KiB, read=1, iodepth=4)", size) for size in (4, 8, 16, 32, 64, 128)
    ]
    return written(path, points)


def two_targets(path: Path) -> Path:
    points = depths(VOLUME, (1, 2, 4, 8, 16, 32, 64), (1.0,))
    return written(path, [*points, points[0].model_copy(update={"target": "/mnt/other"})])


def partial(path: Path) -> Path:
    return written(path, depths(VOLUME, (1, 2), (1.0,)), complete=False, partial="no space left")


def database(path: Path) -> Path:
    return written(path, depths(VOLUME, (1,), (1.0,)), kind="database")


def plain(path: Path) -> Path:
    return written(path, depths(VOLUME, (1, 2, 4, 8, 16, 32, 64), (1.0,)))


@pytest.mark.parametrize(
    ("made", "more", "words"),
    [
        (few, [], "settings are left to fit to"),
        (one_depth, ["--hold-out", "block_bytes=128KiB"], "have one depth"),
        (two_targets, [], "of 2 targets"),
        (two_targets, ["--target", "/mnt/third"], "of `/mnt/third`"),
        (partial, [], "is partial: no space left"),
        (database, [], "measures a database"),
        (plain, ["--as", "tape"], "expected volume, ssd or disk"),
        (plain, ["--hold-out", "iodepth"], "expected a result or a selector"),
        (plain, ["--hold-out", "depth=3"], "no run has a setting `depth`"),
        (plain, ["--hold-out", "iodepth=3"], "no run has `iodepth=3`"),
        (plain, ["--capacity", "1MiB"], "were worked on"),
        (plain, ["--figure", "x.pdf"], "ends in `.svg` or `.png`"),
    ],
)
def test_bad_input_is_refused_in_words(tmp_path, monkeypatch, made, more, words):
    monkeypatch.chdir(tmp_path)
    runs = made(tmp_path / "runs.json")
    out = tmp_path / "disk.toml"
    found = invoke("compare", "fit", runs, "-o", out, *more)
    assert found.code == 2, found.out
    assert words in found.err
    assert not out.exists()


def test_names_that_no_catalog_takes_are_refused(tmp_path):
    runs = plain(tmp_path / "runs.json")
    found = invoke("compare", "fit", runs, "-o", tmp_path / "My Disk.toml")
    assert found.code == 2
    assert "`My Disk.toml`" in found.err


def test_repeats_are_one_observation_with_its_noise(tmp_path):
    runs = written(tmp_path / "runs.json", depths(VOLUME, (1, 2), (1.0,), repeats=3))
    found = observation.observations([(runs, result.read(runs))])
    assert [run.runs for run in found] == [3, 3]
    assert found[0].depth == 1
    assert 0 < found[0].noise["read.q0.5"] < 0.1


def test_blocked_threads_are_left_out(tmp_path):
    points = depths(VOLUME, (1, 2), (1.0,))
    waits = points[0].model_copy(update={"settings": {"engine": "psync", "iodepth": 1}})
    runs = written(tmp_path / "runs.json", [*points, waits])
    assert len(observation.observations([(runs, result.read(runs))])) == 2


def test_kind_is_what_the_device_says():
    def kind(**described):
        return variant.decide([], described)[0]

    assert kind(driver="virtio_blk", queue={"rotational": "1"}) == "volume"
    assert kind(driver="nvme", model="Amazon Elastic Block Store", queue={"rotational": "0"}) == "volume"
    assert kind(driver="nvme", model="SAMSUNG", queue={"rotational": "0"}) == "ssd"
    assert kind(driver="sd", model="ST20000NM", queue={"rotational": "1"}) == "disk"
    assert kind() == "volume"


def test_a_fall_to_a_lower_rate_is_a_spent_bucket():
    found = burst.step([3000.0, 3010, 2990] * 10 + [1000.0, 990, 1010] * 10)
    assert found.at_s == 30
    assert found.before == pytest.approx(3000, rel=0.01)
    assert found.after == pytest.approx(1000, rel=0.01)


@pytest.mark.parametrize(
    "rates", [[1000.0] * 60, [1000.0, 1500.0] * 30, [1000.0] * 30 + [3000.0] * 30, [5.0, 1.0]]
)
def test_what_does_not_fall_once_is_no_bucket(rates):
    assert burst.step(rates) is None


def test_without_mixes_every_third_depth_is_held_out(tmp_path):
    runs = written(tmp_path / "runs.json", depths(VOLUME, (1, 2, 4, 8, 16, 32), (1.0,)))
    parts = hold_out.split(observation.observations([(runs, result.read(runs))]), [], [])
    assert [run.depth for run in parts.held_out] == [2, 16]
