"""What a fit takes for what its data do not determine."""

import json

import pytest

from drivecast import _core
from drivecast.compare.fit.volume_variants import _parameter
from drivecast.stage.simulate import Options


@pytest.mark.parametrize("op", ["read", "write"])
def test_a_request_takes_some_time_where_nothing_determines_how_much(op: str) -> None:
    service = _parameter("{op}.service_ns", 500.0, op)
    command = _parameter("front.{op}_command_ns", 50.0, op)
    assert command.otherwise == 0
    times = {name: {"service_ns": service.otherwise, "sigma": 0.0} for name in ("read", "write")}
    spec = json.dumps({"kind": "volume", "capacity_bytes": 1 << 30, **times})
    load = _core.Workload.line(f"random(4KiB, read={1 if op == 'read' else 0})")
    outcome = _core.simulate("fitted", {"fitted": spec}, load, Options(requests=100))
    assert outcome["iops"] > 0
