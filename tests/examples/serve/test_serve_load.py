"""Many and large requests at once, against a real server: all are answered, and its memory stays bounded."""

import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from drivecast.serve.listen import CONNECTIONS_MAX
from served import API, Served, serving

MEMORY_BYTES_MAX = 600_000_000
SOON_S = 10.0
"""On a machine that is busy with other tests; idle connections locked everybody out for 15 s."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data"), header_s=60.0) as found:
        yield found


def resident_bytes(server: Served) -> int:
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_three_hundred_connections_at_once_are_all_answered(server: Served) -> None:
    wanted = f"GET {API}/about HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    with ExitStack() as stack:
        place = ("127.0.0.1", server.port)
        many = [stack.enter_context(socket.create_connection(place, timeout=60)) for _ in range(300)]
        for connection in many:
            connection.sendall(wanted)
        answers = [connection.makefile("rb").readline() for connection in many]
    assert answers == [b"HTTP/1.1 200 OK\r\n"] * 300


def test_idle_connections_lock_nobody_out(server: Served) -> None:
    with ExitStack() as stack:
        for _ in range(CONNECTIONS_MAX + 100):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
        began_s = time.monotonic()
        assert server.client.get(f"{API}/about").status_code == 200
        assert time.monotonic() - began_s < SOON_S


def test_a_document_that_grows_a_thousandfold_is_refused_and_holds_nobody_up(server: Served) -> None:
    content = b'{"points": [' + b"{}," * 4_000_000 + b"{}]}"
    with ThreadPoolExecutor() as pool:
        sent = pool.submit(server.client.post, f"{API}/results?name=a.json", content=content, timeout=600)
        while not sent.done():
            began_s = time.monotonic()
            assert server.client.get("/healthz").text == "ok\n"
            assert time.monotonic() - began_s < SOON_S
            time.sleep(0.2)
    assert sent.result().status_code == 422
    assert sent.result().json()["code"] == "no-document"
    assert resident_bytes(server) < MEMORY_BYTES_MAX


@pytest.mark.parametrize("path", ["/results?name=a.json", "/health/samples?name=a.json"])
def test_a_document_beyond_the_limit_is_refused_with_it(server: Served, path: str) -> None:
    found = server.refused(413, "POST", path, content=b" " * 33_000_000)
    assert "32.0 MB" in found["reason"]


def test_heads_are_answered_as_the_whole_would_be(server: Served) -> None:
    for path in ("/", "/healthz", f"{API}/about"):
        whole, head = server.client.get(path), server.client.head(path)
        assert (head.status_code, head.headers["content-type"], head.content) == (
            whole.status_code,
            whole.headers["content-type"],
            b"",
        )
