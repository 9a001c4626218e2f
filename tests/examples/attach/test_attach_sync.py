"""A disk that flushes its real storage, which is another attached disk: each flush of the application reaches it."""

import json
from pathlib import Path

import pytest

import drivecast as dc
from attached import NOW, fio
from conftest import execute
from nbd_client import FLUSH, READ, WRITE, Client

pytestmark = [
    pytest.mark.needs("attached", "root", "fuse", "loop", "mkfs.ext4"),
]

BELOW = "ssd(logical=512MiB, pages_per_block=64)"
SLOW_BELOW = "volume(capacity=512MB, read=1ms, write=1ms, flush=200ms)"
SLOW_READS = "volume(capacity=64MB, read=500ms, write=1ms, flush=1ms)"


@pytest.mark.needs("fio")
@pytest.mark.parametrize("sync", [True, False])
def test_a_flush_is_one_of_the_storage_below(tmp_path: Path, *, sync: bool) -> None:
    out = tmp_path / "o.json"
    load = fio(rw="randwrite", iodepth=1, fsync=4, io_size="2m")  # 512 writes, so 128 flushes
    with dc.attach(BELOW, state="fresh", mount=tmp_path / "below") as below:
        data = ("--size", "64MB", "--data", "file", "--file", tmp_path / "below/data", *(["--sync"] * sync))
        done = execute("attach", *NOW, *data, "-o", out, "--", *load)
        assert done.code == 0, done.err
    found = json.loads(out.read_text())
    assert found["attached"].get("sync") == (True if sync else None)
    flushes = found["flush"]["requests"]
    assert flushes >= 127
    reached = below.outcome.flush.requests
    assert (reached >= flushes) == sync, f"{reached} below, of {flushes}"


def test_slow_storage_makes_flushes_late_and_reads_hardly(tmp_path: Path) -> None:
    with (
        dc.attach(SLOW_BELOW, mount=tmp_path / "below"),
        dc.attach(SLOW_READS, data="file", file=tmp_path / "below/data", sync=True) as disk,
    ):
        assert disk.socket is not None
        with Client(disk.socket) as client:
            for _turn in range(3):
                client.send(READ, size=4096)
                client.send(WRITE, data=b"a" * 4096)
                assert client.reply().error == 0, "of the write"
                client.send(FLUSH)
                assert [client.reply().error for _ in range(2)] == [0, 0]
    late = disk.outcome.lateness
    assert [found.requests for found in (late.read, late.write, late.flush) if found] == [3, 3, 3]
    assert late.flush.p50_ns > 1e8, "each waits for a flush of 200 ms"
    assert late.p99_ns > 1e8, "as of all kinds together"
    assert "flush" in (late.late_for or [])
    assert (late.share("flush") or 0.0) > 0.5
    assert late.read.p50_ns < 0.05 * 5e8, "one of three may meet a busy machine"
    assert (late.share("read") or 0.0) < 0.4
