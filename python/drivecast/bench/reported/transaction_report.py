"""What pgbench and sysbench print at their end: transactions a second, and the latencies that they report (ms)."""

import re

from drivecast.bench.reported.lines import figure, needed, outcome
from drivecast.document.findings import Setting
from drivecast.document.result import Point, Transactions

_NOTE = "what of the target and the machine it does not state is not known"


def is_pgbench(text: str) -> bool:
    """Whether pgbench wrote it."""
    return re.search(r"^transaction type:", text, re.MULTILINE) is not None


def is_sysbench(text: str) -> bool:
    """Whether sysbench wrote it, of a database."""
    return re.search(r"^SQL statistics:", text, re.MULTILINE) is not None


def is_fileio(text: str) -> bool:
    """Whether sysbench wrote it, of files."""
    return re.search(r"^File operations:", text, re.MULTILINE) is not None


def pgbench(text: str, target: str) -> list[Point]:
    """The run of a pgbench."""
    rates = re.findall(r"^tps = ([\d.]+) \((\w+)", text, re.MULTILINE)
    if not rates:
        raise ValueError("expected `tps`, found none")
    # Before version 14 there is a second one, which includes the time to connect.
    per_s = float(next((rate for rate, word in rates if word != "including"), rates[0][0]))
    mean = needed(text, r"^latency average = ([\d.]+) ms", "`latency average`")
    errors = figure(text, r"^number of failed transactions: (\d+)") or 0
    return [
        _point(target, "pgbench", text, per_s, errors, {"mean": mean * 1e6}, r"^number of clients: (\d+)")
    ]


def sysbench(text: str, target: str) -> list[Point]:
    """The run of a sysbench on a database."""
    per_s = needed(text, r"^\s*transactions:\s+\d+\s+\(([\d.]+) per sec", "`transactions`")
    errors = figure(text, r"^\s*ignored errors:\s+(\d+)") or 0
    names = {"mean": "avg", "max": "max", "q0.95": "95th percentile", "q0.99": "99th percentile"}
    times = {key: figure(text, rf"^\s*{name}:\s+([\d.]+)") for key, name in names.items()}
    latency = {key: value * 1e6 for key, value in times.items() if value}
    return [_point(target, "sysbench", text, per_s, errors, latency, r"^Number of threads: (\d+)")]


def _point(
    target: str, program: str, text: str, per_s: float, errors: float, latency: dict[str, float], clients: str
) -> Point:
    found = Transactions(per_s=per_s, errors=int(errors), latency_ns=latency, seconds=[])
    settings: dict[str, Setting] = {"clients": int(count)} if (count := figure(text, clients)) else {}
    return Point(
        target=target,
        settings=settings,
        workload=None,
        started="",
        transactions=found,
        notes=[f"measured by {program}; {_NOTE}"],
    )


def fileio(text: str, target: str) -> list[Point]:
    """The run of a sysbench on files. Its latencies are of reads, writes and flushes together: they are left out."""
    seconds = needed(text, r"^\s*total time:\s+([\d.]+)s", "`total time`")
    ios, moved = {}, {}
    for op, rate, throughput in (("read", "reads/s", "read"), ("write", "writes/s", "written")):
        ios[op] = needed(text, rf"^\s*{rate}:\s+([\d.]+)", f"`{rate}`") * seconds
        moved[op] = (
            needed(text, rf"^\s*{throughput}, MiB/s:\s+([\d.]+)", f"`{throughput}, MiB/s`")
            * seconds
            * (1 << 20)
        )
    note = f"measured by sysbench; its latencies are of all operations together and are left out; {_NOTE}"
    return [
        Point(
            target=target,
            settings={},
            workload=None,
            started="",
            outcome=outcome(target, seconds, ios, moved, {}),
            notes=[note],
        )
    ]
