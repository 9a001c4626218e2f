"""What tests of the server share: one server and one browser for a module."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

import browser as browsers
from served import Served, serving, tiny


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    with browsers.running(chromium) as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data")) as found:
        yield found


@pytest.fixture(scope="module")
def trace(server: Served, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A trace of half a second, which is read."""
    found = server.upload("tiny.blktrace", tiny(tmp_path_factory.mktemp("tiny")))
    return str(server.ended(f"/traces/{found['id']}")["id"])
