"""A model compared with counters: what fits passes, and each way of not fitting fails in its own part."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT, Run
from drivecast.document.model import Model
from drivecast.errors import HintedError
from drivecast.model import counters, validate_counters
from drivecast.stage import model_file, trace

LOG = ROOT / "examples/perfmon/db1.csv"


def fitted() -> Model:
    """The model of the example log."""
    return counters.fit(trace.profile([LOG]), "db1", 32 * 10**9)


def failures(of: Model) -> set[str]:
    """The parts in which a model is too far from the log."""
    samples = trace.samples([LOG])
    assert samples is not None
    found = validate_counters.validate(of, samples, seed=0, update=lambda _share, _what: None)
    return {part.name for part in found.failures}


def changed(change: Callable[[dict[str, Any]], object]) -> Model:
    """The model with other values in its streams."""
    document = json.loads(fitted().json_text())
    for stream in document["streams"]:
        change(stream)
    return Model.model_validate(document)


def large(stream: dict[str, Any]) -> None:
    """Reads of 32 KiB."""
    if stream["name"] == "reads":
        stream["sizes"] = [{"bytes": 32768, "share": 1.0}]


def twice(stream: dict[str, Any]) -> None:
    """Reads at twice the rate."""
    stream["arrivals"]["rate_iops"] *= 2 if stream["name"] == "reads" else 1


def test_what_was_fitted_passes() -> None:
    assert failures(fitted()) == set()


def test_what_was_changed_fails_where_it_was_changed() -> None:
    assert failures(changed(large)) == {
        "read bytes",
        "mean read size",
        "bytes over time",
    }
    assert {"reads", "read fraction", "mean queue depth, rate × latency"} <= failures(changed(twice))
    assert failures(changed(lambda stream: stream["arrivals"].pop("rate_over_time"))) == {
        "reads over time",
        "writes over time",
        "bytes over time",
        "requests in the busiest part",
    }


def test_a_model_too_large_for_memory_is_played_slower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validate_counters, "REQUESTS_MAX", 50_000)
    assert failures(fitted()) == set()


def test_a_closed_loop_has_no_rate_to_compare() -> None:
    of = model_file.load("jesd219-enterprise")
    with pytest.raises(HintedError) as refused:
        failures(of)
    assert "`arrivals`" in refused.value.hint


def test_a_trace_has_no_samples(recording: Path) -> None:
    assert trace.samples([recording]) is None


def test_the_validation_is_stored_for_plan(drivecast: Callable[..., Run], tmp_path: Path) -> None:
    path = tmp_path / "m.toml"
    path.write_text(model_file.toml(fitted()))
    run = drivecast("model", "validate", path, LOG, "--output-format", "json")
    assert run.code == 0, run.err
    assert run.json["valid"]
    assert json.loads((tmp_path / "m.validation.json").read_text())["valid"]
    path.write_text(model_file.toml(changed(large)))
    assert drivecast("model", "validate", path, LOG).code == 1
