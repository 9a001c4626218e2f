"""A sweep gives the same frame on threads and on processes, and refuses processes that would hang."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import polars as pl
import pytest

import drivecast as dc

DESIGNS = ["ssd(logical=1GiB, spare_factor=0.2)", "ssd(logical=1GiB, spare_factor=0.3)"]
FRAME = pl.DataFrame(
    {
        "time_ns": [1000 * at for at in range(500)],
        "op": ["read", "write"] * 250,
        "offset_bytes": [4096 * (at * 7919 % 1000) for at in range(500)],
        "size_bytes": [4096] * 500,
    }
)


def test_threads_and_processes_agree() -> None:
    loads = ["random(4KiB, read=0.5)", dc.workload(FRAME)]

    def swept(**options: object) -> pl.DataFrame:
        return dc.sweep(DESIGNS, loads, iodepth=[2], requests=500, **options)  # type: ignore[arg-type]

    alone = swept()
    assert alone.height == 4
    with ThreadPoolExecutor(1) as threads:
        assert swept(executor=threads).equals(alone)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert swept(executor=processes).equals(alone)


def test_forked_processes_are_refused() -> None:
    with (
        ProcessPoolExecutor(1, mp_context=get_context("fork")) as forked,
        pytest.raises(dc.InputError) as refused,
    ):
        dc.sweep(DESIGNS, "random(4KiB)", executor=forked)
    assert "'spawn'" in str(refused.value.hint)


def test_the_first_fault_ends_a_sweep() -> None:
    with pytest.raises(dc.InputError) as refused:
        dc.sweep([DESIGNS[0], "nosuch-drive"], "random(4KiB)", requests=100)
    assert "`nosuch-drive`" in str(refused.value)


def test_a_frame_without_a_column_is_refused() -> None:
    with pytest.raises(dc.InputError) as refused:
        dc.workload(FRAME.drop("offset_bytes"))
    assert "offset_bytes" in str(refused.value)
