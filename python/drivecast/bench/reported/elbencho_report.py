"""elbencho's table of results: a phase (`WRITE`, `READ`) is a point, as it is when all threads are done."""

import re
from collections.abc import Iterator

from drivecast.bench.reported.lines import needed, outcome
from drivecast.document.result import Point

_SECONDS = {"ms": 1e-3, "us": 1e-6, "s": 1.0, "m": 60.0, "h": 3600.0}
_NOTE = "measured by elbencho; what of the target and the machine it does not state is not known"


def knows(text: str) -> bool:
    """Whether elbencho wrote it."""
    return re.search(r"^OPERATION\s+RESULT TYPE", text, re.MULTILINE) is not None


def points(text: str, target: str) -> list[Point]:
    """A point a phase that reads or writes."""
    return list(_phases(text, target))


def _phases(text: str, target: str) -> Iterator[Point]:
    parts = re.split(r"^(READ|WRITE)\s", text, flags=re.MULTILINE)
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        op, other = name.lower(), "read" if name == "WRITE" else "write"
        time = re.search(r"Elapsed time\s*:\s*\S+\s+(\S+)", body)
        if time is None:
            raise ValueError(f"expected `Elapsed time` of {name}, found none")
        seconds = sum(
            float(number) * _SECONDS[unit] for number, unit in re.findall(r"([\d.]+)(ms|us|s|m|h)", time[1])
        )
        iops = needed(body, r"^\s*IOPS\s*:\s*\S+\s+([\d.]+)", f"`IOPS` of {name}")
        mib = needed(body, r"^\s*Total MiB\s*:\s*\S+\s+([\d.]+)", f"`Total MiB` of {name}")
        mean = re.search(r"IO latency\s*:.*?avg=([\d.]+)(us|ms|s)", body)
        found = outcome(
            target, seconds, {op: iops * seconds, other: 0.0}, {op: mib * (1 << 20), other: 0.0},
            {op: {"mean": float(mean[1]) * _SECONDS[mean[2]] * 1e9}} if mean else {},
        )  # fmt: skip
        yield Point(
            target=target, settings={"phase": op}, workload=None, started="", outcome=found, notes=[_NOTE]
        )
