"""Dask: a sweep and a plan on real workers are those of one process, byte by byte, also if a worker dies on the way."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import distributed
import polars as pl
import pytest

import dask_cluster
import drivecast as dc
import real_plan
from drivecast import executors
from drivecast.plan import space
from small_traces import mixed, write

pytestmark = pytest.mark.filterwarnings("default")  # Dask and tornado warn of their own

DESIGNS = [f"ssd(logical=1GiB, spare_factor={spare})" for spare in (0.1, 0.2, 0.3)]
SWEPT: dict[str, Any] = {"iodepth": [1, 4], "requests": 2000}
TRACE = pl.DataFrame(
    {
        "time_ns": [1000 * at for at in range(500)],
        "op": ["read", "write"] * 250,
        "offset_bytes": [4096 * (at * 7919 % 1000) for at in range(500)],
        "size_bytes": [4096] * 500,
    }
)


@pytest.fixture(scope="module")
def cluster() -> Iterator[dask_cluster.Cluster]:
    with dask_cluster.cluster(2) as found:
        yield found


def swept(**options: Any) -> bytes:
    found = dc.sweep(DESIGNS, ["random(4KiB, read=0.5)", dc.workload(TRACE)], **SWEPT, **options)
    assert found.height == 12
    return found.write_ipc(None).getvalue()


def dies_once_busy(cluster: dask_cluster.Cluster, client: distributed.Client) -> threading.Thread:
    """Kill a worker once it has a part to do; it is replaced, as whoever runs a cluster does."""

    def run() -> None:
        until = time.monotonic() + 60
        while not any(client.processing().values()) and time.monotonic() < until:
            time.sleep(0.01)
        dask_cluster.ended(cluster.workers.pop(0))
        cluster.add(1)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@contextmanager
def losing_a_worker(cluster: dask_cluster.Cluster) -> Iterator[distributed.Client]:
    """A client of the cluster, of which a worker dies while the block has something done."""
    with distributed.Client(cluster.address, set_as_default=False) as client:
        workers = {*client.scheduler_info()["workers"]}
        killer = dies_once_busy(cluster, client)
        yield client
        killer.join()
        assert not workers <= {*client.scheduler_info()["workers"]}, "no worker died"


def test_a_sweep_although_a_worker_dies(cluster: dask_cluster.Cluster) -> None:
    alone = swept()
    with losing_a_worker(cluster) as client:
        assert swept(executor=client.get_executor()) == alone


def test_the_verb_plans_on_a_cluster_although_a_worker_dies(
    drivecast: Callable[..., Any], tmp_path: Path, cluster: dask_cluster.Cluster
) -> None:
    log = write(tmp_path, mixed())
    command = ["plan", log, "--capacity", "200GB", "--peak-window", "2", "--output-format", "json"]
    with mock.patch.object(space, "ladders", real_plan.few):
        here = drivecast(*command)
        with losing_a_worker(cluster):
            there = drivecast(*command, "--cluster", cluster.address)
    assert there.out == here.out
    assert there.code == here.code == 0


def test_a_cluster_that_is_not_there(drivecast: Callable[..., Any], recording: Path) -> None:
    with mock.patch.object(executors, "REACHED_S", 1):
        run = drivecast("plan", recording, "--cluster", "tcp://127.0.0.1:9")
    assert run.code == 2
    assert "`tcp://127.0.0.1:9`" in run.err


def test_a_cluster_without_workers_and_one_of_another_version(tmp_path: Path) -> None:
    """What the worker finds first says that it has another version installed."""
    other = tmp_path / "drivecast-0.0.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: drivecast\nVersion: 0.0.9\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    with dask_cluster.cluster(0) as cluster:
        with (
            mock.patch.object(executors, "REACHED_S", 2),
            pytest.raises(dc.InputError) as lonely,
            executors.cluster(cluster.address),
        ):
            pass
        assert f"`dask worker {cluster.address}`" in str(lonely.value.hint)
        cluster.add(1, {"PYTHONPATH": path})
        with (
            distributed.Client(cluster.address, set_as_default=False) as client,
            pytest.raises(dc.InputError) as other_version,
        ):
            swept(executor=client.get_executor())
        assert "0.0.9" in str(other_version.value)
