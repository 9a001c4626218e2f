"""vdbench parameters, written: a run a phase, a storage definition a stream, a workload definition for each zone of it.

Held: sizes with shares, the mix (whole percents), zones (a workload each, `range` in percents of the target, `skew`
its share), sequential requests and geometric runs (`seekpct`, the chance of a seek), Poisson arrivals
(`distribution=exponential`, `iorate`), depths (`threads` of the stream's own storage definition of the same target).
vdbench keeps the shares of workloads fixed also where the rate is free: streams that wait for their requests are tied
to each other by shares in proportion to their depths. It knows no think time, no popularity within a range, no
discards.

Source: the vdbench user's guide (5.04), and its `WD_entry.java`, `RD_entry.java`, `SD_entry.java`, `WG_entry.java`.
"""

from drivecast.document.model import Closed, Model, Stream
from drivecast.exchange.losses import Losses, regions
from drivecast.exchange.phases import Phases

OPEN_DEPTH = 256


def export(losses: Losses, phases: Phases, target: str) -> str:
    """The parameter file."""
    storage: list[str] = []
    loads: list[str] = []
    runs = []
    for phase, model in enumerate(phases.models, 1):
        prefix = f"wd{phase}p" if phases.are_several else "wd"
        runs.append(_run(losses, model, target, (phase, prefix), (storage, loads)))
    head = [f"* {' '.join(phases.name.split())}", *losses.comments("* ")]
    return "\n".join([*head, *storage, *loads, *runs]) + "\n"


def _run(
    losses: Losses, model: Model, target: str, named: tuple[int, str], found: tuple[list[str], list[str]]
) -> str:
    """The run of a phase; its storage and workload definitions are added to those `found`."""
    (phase, prefix), (storage, loads) = named, found
    weights = _weights(losses, model)
    for number, (stream, weight) in enumerate(zip(model.streams, weights, strict=True), len(storage) + 1):
        share = weight / sum(weights)
        depth = stream.arrivals.iodepth if isinstance(stream.arrivals, Closed) else OPEN_DEPTH
        storage.append(
            f"sd=sd{number},lun={target},size={model.span_bytes},threads={depth},openflags=o_direct"
        )
        loads += [
            f"* stream `{' '.join(stream.name.split())}`",
            *_loads(losses, model, stream, (number, f"{prefix}{number}"), share),
        ]
    seconds = losses.seconds(model, least=2)
    closed = all(isinstance(stream.arrivals, Closed) for stream in model.streams)
    rate = "max" if closed else f"{sum(weights):.6g},distribution=exponential"
    return f"rd=rd{phase},wd={prefix}*,iorate={rate},elapsed={seconds},interval=1"


def _weights(losses: Losses, model: Model) -> list[float]:
    """Requests a second of each stream, or a substitute for them."""
    closed = [stream for stream in model.streams if isinstance(stream.arrivals, Closed)]
    if closed and len(closed) < len(model.streams):
        for stream in closed:
            losses.add(
                stream, "a closed loop next to an open one became a rate of 1 IOPS an outstanding request"
            )
    elif len(closed) > 1:
        losses.add(None, "streams that wait for their requests are kept in the proportion of their depths")
    return [
        float(stream.arrivals.iodepth) if isinstance(stream.arrivals, Closed) else stream.arrivals.rate_iops
        for stream in model.streams
    ]


def _loads(losses: Losses, model: Model, stream: Stream, named: tuple[int, str], weight: float) -> list[str]:
    number, name = named
    losses.plain(stream)
    losses.pace(stream)
    requests = stream.run_requests()
    parts = regions(model, stream, stream.align_bytes)
    if requests is None and len(parts) > 1:
        losses.add(stream, f"one pass through {len(parts)} zones became a pass through each")
    if requests not in (None, 1.0):
        losses.add(stream, f"lengths of runs became geometric with a mean of {requests:.4g} requests")
    seek = 0.0 if requests is None else 100 / requests
    reads = losses.percent(stream, "reads", stream.read)
    if requests == 1.0:
        losses.own_multiples(stream, max(size.bytes for size in stream.sizes))
    pairs = [f"{size},{percent}" for size, percent in losses.size_percents(stream, stream.sizes)]
    sizes = pairs[0].partition(",")[0] if len(pairs) == 1 else f"({','.join(pairs)})"
    return [
        f"wd={name}_{zone},sd=sd{number},xfersize={sizes},rdpct={reads},seekpct={seek:.6g},"
        f"range=({_percent(part.start, model)},{_percent(part.end, model)}),skew={100 * weight * part.share:.6f}"
        for zone, part in enumerate((part for part in parts if part.share > 0), 1)
    ]


def _percent(at: int, model: Model) -> str:
    return f"{100 * at / model.span_bytes:.6f}".rstrip("0").rstrip(".")
