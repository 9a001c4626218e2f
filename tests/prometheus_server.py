"""A real Prometheus on loopback: started for a test, ready before it is used, ended with it."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from needs import needs

READY_S = 60


def free_port() -> int:
    needs("loopback")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def fill(folder: Path, lines: list[str], *options: str) -> None:
    """Put samples of other times, as OpenMetrics, into the storage of the server that will run in `folder`."""
    (folder / "samples").write_text("\n".join(lines) + "\n")
    tool = needs("promtool")
    command = [
        tool,
        "tsdb",
        "create-blocks-from",
        *options,
        "openmetrics",
        folder / "samples",
        folder / "data",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


@contextmanager
def prometheus(folder: Path, config: Mapping[str, Any] | None = None) -> Iterator[str]:
    """A server with this configuration that keeps its data in `folder`; its address."""
    (folder / "prometheus.yml").write_text(json.dumps(config or {}))  # JSON is YAML
    address = f"127.0.0.1:{free_port()}"
    arguments = [
        needs("prometheus"),
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address={address}",
    ]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            until = time.monotonic() + READY_S
            while not _is_ready(address):
                if time.monotonic() > until:
                    pytest.fail(f"Prometheus was not ready within {READY_S} s")
                time.sleep(0.1)
            yield address
        finally:
            process.terminate()


def _is_ready(address: str) -> bool:
    try:
        return httpx.get(f"http://{address}/-/ready", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
