"""Small block traces that the tests write are what they claim."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from small_traces import READ, mixed, write


def test_a_written_trace_has_the_requests_it_was_made_of(
    drivecast: Callable[..., Any], tmp_path: Path
) -> None:
    requests = mixed()
    found = drivecast("profile", write(tmp_path, requests), "--output-format", "json").json
    reads = sum(request.op == READ for request in requests)
    assert (found["reads"], found["writes"]) == (reads, len(requests) - reads)
    assert found["bytes_read"] == 4096 * reads
    assert found["log"]["format"] == "blktrace"
    assert found["read_latency_ns"]["mean"] == 200_000
