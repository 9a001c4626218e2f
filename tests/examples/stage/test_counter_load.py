"""The load that is made up from a log of counters."""

import pytest

from bundled import CATALOG
from drivecast.stage import counter_load
from drivecast.stage.simulate import Options, simulate_alone
from made_up_load import PROFILE


def test_reads_and_writes_have_sizes_of_their_own() -> None:
    sizes = {"read_size_mean_bytes": 131_072.0, "write_size_mean_bytes": 4096.0, "read_fraction": 0.4}
    window = PROFILE.peak_window and PROFILE.peak_window.model_copy(update={"read_fraction": 0.4})
    profile = PROFILE.model_copy(update={"requests": 120_000, "peak_window": window, **sizes})
    load = counter_load.of(profile)
    found = simulate_alone(load.workload(0.5, 1.0), CATALOG, Options(fill=0.5, duration_s=10.0))
    assert found.read.requests == pytest.approx(0.4 * found.requests, rel=0.02)
    assert found.host_read_bytes == 131_072 * found.read.requests
    assert found.host_written_bytes == 4096 * found.write.requests
    peaks = [window and window.model_copy(update={"read_fraction": share}) for share in (0.0, 1.0)]
    only = [counter_load.of(profile.model_copy(update={"peak_window": peak})).mix for peak in peaks]
    assert only == ["random(4096, read=0.0000", "random(131072, read=1.0000"]
    shares = (counter_load.Share(400, 0, 400 * 131_072, 0), counter_load.Share(0, 600, 0, 600 * 4096))
    together = counter_load.of(profile, shares).mix
    in_order = ", sequential=0.49"  # reads as large as what is read ahead
    assert together == f"random(400 * 131072[read=1.0000{in_order}], 600 * 4096[read=0.0000], read=0.4000"
    alike = counter_load.of(profile.model_copy(update={"read_size_mean_bytes": 4096.0}))
    assert alike.mix == "random(4096, read=0.4000"


@pytest.mark.parametrize(
    ("flushes", "fsync_rate", "share"),
    [(None, None, 0.0), (6000, None, 0.25), (6000, 1e9, 1.0), (None, 0.0, 0.0)],
)
def test_a_flush_makes_a_write_durable(flushes: int | None, fsync_rate: float | None, share: float) -> None:
    profile = PROFILE.model_copy(update={"requests": 120_000, "writes": 24_000, "flushes": flushes})
    load = counter_load.of(profile, fsync_rate=fsync_rate)
    assert load.durable == share
    assert ("durable writes" in dict(load.assumed)) == (share > 0)
    assert (f", fua={share:.4f}" in load.mix) == (share > 0)
