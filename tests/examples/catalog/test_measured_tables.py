"""Tables of drives by threads, and of ACT: what is read, what is simulated, and what is refused."""

from pathlib import Path

import pytest

from bundled import CATALOG
from drivecast.calibration import act_run, thread_calibrate, thread_table
from drivecast.calibration.drive_title import drive_titled
from drivecast.calibration.load_table import any_drive
from drivecast.catalog import device_spec
from drivecast.document.outcome import LatencyHistogram, Outcome
from drivecast.errors import InputError
from drivecast.reproduce.act_table import ACT
from drivecast.reproduce.nvme_tables import THREADS, THREADS_HOST_IOPS
from drivecast.stage import simulate

P4610 = "intel-p4610-1.6tb"
THREADS_HEAD = ",".join(thread_table.COLUMNS)
ACT_HEAD = (
    "device,overprov,record_bytes,write_recs_s,read_recs_s,large_block_kb,"
    + ",".join(
        f"{kind}_{what}"
        for kind in ("RAW_READS", "LB_READS")
        for what in ("total", *(f"pct_over_{us}us" for us in act_run.BOUNDS_US))
    )
)  # fmt: skip
ACT_ROW = "Samsung 845DC PRO 400GB,none,1536,1000,2000,128,990000,1,0.1,0.01,0,10000,10,1,0.1,0"


def _threads(folder: Path, *rows: str, head: str = THREADS_HEAD) -> Path:
    path = folder / THREADS.file
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def _row(
    *,
    pattern: str = "random",
    write: float = 0,
    size: int = 4096,
    depth: str = "",
    jobs: int = 4,
    engine: str = "libaio",
    iops: float = 6e5,
) -> str:
    title = "Intel P4610 1.6TB SSDPE2KE016T8 (paper D1)"
    return (
        f"{title},1 file(s)/device(s),1,{pattern},{write},{size},{depth},{jobs},10737418240,{engine},{iops}"
    )


def _act(folder: Path, *rows: str, head: str = ACT_HEAD) -> Path:
    path = folder / ACT.file
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def test_a_drive_is_found_by_a_longer_title() -> None:
    path = Path("t.csv")
    assert drive_titled("Intel P4610 1.6TB SSDPE2KE016T8 (paper D1)", path, CATALOG) == P4610
    assert drive_titled("Intel Optane P5800X (paper D3)", path, CATALOG) == "intel-optane-p5800x-800gb"
    for title in ("Intel P4610 3.2TB", "Samsung PM9A3"):
        with pytest.raises(InputError) as refused:
            drive_titled(title, path, CATALOG)
        assert f"t.csv: drive `{title}`" in str(refused.value)


def test_rows_that_the_drive_cannot_tell_apart_share_a_run(tmp_path: Path) -> None:
    """16 threads of 128 and 32 of 128 both fill the drive's queue; 1 does not; an array is left out."""
    rows = [_row(jobs=16), _row(jobs=32, depth="128", engine="io_uring"), _row(jobs=1)]
    other = _row().replace("1 file(s)/device(s)", "2 file(s)/device(s)")
    runs = list(THREADS.runs(_threads(tmp_path, *rows, other), CATALOG, any_drive))
    assert [(run.workload, len(run.figures)) for run in runs] == [
        ("random(4096B, read=1, iodepth=1024, span=0.00671089)", 2),
        ("random(4096B, read=1, iodepth=128, span=0.00671089)", 1),
    ]


def test_sequential_rows_are_sequential(tmp_path: Path) -> None:
    rows = [_row(pattern="seq", jobs=32, depth="128"), _row(pattern="sequential", jobs=32, depth="128")]
    (run,) = THREADS.runs(_threads(tmp_path, *rows), CATALOG, any_drive)
    assert run.workload.startswith("sequential(4096B, read=1,")
    assert not run.fitted


def test_threads_submit_no_faster_than_they_can(tmp_path: Path) -> None:
    """A thread submits 555,880 reads or 426,800 writes a second by libaio, and half of each at the harmonic mean."""
    rows = thread_table.read(_threads(tmp_path, _row(jobs=1, write=0.5), _row(jobs=2)), CATALOG)
    assert rows[0].host_per_s == pytest.approx(2 / (1 / 555_880 + 1 / 426_800))
    assert rows[0].ours(Outcome(iops=1e6)) == pytest.approx(482_865, rel=1e-4)
    assert rows[1].ours(Outcome(iops=1e6)) == 1e6


def test_where_another_engine_does_more_the_host_was_the_limit(tmp_path: Path) -> None:
    rows = [_row(write=0.2, iops=500_000), _row(write=0.2, iops=399_000, engine="io_uring")]
    rows += [_row(write=1, iops=350_000), _row(write=1, iops=290_000, engine="io_uring")]
    runs = THREADS.runs(_threads(tmp_path, *rows), CATALOG, any_drive)
    names = {(measured, name) for run in runs for name, measured, _ in run.figures}
    bound = {measured for measured, name in names if name == THREADS_HOST_IOPS}
    assert bound == {399_000}, "290,000 of 350,000 is within what engines differ by"


def test_only_the_rows_used_are_called_fitted(tmp_path: Path) -> None:
    rows = [_row(jobs=32, depth="128"), _row(jobs=32, depth="128", engine="io_uring"), _row(jobs=8)]
    optane = _row(size=65_536, iops=1e5).replace("P4610 1.6TB SSDPE2KE016T8 (paper D1)", "Optane P5800X")
    rows += [optane, optane.replace(",0,65536", ",0.5,65536"), _row(size=65_536, iops=4e4)]
    found = thread_table.read(_threads(tmp_path, *rows), CATALOG)
    assert [thread_calibrate.was_fitted(row, CATALOG) for row in found] == [
        True,
        False,
        False,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (_row(engine="sync"), "ioengine"),
        (_row(write=1.2), "write_frac"),
        (_row(iops=0), "total_iops"),
        (_row(depth="1.5"), "iodepth"),
        (_row(size=1 << 20), "total_iops"),
    ],
)
def test_rows_by_threads_that_cannot_be_are_refused(tmp_path: Path, row: str, column: str) -> None:
    with pytest.raises(InputError) as refused:
        thread_table.read(_threads(tmp_path, row), CATALOG)
    assert f", line 2: {column}: " in str(refused.value)


def test_act_writes_blocks_twice_as_fast_as_records_fill_them(tmp_path: Path) -> None:
    """85 records of 1,536 B a block; 24 hours of the public run made 2,032,942 large reads."""
    (row,) = act_run.read(_act(tmp_path, ACT_ROW), CATALOG)
    assert row.large_per_s * 86_400 == pytest.approx(2_032_942, rel=1e-3)
    assert row.shares[0] == pytest.approx((0.99 * 1 + 0.01 * 10) / 100)
    streams = row.model(10**9).streams
    assert [stream.read for stream in streams] == [1, 1, 0]


def test_act_is_played_on_a_smaller_drive_of_the_same_ratios(tmp_path: Path) -> None:
    (run,) = ACT.runs(_act(tmp_path, ACT_ROW), CATALOG, any_drive)
    assert run.instead is not None
    drive, whole = run.instead, CATALOG.get(run.drive)
    assert drive.user_bytes * act_run.SCALE == pytest.approx(whole.user_bytes)
    small, large = device_spec(drive), device_spec(whole)
    assert small["physical_bytes"] / small["logical_bytes"] == pytest.approx(
        large["physical_bytes"] / large["logical_bytes"], rel=1e-3
    )
    assert small["background_gc"] == {"delay_ns": 1000, "reserve": 0.75}
    assert run.fitted
    assert [name for name, _, _ in run.figures] == act_run.SHARES[:3], "a share of zero says nothing"


def test_capacity_held_back_serves_as_spare(tmp_path: Path) -> None:
    rows = [ACT_ROW.replace("none", held) for held in ("25%", "a partition")]
    (run,) = ACT.runs(_act(tmp_path, *rows), CATALOG, any_drive)
    assert run.instead.user_bytes * act_run.SCALE == pytest.approx(300e9)
    assert not run.fitted, "only the drive as sold was"


def test_a_share_that_no_request_reached_is_half_a_request() -> None:
    buckets = [
        {"op": "read", "latency_ns": latency, "count": count, "quantile": 1.0}
        for latency, count in ((100_000, 990), (3_000_000, 10))
    ]
    outcome = Outcome(iops=1, latencies=LatencyHistogram(buckets))
    assert act_run.beyond(2048)(outcome) == pytest.approx(0.01)
    assert act_run.beyond(4096)(outcome) == pytest.approx(0.0005)


@pytest.mark.parametrize(
    ("row", "place"),
    [
        (
            ACT_ROW.replace(",1,0.1,0.01,0,10000", ",1,2,0.01,0,10000"),
            ", line 2: RAW_READS_pct_over_2048us: ",
        ),
        (ACT_ROW.replace(",990000,1,", ",990000,101,"), ", line 2: RAW_READS_pct_over_1024us: "),
        (ACT_ROW.replace(",1536,", ",1500,"), ", line 2: record_bytes: "),
        (ACT_ROW.replace(",2000,", ",0,"), ", line 2: read_recs_s: "),
        (ACT_ROW.replace("845DC PRO", "846DC PRO"), "`samsung-845dc-pro-400gb`"),
    ],
)
def test_rows_of_act_that_cannot_be_are_refused(tmp_path: Path, row: str, place: str) -> None:
    with pytest.raises(InputError) as refused:
        act_run.read(_act(tmp_path, row), CATALOG)
    assert place in str(refused.value)


def test_memory_written_in_place_copies_nothing() -> None:
    """As flash in blocks of one page: whatever is overwritten is free at once."""
    spec = device_spec(CATALOG.get("intel-optane-p5800x-800gb"))
    assert (spec["pages_per_block"], spec["planes"], spec["erase_ns"]) == (1, 1, 1)
    for pages, copied in ((1, False), (64, True)):
        design = f"ssd(logical=64MiB, spare_factor=0.1, pages_per_block={pages}, page=4KiB)"
        options = simulate.Options(requests=20_000)
        load = simulate.workload("random(4KiB, read=0, iodepth=16)")
        found = simulate.simulate(design, load, CATALOG, options).write_amplification
        assert found is not None
        assert (found > 1.5) == copied
        assert copied or found == 1
