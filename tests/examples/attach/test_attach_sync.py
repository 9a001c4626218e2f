"""A disk that flushes its real storage, which is another attached disk: each flush of the application reaches it."""

import json
import os
from pathlib import Path

import pytest

import drivecast as dc
from attached import NOW, fio, needs_attached
from conftest import execute

pytestmark = [
    needs_attached,
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0 or not Path("/dev/fuse").exists(), reason="root, on FUSE"),
]

BELOW = "ssd(logical=512MiB, pages_per_block=64)"


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
