"""What a model fitted to a recording predicts, against what the recording itself gives.

The aim is 15 % everywhere; these are the factors reached, so that none gets worse unnoticed. Why some are off:
`docs/explanation/model.md`. Five of 36 were set anew, by at most 0.1, when the SSD's buffer began to answer writes at
once: the shortest writes became shorter, and so their ratio more sensitive to how bursts come. Five more were set
anew when an array without a controller got the cost of software, and SSDs two streams: four by 0.05, p99 of reads of
the RAID 5 under the second recording from 1.15 to 1.35, since commands now queue for processors, and bursts decide how
long. Writes of the RAID 5 under the first from 1.15 to 1.2 (p50) and 1.35 (p99) when md got its stripe cache: pages
that a checkpoint writes in order join there, in the recording more often than in the model.
"""

from pathlib import Path

import pytest

from drivecast import _core
from drivecast.catalog import load
from drivecast.model.reference import devices, play
from drivecast.stage import model_file
from needs import needs

QUANTILES = (("read", "q0.5"), ("read", "q0.99"), ("write", "q0.5"), ("write", "q0.99"))
REACHED = {
    "examples/mariadb-oltp/mariadb-oltp.blktrace": {
        "disk": (1.45, 1.3, 1.35, 1.25),
        "SSD": (1.05, 1.05, 1.45, 1.05),
        "RAID 5": (1.05, 1.1, 1.2, 1.35),
    },
    "traces/cloudphysics/cloudPhysicsIO.vscsi": {
        "disk": (1.7, 1.9, 1.15, 1.15),
        "SSD": (1.1, 1.4, 1.15, 1.25),
        "RAID 5": (1.15, 1.35, 1.05, 1.2),
    },
    "traces/hadoop/eternity10.blktrace.tar.xz": {
        "disk": (1.1, 1.55, 1.15, 2.0),
        "SSD": (1.25, 4.5, 3.4, 3.0),
        "RAID 5": (1.1, 2.6, 1.15, 1.8),
    },
}


@pytest.mark.parametrize("name", REACHED)
def test_a_fitted_model_predicts_what_the_recording_gives(name: str) -> None:
    recording = Path(name)
    if name.startswith("traces/"):
        recording = Path(needs("corpus")) / name
    trace = _core.Workload.trace([recording])
    fitted = model_file.fit(trace, recording.name)
    assert len(fitted.streams) <= 11
    model = model_file.workload(fitted, seed=0, seconds=trace.duration_s)
    drives = load([])
    for device, own in devices(trace, fitted.span_bytes, drives):
        found = play(device, model, drives)
        for (op, quantile), factor in zip(QUANTILES, REACHED[name][device.name], strict=True):
            ratio = found.latency_of(op, quantile) / own.latency_of(op, quantile)
            assert 1 / factor <= ratio <= factor, (device.name, op, quantile, ratio)
