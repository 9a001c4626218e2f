"""sysbench fileio, written: a shell script that prepares the file once and runs one sysbench a stream, all at once.

Held: one size, random reads, writes or both (`rndrd`, `rndwr`, `rndrw` with the ratio of reads to writes), sequential
reads or rewrites, depth as threads, Poisson arrivals (`--rate`), flushes (`--file-fsync-freq`). Addresses are uniform
over the whole file of the model's span, on multiples of the size: sysbench knows neither zones nor offsets,
popularity, runs or think times.

Source: sysbench 1.0 and 1.1, `sb_fileio.c` and `sysbench.c`.
"""

import shlex

from drivecast.document.model import Closed, Model, Stream
from drivecast.exchange.losses import Losses, regions
from drivecast.exchange.phases import Phases

OPEN_THREADS = 256


def export(losses: Losses, phases: Phases, target: str) -> str:
    """The script; `target` is the folder of the test file."""
    runs: list[str] = []
    for model in phases.models:
        seconds = losses.seconds(model)
        runs += [f"{' '.join(_run(losses, model, stream, seconds))} &" for stream in model.streams]
        runs.append("wait")
    lines = [
        "#!/bin/sh",
        f"# {' '.join(phases.name.split())}: run in the folder of the drive to test",
        *losses.comments("# "),
        "set -e",
        f"cd {shlex.quote(target)}",
        f"sysbench fileio --file-num=1 --file-total-size={phases.span_bytes} prepare",
        *runs,
    ]
    return "\n".join(lines) + "\n"


def _run(losses: Losses, model: Model, stream: Stream, seconds: int) -> list[str]:
    losses.shape(stream)
    losses.zipf(stream)
    size = losses.mean_size(stream)
    parts = regions(model, stream, stream.align_bytes)
    if len(parts) > 1 or parts[0].start > 0 or parts[-1].end < model.span_bytes:
        losses.add(stream, f"{len(parts)} zones from {parts[0].start} B on became the whole file")
    losses.own_multiples(stream, size)
    words = [
        "sysbench", "fileio", "--file-num=1", f"--file-total-size={model.span_bytes}", f"--file-block-size={size}",
        *_mode(losses, stream), "--file-io-mode=sync", "--file-extra-flags=direct", "--file-fsync-end=off",
        f"--file-fsync-freq={_flushes(losses, stream)}", f"--time={seconds}", "--events=0",
    ]  # fmt: skip
    arrivals = stream.arrivals
    if isinstance(arrivals, Closed):
        words.append(f"--threads={arrivals.iodepth}")
    else:
        words += [f"--threads={OPEN_THREADS}", f"--rate={losses.rates(stream, [arrivals.rate_iops])[0]}"]
    losses.pace(stream)
    return [*words, "run"]


def _mode(losses: Losses, stream: Stream) -> list[str]:
    requests = stream.run_requests()
    if stream.trim:
        losses.add(stream, f"discards ({100 * stream.trim:.4g} % of the requests) are left out")
    if requests not in (None, 1.0):
        losses.add(stream, f"runs of {requests:.4g} requests became random requests")
    if requests is None:
        if 0 < stream.read < 1:
            kept = "reads" if stream.read >= 0.5 else "writes"
            losses.add(stream, f"a sequence of {100 * stream.read:.4g} % reads became {kept} only")
        return [f"--file-test-mode={'seqrd' if stream.read >= 0.5 else 'seqrewr'}"]
    if stream.read in (0.0, 1.0):
        return [f"--file-test-mode={'rndrd' if stream.read else 'rndwr'}"]
    return ["--file-test-mode=rndrw", f"--file-rw-ratio={stream.read / (1 - stream.read):.6g}"]


def _flushes(losses: Losses, stream: Stream) -> int:
    if stream.flush == 0:
        return 0
    every = max(1, round((1 - stream.flush) / stream.flush))
    losses.add(stream, f"flushes come after every {every} requests, not at random")
    return every
