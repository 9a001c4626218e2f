"""A sweep uses all cores, gives the same frame on threads and processes, and ends at Ctrl-C."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any
from unittest import mock

import polars as pl
import pytest

import drivecast as dc
import waiting
from drivecast import _core, executors
from drivecast.api import sweep, task

DESIGNS = [f"ssd(logical=1GiB, spare_factor={spare})" for spare in (0.1, 0.2)]
LINE = "random(4KiB, read=0.5)"
FRAME = pl.DataFrame(
    {
        "time_ns": [1000 * at for at in range(500)],
        "op": ["read", "write"] * 250,
        "offset_bytes": [4096 * (at * 7919 % 1000) for at in range(500)],
        "size_bytes": [4096] * 500,
    }
)


@pytest.fixture
def made() -> Iterator[list[_core.Kept]]:
    """Whatever holds drives in steady state."""
    found: list[_core.Kept] = []

    def kept(bytes_max: int) -> _core.Kept:
        found.append(_core.Kept(bytes_max))
        return found[-1]

    with mock.patch.object(sweep, "Kept", kept), mock.patch.object(task, "Kept", kept):
        yield found


@pytest.mark.parametrize("cores", [1, 2, 16])
def test_each_drive_is_brought_to_its_steady_state_once(made: list[_core.Kept], cores: int) -> None:
    with mock.patch("os.cpu_count", return_value=cores):
        runs = dc.sweep(DESIGNS, LINE, iodepth=[1, 2, 4], requests=300)
    assert runs.select("design", "iodepth").rows() == [
        (line, depth) for line in DESIGNS for depth in (1, 2, 4)
    ]
    assert [kept.preconditioned for kept in made] == [1, 1]


def test_depths_of_one_drive_are_on_several_cores() -> None:
    done, alone, meeting = task.done, iter([True]), threading.Barrier(4)

    def watched(*given: Any) -> Any:
        if not next(alone, False):  # the other depths begin where the first one ended
            meeting.wait(waiting.PATIENCE_S)
        return done(*given)

    with mock.patch("os.cpu_count", return_value=4), mock.patch.object(sweep, "done", watched):
        assert dc.sweep(DESIGNS[:1], LINE, iodepth=[1, 2, 4, 8, 16], requests=100).height == 5


def test_a_mistake_in_the_last_design_is_said_at_once() -> None:
    with mock.patch.object(sweep, "done", side_effect=AssertionError("it began")):
        with pytest.raises(dc.InputError, match="`nosuch-drive`"):
            dc.sweep([*DESIGNS, "nosuch-drive"], LINE)
        with pytest.raises(dc.InputError, match="depth"):
            dc.sweep(DESIGNS, "examples/day-of-mysql/sadf.json.xz", iodepth=[1])


@pytest.mark.parametrize("where", ["threads", "processes"])
def test_control_c_ends_a_sweep(where: str) -> None:
    """Runs that would take years; the interrupt is sent once the first has begun."""
    script = f"""
import os, signal, threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
import drivecast as dc
from drivecast import executors

def main():
    pool = ProcessPoolExecutor(1, get_context("spawn")) if {where == "processes"} else None
    work = executors.Job.each
    def each(*given):
        threading.Timer(2.0 if pool else 0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        return work(*given)
    executors.Job.each = each
    try:
        dc.sweep({DESIGNS}, "{LINE}", requests=10**12, executor=pool)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        if pool is None:
            return
        for process in list(pool._processes.values()):
            process.kill()

if __name__ == "__main__":
    main()
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=True,
    )
    assert done.stdout == "interrupted\n"


class Elsewhere(Executor):
    """Nobody knows this executor: its parts carry all that they need, as bytes."""

    def submit(self, work: Any, /, *given: Any, **_: Any) -> "Future[Any]":
        assert all(isinstance(each, str | bytes) for each in given)
        done: Future[Any] = Future()
        try:
            done.set_result(work(*given))
        except Exception as error:
            done.set_exception(error)
        return done


def test_an_executor_that_nobody_knows() -> None:
    here = dc.sweep(DESIGNS, LINE, iodepth=[1, 2], requests=300)
    assert dc.sweep(DESIGNS, LINE, iodepth=[1, 2], requests=300, executor=Elsewhere()).equals(here)


def test_a_worker_refuses_a_job_of_another_version() -> None:
    with pytest.raises(dc.InputError) as refused:
        executors.done("0.0.9", "digest", b"", b"")
    assert "0.0.9" in str(refused.value)


@pytest.mark.parametrize("version", [None, "0.0.9"])
def test_workers_are_asked_for_their_version(version: str | None) -> None:
    with pytest.raises(dc.InputError) as refused:
        executors.check_versions({"tcp://a": dc.__version__, "tcp://b": version})
    assert "tcp://b" in str(refused.value)


def test_threads_and_processes_agree() -> None:
    loads = [LINE, dc.workload(FRAME)]

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
        dc.sweep(DESIGNS, LINE, executor=forked)
    assert "'spawn'" in str(refused.value.hint)


def test_a_frame_without_a_column_is_refused() -> None:
    with pytest.raises(dc.InputError) as refused:
        dc.workload(FRAME.drop("offset_bytes"))
    assert "offset_bytes" in str(refused.value)
