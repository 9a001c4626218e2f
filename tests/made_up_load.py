"""A load and its outcome at the peak, made up: for plans in which nothing is simulated."""

from drivecast.document.outcome import Outcome
from drivecast.document.profile import PeakWindow, Profile

PROFILE = Profile(
    source="trace",
    extent_bytes=100e9,
    block_size_mean_bytes=8192,
    write_bytes_per_day=200e9,
    bytes_read=3e9,
    duration_s=3600.0,
    iops_mean=500.0,
    peak_window=PeakWindow(start_s=0.0, length_s=60.0, iops_mean=2000.0),
)
PEAK = Outcome(
    iops=2000.0,
    utilization=0.4,
    host_read_bytes=1e9,
    device_read_bytes=1e9,
    device_written_bytes=2e9,
)
