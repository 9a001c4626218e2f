"""The sequential share of a counter log: inferred, stated with its interval, played, and never used against a disk."""

from pathlib import Path

import polars as pl
import pytest

from bundled import CATALOG
from drivecast.document.profile import Profile
from drivecast.model import counters
from drivecast.plan import sizing_line
from drivecast.plan.bound import Limits, missed
from drivecast.plan.requirement import Given, derive
from drivecast.present import terminal
from drivecast.stage import counter_load, model_file, trace
from drivecast.stage.design import parse
from drivecast.stage.simulate import Options, simulate
from drivecast.stage.superposed import superposed

HEADER = "Device r/s rkB/s rrqm/s r_await w/s wkB/s wrqm/s w_await aqu-sz %util"


def log(
    folder: Path, name: str, read_kib: float, write_kib: float, merges: tuple[float, float] = (0, 0)
) -> Path:
    """A log of 60 reads and 40 writes a second of these sizes, with so many merges a request."""
    lines = ["Linux 6.8.0 (host) \t11/02/2026 \t_x86_64_\t(32 CPU)", ""]
    row = f"sdb 60 {60 * read_kib} {60 * merges[0]} 1.0 40 {40 * write_kib} {40 * merges[1]} 1.0 0.1 9.0"
    for minute in range(10):
        lines += [f"11/02/2026 09:{minute:02d}:00 AM", HEADER, row, ""]
    path = folder / f"{name}.txt"
    path.write_text("\n".join(lines))
    return path


def plain(line: str) -> str:
    return line.replace(" ", "")


def profiled(path: Path) -> Profile:
    return trace.profile([path], trace.Reading(skip_first=True), peak_window_s=60.0)


def test_a_database_stays_random(tmp_path: Path) -> None:
    profile = profiled(log(tmp_path, "database", 16, 16))
    load = counter_load.of(profile)
    assert load.mix == "random(16384, read=0.6000"
    assert profile.sequential_fraction == 0
    assert (profile.sequential_share.all.low, profile.sequential_share.all.high) == (0.0, 0.5)
    assert "50" in dict(load.assumed)["addresses"]


def test_streams_are_played_as_runs_of_their_direction(tmp_path: Path) -> None:
    profile = profiled(log(tmp_path, "video", 16, 512, merges=(0, 127)))
    load = counter_load.of(profile)
    assert plain(load.mix) == "random(6000*16384[read=1],4000*524288[read=0,sequential=0.97],read=0.6000"
    assert "100" in dict(load.assumed)["addresses"]
    assert "70" in terminal.render_profile(profile, "video").plain
    only = profile.model_copy(
        update={"peak_window": profile.peak_window.model_copy(update={"read_fraction": 0.0})}
    )  # type: ignore[union-attr]
    assert counter_load.of(only).mix.endswith("sequential=0.97")


def test_runs_spare_a_disk_its_seeks(tmp_path: Path) -> None:
    # Reads and writes are a run each, and the arm goes from one to the other.
    found = [
        simulate(
            "seagate-exos-x24-24tb",
            counter_load.of(profiled(log(tmp_path, name, 512, 512, merges))).workload(0.5, 1.0),
            CATALOG,
            Options(fill=0.5, duration_s=60.0),
        ).utilization
        for name, merges in (("objects", (0, 0)), ("streams", (127, 127)))
    ]
    assert found[1] < 0.8 * found[0], found


def test_each_of_several_logs_keeps_its_own(tmp_path: Path) -> None:
    logs = [log(tmp_path, "video", 512, 512, merges=(127, 127)), log(tmp_path, "database", 16, 16)]
    with superposed(logs, trace.Reading(skip_first=True)) as together:
        profile = together.profile(60.0)
        items = [plain(share.item) for share in together.shares(profile)]
    assert items == ["6000*524288[read=0.6000,sequential=0.97]", "6000*16384[read=0.6000]"]
    assert profile.reads_merged == pytest.approx(127 * 60 * 480, rel=0.2)


@pytest.mark.parametrize(("read_kib", "is_missed"), [(16, True), (512, False)])
def test_a_disk_is_ruled_out_only_where_no_share_that_is_allowed_would_fit(
    tmp_path: Path, read_kib: float, is_missed: bool
) -> None:
    profile = profiled(log(tmp_path, "log", read_kib, 16))
    limits = Limits(
        CATALOG,
        derive(Given(years=5, capacity_bytes=10**12, p99_read_ns=8_000_000), profile),
        profile,
        True,
        False,
    )
    kinds = [miss.kind for miss in missed(parse("raid1(2 * seagate-exos-x24-24tb)", CATALOG), limits)]
    assert ("rotation" in kinds) == is_missed


def test_the_interval_holds_what_the_trace_of_the_same_disk_has(example: Path) -> None:
    counted = trace.profile([example / "iostat.json.xz"], peak_window_s=60.0)
    traced = trace.profile(sorted(example.glob("*.blktrace.*")), peak_window_s=60.0)
    bounds = counted.sequential_share.all
    assert bounds.value <= traced.sequential_fraction <= bounds.high
    assert (counted.reads_merged, counted.writes_merged) == (0, 384)


def test_a_line_has_the_share_that_it_states(tmp_path: Path) -> None:
    line = "random(3 * 1MiB[read=1, sequential=0.5], 512KiB[read=0], rate=40iops)"
    assert sizing_line.in_order(line) == (0.5, 0.0)
    written = trace.profile([sizing_line.write_log(line, tmp_path, 0)], peak_window_s=60.0)
    profile = sizing_line.stated(written, sizing_line.in_order(line))
    load = counter_load.of(profile)
    assert load.mix.startswith("random(7")
    assert "[read=1,sequential=0.5],2" in plain(load.mix)
    assert load.mix.count("sequential") == 1, "large writes are at random, as stated"
    assert dict(load.assumed)["addresses"].startswith(
        "sequential reads 50 %, writes 0 %, as stated; the rest"
    )


def test_a_model_of_counters_has_the_runs(tmp_path: Path) -> None:
    profile = profiled(log(tmp_path, "video", 16, 512, merges=(0, 127)))
    fitted = counters.fit(profile, "video", 10**12)
    assert "streams.writes.address.run_requests" in fitted.assumed
    made = tmp_path / "made.parquet"
    model_file.generate(fitted, made, seed=0)
    rows = pl.read_parquet(made).filter(pl.col("op").cast(pl.String) == "write")
    follows = rows["offset_bytes"] == (rows["offset_bytes"] + rows["size_bytes"]).shift(1)
    assert follows.mean() == pytest.approx(0.97, abs=0.01)
