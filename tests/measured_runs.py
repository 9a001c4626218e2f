"""Results as `drivecast bench` writes them, but of simulated devices: what is behind them is known."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from drivecast import _core
from drivecast.document import result
from drivecast.document.outcome import Outcome
from drivecast.document.result import Point, Result
from drivecast.stage.simulate import Options

CAPACITY = 1 << 36
SPAN = 1 << 33
VOLUME: dict[str, Any] = {
    "kind": "volume",
    "capacity_bytes": CAPACITY,
    "front": {
        "wake_ns": 100e3,
        "sigma": 0.15,
        "batch_max": 65536,
        "read_command_ns": 60e3,
        "write_command_ns": 90e3,
    },
    "read": {"service_ns": 300e3, "sigma": 0.2},
    "write": {"service_ns": 400e3, "sigma": 0.2},
}


def outcome(spec: dict[str, Any], line: str, seed: int, requests: int = 8_000) -> Outcome:
    """What a run of the line on the device gives."""
    options = Options(seed=seed, requests=requests, state="laid-out")
    return Outcome.model_validate(
        _core.simulate("d", {"d": json.dumps(spec)}, _core.Workload.line(line), options)
    )


def point(spec: dict[str, Any], line: str, seed: int, **settings: Any) -> Point:
    """A point of a result."""
    return Point(
        target="/mnt/disk",
        settings=settings,
        workload=line,
        span_bytes=SPAN,
        started="2024-01-01T00:00:00.000+00:00",
        outcome=outcome(spec, line, seed),
    )


def depths(
    spec: dict[str, Any], counts: Sequence[int], mixes: Sequence[float], repeats: int = 1, seed: int = 7
) -> list[Point]:
    """A sweep of depths at several shares of reads."""
    lines = [(f"random(4KiB, read={mix:g}, iodepth={count})", count) for mix in mixes for count in counts]
    return [
        point(spec, line, seed + 1000 * repeat + i, iodepth=count, repeat=repeat)
        for repeat in range(repeats)
        for i, (line, count) in enumerate(lines)
    ]


def written(path: Path, points: Sequence[Point], **more: Any) -> Path:
    """A result of the points, in a file."""
    fields: dict[str, Any] = {
        "kind": "sweep",
        "title": "a sweep",
        "version": "0",
        "seed": 0,
        "plan_hash": "0",
        "command": [],
        "started": "2024-01-01T00:00:00.000+00:00",
        "complete": True,
        "environment": {},
        "targets": [
            {
                "name": "/mnt/disk",
                "bytes": SPAN,
                "made": True,
                "disks": [
                    {"name": "vdb", "bytes": CAPACITY, "driver": "virtio_blk", "model": None, "queue": {}}
                ],
            }
        ],
        "points": list(points),
    }
    result.write(path, Result(**{**fields, **more}))
    return path
