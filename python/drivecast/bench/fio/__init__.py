"""fio as the engine: a job in, a point out.

MODEL. The workload is written as a job file (`workload_line`, `workload`, `job_file`), fio runs it as one process with
a thread for each job, under `drivecast.supervisor`, and its JSON+ and logs are read (`output`, `series`, `histogram`)
into the outcome that a simulated run has (`aggregate`). What is measured:

- Latency is fio's `lat`: `slat` (submission) + `clat` (from then to completion). With io_uring a request's time begins
  when fio hands it to the kernel. For a workload at a rate it does not begin when the request was due: fio does not
  report that, so a queue before a target that falls behind is not in it. `bench replay` counts from the deadline.
- Quantiles come from fio's bins, 64 an octave, named by their middle: off by at most 0.8 %. Counts, mean and longest
  are exact. Jobs are merged by adding bins, which loses nothing.
- Little's law: the depth that follows from the latencies falls short of the requested one by the time that fio takes
  between a completion and the next submission. The share is `littles_law_error`; where it is large, fio's processor
  was measured.
- Left out: discards; utilisation and write amplification, which the target does not report.

Source: fio's HOWTO, and its output, of versions 3.0 to 3.42.
"""

from drivecast.bench.fio.measure import measure

__all__ = ["measure"]
