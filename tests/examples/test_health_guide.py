"""The guide from four hundred servers in Prometheus to the drives to replace: every command of it is run."""

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from test_guides import play

import fleet_exposition
from conftest import program


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A Prometheus server that has scraped four hundred servers; its address."""
    prometheus, tool = program("prometheus", "prometheus"), program("promtool", "prometheus")
    folder = tmp_path / "prometheus"
    folder.mkdir()
    (folder / "fleet").write_text("\n".join(fleet_exposition.lines()) + "\n")
    command = [tool, "tsdb", "create-blocks-from", "--max-block-duration=3000h", "openmetrics"]
    subprocess.run(
        [*command, folder / "fleet", folder / "data"], check=True, capture_output=True, timeout=120
    )
    (folder / "prometheus.yml").write_text("{}")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    arguments = [
        prometheus,
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        "--storage.tsdb.retention.time=100y",
        f"--web.listen-address={address}",
    ]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            for _ in range(600):
                try:
                    if httpx.get(f"http://{address}/-/ready", timeout=5).status_code == 200:
                        break
                except httpx.HTTPError:
                    pass
                time.sleep(0.1)
            else:
                pytest.fail("Prometheus was not ready within 60 s")
            yield address
        finally:
            process.terminate()


def test_from_prometheus_to_an_order_list(server: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    play("fleet-to-prometheus.md", folder, {"prometheus.example:9090": server})
