"""The guide from four hundred servers in Prometheus to the drives to replace: every command of it is run."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_guides import play

import fleet_exposition
import prometheus_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A Prometheus server that has scraped four hundred servers; its address."""
    folder = tmp_path / "prometheus"
    folder.mkdir()
    prometheus_server.fill(folder, list(fleet_exposition.lines()), "--max-block-duration=3000h")
    with prometheus_server.prometheus(folder) as address:
        yield address


def test_from_prometheus_to_an_order_list(server: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    play("guides/fleet-to-prometheus.md", folder, {"prometheus.example:9090": server})
