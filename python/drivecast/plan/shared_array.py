"""Several logs on one design: what each has of its latency from the others.

Model. All logs are played together at the peak that they have together (`stage.superposed`). On the same design, in the
steady state of what is played, each is played alone, and all of them without one at a time: where p99 falls without
a log, that log is what the others wait for. Left out: what a workload does otherwise because it waits.
"""

from collections.abc import Sequence

from drivecast.document.outcome import OfStream
from drivecast.document.plan import Plan
from drivecast.document.tenant import Effect, Tenant
from drivecast.plan.load import Replay, Synthetic
from drivecast.plan.trial import Bench
from drivecast.stage.design import Design, parse


def named(found: Plan, bench: Bench) -> Plan:
    """The plan with the tenants of its winner, or of the nearest miss, and of what runs now, where they are bought."""
    first = found.winner or next(iter(found.nearest), None)
    designs = [
        design.model_copy(update={"tenants": tenants(parse(design.line, bench.catalog), bench)})
        if design.where == "metal" and (design.line == first or design.today) and design.outcome
        else design
        for design in found.designs
    ]
    return found.model_copy(update={"designs": designs})


def tenants(design: Design, bench: Bench) -> list[Tenant]:
    """Each log on a design: alone, beside all others, and beside all but one."""
    numbers = range(len(bench.logs))
    together = _played(design, bench, numbers)
    alone = [_played(design, bench, [number])[number] for number in numbers]
    without = [
        _played(design, bench, [other for other in numbers if other != number])
        if len(numbers) > 2
        else {1 - number: alone[1 - number]}
        for number in numbers
    ]

    def effect(number: int, op: str) -> Effect | None:
        if not together[number].stream(op).requests:
            return None
        return Effect(
            alone=alone[number].latency(op, "q0.99"),
            together=together[number].latency(op, "q0.99"),
            without={
                bench.logs[other]: without[other][number].latency(op, "q0.99")
                for other in numbers
                if other != number
            },
        )

    return [
        Tenant(
            log=bench.logs[number],
            iops=together[number].read.iops + together[number].write.iops,
            read_p99_ns=effect(number, "read"),
            write_p99_ns=effect(number, "write"),
        )
        for number in numbers
    ]


def _played(design: Design, bench: Bench, numbers: Sequence[int]) -> dict[int, OfStream]:
    """Some of the logs at the peak of all, by number."""
    if not isinstance(bench.load, Replay | Synthetic):
        raise TypeError("logs together are traces or counters")
    load, streams = bench.load.only(numbers)
    outcome = bench.anew(load=load).run(design)
    return {number: outcome.streams[stream] for number, stream in zip(numbers, streams, strict=True)}
