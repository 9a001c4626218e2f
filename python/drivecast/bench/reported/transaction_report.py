"""What pgbench, sysbench and elbencho print at their end: what was done a second, and the latencies that they report.

pgbench and sysbench state milliseconds. Of elbencho a phase (`WRITE`, `READ`) is a point, as it is when all threads are
done. sysbench's latencies of files are of reads, writes and flushes together, and left out.
"""

import re
from collections.abc import Iterator

from drivecast.bench.reported.lines import figure, needed, point
from drivecast.document.findings import Setting
from drivecast.document.result import Point, Transactions

_SECONDS = {"ms": 1e-3, "us": 1e-6, "s": 1.0, "m": 60.0, "h": 3600.0}


def pgbench(text: str) -> Iterator[Point]:
    """The run of a pgbench."""
    rates = re.findall(r"^tps = ([\d.]+) \((\w+)", text, re.MULTILINE)
    if not rates:
        raise ValueError("expected `tps`, found none")
    # Before version 14 there is a second one, which includes the time to connect.
    per_s = float(next((rate for rate, word in rates if word != "including"), rates[0][0]))
    latency = {"mean": needed(text, r"^latency average = ([\d.]+) ms", "`latency average`") * 1e6}
    errors = figure(text, r"^number of failed transactions: (\d+)")
    yield _transactions(per_s, errors, latency, figure(text, r"^number of clients: (\d+)"))


def sysbench(text: str) -> Iterator[Point]:
    """The run of a sysbench on a database."""
    per_s = needed(text, r"^\s*transactions:\s+\d+\s+\(([\d.]+) per sec", "`transactions`")
    names = {"mean": "avg", "max": "max", "q0.95": "95th percentile", "q0.99": "99th percentile"}
    times = {key: figure(text, rf"^\s*{name}:\s+([\d.]+)") for key, name in names.items()}
    latency = {key: value * 1e6 for key, value in times.items() if value}
    errors = figure(text, r"^\s*ignored errors:\s+(\d+)")
    yield _transactions(per_s, errors, latency, figure(text, r"^Number of threads: (\d+)"))


def _transactions(
    per_s: float, errors: float | None, latency: dict[str, float], clients: float | None
) -> Point:
    found = Transactions(per_s=per_s, errors=int(errors or 0), latency_ns=latency, seconds=[])
    settings: dict[str, Setting] = {"clients": int(clients)} if clients else {}
    return Point(target="", settings=settings, workload=None, started="", transactions=found)


def fileio(text: str) -> Iterator[Point]:
    """The run of a sysbench on files."""
    seconds = needed(text, r"^\s*total time:\s+([\d.]+)s", "`total time`")
    ios, moved = {}, {}
    for op, rate, rate_mib in (("read", "reads/s", "read, MiB/s"), ("write", "writes/s", "written, MiB/s")):
        ios[op] = needed(text, rf"^\s*{rate}:\s+([\d.]+)", f"`{rate}`") * seconds
        moved[op] = needed(text, rf"^\s*{rate_mib}:\s+([\d.]+)", f"`{rate_mib}`") * seconds * (1 << 20)
    yield point(seconds, ios, moved, {}, {})


def elbencho(text: str) -> Iterator[Point]:
    """The phases of an elbencho that read or write."""
    parts = re.split(r"^(READ|WRITE)\s", text, flags=re.MULTILINE)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        op, other = name.lower(), "read" if name == "WRITE" else "write"
        time = re.search(r"Elapsed time\s*:\s*\S+\s+(\S+)\n", body)
        words = re.findall(r"([\d.]+)(ms|us|s|m|h)", time[1] if time else "")
        seconds = sum(float(number) * _SECONDS[unit] for number, unit in words)
        iops = needed(body, r"^\s*IOPS\s*:\s*\S+\s+([\d.]+)", f"`IOPS` of {name}")
        mib = needed(body, r"^\s*Total MiB\s*:\s*\S+\s+([\d.]+)", f"`Total MiB` of {name}")
        mean = re.search(r"IO latency\s*:.*?avg=([\d.]+)(us|ms|s)", body)
        latency = {op: {"mean": float(mean[1]) * _SECONDS[mean[2]] * 1e9}} if mean else {}
        yield point(
            seconds,
            {op: iops * seconds, other: 0.0},
            {op: mib * (1 << 20), other: 0.0},
            latency,
            {"phase": op},
        )
