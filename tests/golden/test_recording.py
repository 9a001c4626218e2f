"""The bundled recording: what blkparse, btt and an independent reader counted must come out, from each of its forms."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Run

READS, READ_BYTES, WRITE_BYTES = 180_625, 2_959_360_000, 1_725_249_024
TALLIES = {
    "queue": {"events": 263_828, "writes": 65_860, "zero_length": 17_343},
    "issue": {"events": 264_175, "writes": 66_021, "zero_length": 17_529},
    "complete": {"events": 281_617, "writes": 66_021, "zero_length": 34_971},
}
Profiles = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def profiles(
    drivecast: Callable[..., Run], recording: Path, tmp_path_factory: pytest.TempPathFactory
) -> Profiles:
    """Profiles by event, from the block trace and from its Parquet."""
    folder, found = tmp_path_factory.mktemp("parquet"), {}
    for event in ("Q", "D"):
        parquet = folder / f"{event}.parquet"
        assert drivecast("convert", recording, "--event", event, "-o", parquet).code == 0
        for source in (recording, parquet):
            options = () if source == parquet else ("--event", event)
            run = drivecast("profile", source, *options, "--output-format", "json")
            assert run.code == 0, run.err
            found[f"{event} {source.suffix}"] = run.json
    return found


@pytest.mark.parametrize("form", ["Q .blktrace", "Q .parquet", "D .blktrace", "D .parquet"])
def test_every_form_has_the_counted_events(profiles: Profiles, form: str) -> None:
    tallies = {tally["event"]: tally for tally in profiles[form]["log"]["tallies"]}
    for event, counts in TALLIES.items():
        for name, count in counts.items():
            assert tallies[event][name] == count, (event, name)
        assert tallies[event]["reads"] == READS
        assert tallies[event]["read_bytes"] == READ_BYTES
        assert tallies[event]["write_bytes"] == WRITE_BYTES


@pytest.mark.parametrize("form", ["Q .blktrace", "Q .parquet", "D .blktrace", "D .parquet"])
def test_rows_are_the_events(profiles: Profiles, form: str) -> None:
    profile, counted = profiles[form], TALLIES["queue" if form.startswith("Q") else "issue"]
    assert profile["reads"] == READS
    assert profile["writes"] == counted["writes"]
    assert profile["flushes"] == counted["zero_length"]
    assert profile["bytes_read"] == READ_BYTES
    assert profile["bytes_written"] == WRITE_BYTES


def test_what_the_readme_states_of_the_load(profiles: Profiles) -> None:
    queue, issue = profiles["Q .blktrace"], profiles["D .blktrace"]
    assert queue["duration_s"] == pytest.approx(240.38, abs=0.01)
    assert (queue["iops_peak_1s"], queue["iops_peak_1s_at_s"]) == (5_446, 181)
    assert queue["working_set_bytes"] == 1_066_426_368
    assert queue["working_set_read_bytes"] == 964_263_936
    assert queue["working_set_write_bytes"] == 380_837_888
    assert queue["sequential_fraction"] == pytest.approx(0.371, abs=0.0005)
    assert queue["followed"]["rate"] == 1
    assert issue["latency_ns_mean"] == pytest.approx(411_500, rel=0.05)


def test_parquet_and_block_trace_give_the_same_profile(profiles: Profiles) -> None:
    for event in ("Q", "D"):
        first, other = (dict(profiles[f"{event} {form}"]) for form in (".blktrace", ".parquet"))
        first.pop("log"), other.pop("log")
        assert first == other


def test_trace_and_counters_agree_within_one_percent(
    profiles: Profiles, drivecast: Callable[..., Run], example: Path
) -> None:
    counters = drivecast("profile", example / "iostat.json.xz", "--output-format", "json").json
    assert counters["source"] == "counters"
    sums = ("requests", "reads", "writes", "bytes_read", "bytes_written")
    means = (
        "read_fraction",
        "block_size_mean_bytes",
        "iops_mean",
        "throughput_mean_bytes_per_s",
        "write_bytes_per_day",
    )
    for event in ("Q", "D"):
        for key in sums + means:
            assert counters[key] == pytest.approx(profiles[f"{event} .blktrace"][key], rel=0.01), (event, key)
    # The kernel's counters begin where the block layer takes a request, and count the flushes that the drive is sent.
    assert counters["flushes"] == pytest.approx(profiles["D .blktrace"]["flushes"], rel=0.01)
    assert counters["queue_depth_mean"] == pytest.approx(
        profiles["Q .blktrace"]["queue_depth_mean"], rel=0.01
    )
