"""Who may ask, what may be sent, and what may be read: each door tried from outside, on a socket."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import PROGRAM
from served import API, Served, serving, tiny
from waiting import ending, until

TOKEN = "a-token-of-thirty-two-characters"  # noqa: S105 (of this test alone)
OURS = "127.0.0.1"
LARGE = b"x" * 65536


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A named folder, with ways that lead out of it."""
    place = tmp_path_factory.mktemp("outside")
    inner = place / "traces"
    (inner / "sub").mkdir(parents=True)
    (inner / "sub/tiny.blktrace").write_bytes(tiny(place))
    (place / "secret.blktrace").write_bytes(tiny(place))
    (inner / "link.blktrace").symlink_to(place / "secret.blktrace")
    (inner / "out").symlink_to(place)
    (inner / ".hidden").write_text("x")
    os.mkfifo(inner / "pipe")
    return inner


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Served]:
    settings = {"folders": {"traces": str(folder)}, "upload_bytes_max": 1_000_000}
    limits = {"body_idle_s": 1.0, "header_s": 1.0}
    with serving(tmp_path_factory.mktemp("data"), **settings, **limits) as found:
        yield found


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("data"), token=TOKEN, fetch=["files.example"]) as found:
        yield found


def left_over(server: Served) -> list[Path]:
    """Files of uploads that came to nothing."""
    return [path for path in server.data.rglob("*") if path.suffix == ".part" or "/log/" in str(path)]


def head(method: str, path: str, *lines: str) -> bytes:
    wanted = [f"{method} {API}{path} HTTP/1.1", f"Host: {OURS}", "X-Drivecast: 1", *lines, "", ""]
    return "\r\n".join(wanted).encode()


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8642", "", "192.0.2.1"]
)
def test_a_name_that_was_pointed_here_is_not_ours(server: Served, host: str) -> None:
    """DNS rebinding."""
    for path in ("/", f"{API}/about"):
        answer = server.client.get(path, headers={"Host": host})
        assert answer.status_code in (400, 421), host
        assert "Drivecast" not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:9", "[::1]:8642"])
def test_our_names_are_ours(server: Served, host: str) -> None:
    assert server.client.get(f"{API}/about", headers={"Host": host}).status_code == 200


def test_two_hosts_are_none(server: Served) -> None:
    answer = server.raw(
        f"GET {API}/about HTTP/1.1\r\nHost: {OURS}\r\nHost: evil\r\nConnection: close\r\n\r\n".encode()
    )
    assert answer.split()[1] in (b"400", b"421")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_change_nothing(server: Served, headers: dict[str, str]) -> None:
    """Cross-site request forgery."""
    found = server.refused(403, "POST", "/traces?name=a", content=b"x", headers=headers)
    assert found["code"] == "cross-site"


def test_what_a_form_can_send_is_not_taken(server: Served) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        url = f"http://{OURS}:{server.port}{API}/traces?name=a"
        answer = httpx.post(url, content=b"x", headers={"Content-Type": kind})
        assert (answer.status_code, answer.json()["code"]) == (403, "cross-site"), kind


def test_our_own_pages_may(server: Served) -> None:
    ours = {"Origin": f"http://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    found = server.refused(422, "POST", "/traces/registered", json={}, headers=ours)
    assert "folder" in found["reason"]


def test_no_other_site_is_let_read(server: Served) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for method in ("OPTIONS", "GET"):
        answer = server.client.request(method, f"{API}/traces", headers=asked)
        assert answer.status_code >= 400
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_answers_are_dressed(server: Served) -> None:
    for path in ("/", f"{API}/about", f"{API}/nothing", f"{API}/traces/t-none"):
        headers = server.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize(
    ("content", "mode", "why"),
    [(None, 0o600, "--token-file"), ("short\n", 0o600, "no token"), (f"{TOKEN}\n", 0o644, "other users")],
    ids=["none", "short", "read by others"],
)
def test_a_network_needs_a_token_and_a_token_file_is_long_and_secret(
    tmp_path: Path, content: str | None, mode: int, why: str
) -> None:
    file, options = tmp_path / "token", ["--host", "0.0.0.0"]  # noqa: S104
    if content is not None:
        file.write_text(content)
        file.chmod(mode)
        options = ["--token-file", file]
    command = [PROGRAM, "serve", *options, "--port", "0", "--data", tmp_path / "data"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert why in ended.stderr


@pytest.mark.needs("loopback")
def test_a_token_is_made_and_printed_once(tmp_path: Path) -> None:
    file = tmp_path / "token"
    options = ["--host", "0.0.0.0", "--port", "0", "--data", tmp_path / "data", "--token-file", file]  # noqa: S104
    command = [PROGRAM, "serve", *options]
    with ending(
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ) as process:
        token = process.stdout.readline().removeprefix("token: ").strip()
        where = process.stderr.readline()
        assert token == file.read_text().strip()
        assert file.stat().st_mode & 0o077 == 0
        port = int(where.split(":")[3].split("/")[0])
        right = {"Authorization": f"Bearer {token}"}
        for headers, status in ((right, 200), ({}, 401)):
            assert httpx.get(f"http://127.0.0.1:{port}{API}/about", headers=headers).status_code == status
        process.terminate()
        more, _ = process.communicate(timeout=30)
        assert not more


def test_without_the_token_nothing_is_read(locked: Served) -> None:
    described = {"Authorization": f"Bearer {TOKEN}"}
    paths = locked.ask("GET", "/openapi.json", headers=described)["paths"]
    assert len(paths) > 25
    for path, methods in paths.items():
        for method in methods:
            if not path.endswith("/session"):
                answer = locked.client.request(method, path.replace("{id}", "x"))
                assert (answer.status_code, answer.json()["code"]) == (401, "token"), path


def test_a_browser_gets_a_cookie_for_the_token(locked: Served) -> None:
    assert locked.refused(401, "POST", "/session", json={"token": "x"})["code"] == "token"
    answer = locked.client.post(f"{API}/session", json={"token": TOKEN})
    cookie = answer.headers["set-cookie"]
    locked.client.cookies.clear()
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}
    assert TOKEN not in cookie
    value = cookie.split(";")[0]
    later = str(int(time.time()) + 10**6)
    longer = f"{value.split('=')[0]}={later}.{value.split('.')[1]}"
    for sent, status in ((value, 200), (value[:-1] + "0z", 401), (longer, 401), ("drivecast_session=", 401)):
        got = httpx.get(f"http://{OURS}:{locked.port}{API}/about", headers={"Cookie": sent}).status_code
        assert got == status, sent


def test_guesses_are_slowed_down(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN) as server:
        codes = [
            server.client.post(f"{API}/session", json={"token": str(turn)}).status_code for turn in range(12)
        ]
        assert codes == [401] * 10 + [429] * 2
        assert server.client.post(f"{API}/session", json={"token": TOKEN}).status_code == 429


@pytest.mark.parametrize(
    "path",
    [
        "../secret.blktrace",
        "sub/../../secret.blktrace",
        "link.blktrace",
        "out/secret.blktrace",
        "pipe",
        "",
        "sub\0x",
        "FOLDER/sub/tiny.blktrace",
    ],
)
def test_nothing_outside_a_named_folder_is_read(server: Served, folder: Path, path: str) -> None:
    """Nor what is in it by an absolute path."""
    path = path.replace("FOLDER", str(folder))
    found = server.refused(422, "POST", "/traces/registered", json={"folder": "traces", "path": path})
    assert found["code"] == "input"


@pytest.mark.parametrize("path", ["..", "out", "../traces", "/etc"])
def test_nothing_outside_a_named_folder_is_listed(server: Served, path: str) -> None:
    server.refused(422, "GET", f"/folders/traces?path={path}")


def test_a_named_folder_shows_its_files(server: Served) -> None:
    entries = server.ask("GET", "/folders/traces")["entries"]
    assert [(entry["name"], entry["kind"]) for entry in entries] == [("sub", "folder")]
    server.refused(404, "GET", "/folders/other")


@pytest.mark.parametrize("name", ["../../evil", "/etc/passwd", "..", "a\\..\\b.txt", "%2e%2e%2fx", ".bashrc"])
def test_a_name_is_only_a_name(server: Served, name: str) -> None:
    answer = server.client.post(f"{API}/traces", params={"name": name, "more": True}, content=b"x")
    if answer.status_code == 201:
        trace = answer.json()
        kept = [path for path in server.data.rglob("*") if path.is_file() and path.name in trace["files"]]
        assert len(kept) == 1
        assert kept[0].resolve().is_relative_to(server.data / "traces" / trace["id"] / "log")
        server.ask("DELETE", f"/traces/{trace['id']}", 204)
    else:
        assert answer.status_code == 422


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "local:///etc/passwd",
        "simplecache::file:///etc/passwd",
        "https::file:///etc/passwd",
        "zip://x::https://a.example/b",
        "http://",
        "ftp://files.example/x",
        "http://a b/",
        "http://files.example/*",
    ],
)
def test_only_servers_are_fetched_from(server: Served, url: str) -> None:
    assert server.refused(422, "POST", "/traces/registered", json={"url": url})["code"] == "input"


def test_only_named_hosts_are_fetched_from(locked: Served) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for url in (
        "http://169.254.169.254/latest",
        "http://files.example.evil/x",
        "http://files.example@evil/x",
    ):
        found = locked.refused(422, "POST", "/traces/registered", json={"url": url}, headers=headers)
        assert "may not fetch" in found["reason"]


CHUNK = b"10000\r\n" + LARGE + b"\r\n"


@pytest.mark.parametrize(
    ("lines", "parts", "status"),
    [
        (["Content-Length: 10000000000"], [], b"413"),
        (["Transfer-Encoding: chunked"], [CHUNK] * 40, b"413"),
        (["Content-Length: 5", "Content-Length: 500000"], [b"hello"], b"400"),
        (["Content-Length: 1000"], [b"abc"], b"408"),
    ],
    ids=["said to be too large", "without a length", "of two lengths", "shorter than it says"],
)
def test_a_body_that_cannot_be_taken_is_refused_and_leaves_nothing(
    server: Served, lines: list[str], parts: list[bytes], status: bytes
) -> None:
    answer = server.raw(head("POST", "/traces?name=a", *lines), *parts)
    assert answer.split()[1] == status
    assert not left_over(server)


def test_a_body_longer_than_it_says_is_cut_where_it_says(server: Served) -> None:
    """What follows is taken for another request, and is none."""
    answer = server.raw(
        head("POST", "/traces?name=a", "Content-Length: 100", "Connection: close"), *[LARGE] * 40
    )
    assert answer.split()[1] in (b"400", b"422")
    assert answer.count(b"HTTP/1.1") == 1
    until(lambda: not left_over(server), "what was no trace is gone")


def test_a_body_that_is_cut_off_leaves_nothing(server: Served) -> None:
    import socket  # noqa: PLC0415

    before = len(server.ask("GET", "/traces")["traces"])
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(head("POST", "/traces?name=a", "Content-Length: 1000") + b"abc")
        until(lambda: left_over(server), "the upload is begun")
    until(lambda: not left_over(server), "it is given up")
    assert len(server.ask("GET", "/traces")["traces"]) == before


def test_a_head_that_trickles_is_given_up(server: Served) -> None:
    assert not server.raw(b"GET /api/v1/about HTTP/1.1\r\n")
    assert not server.raw()


def test_a_document_is_no_upload(server: Served) -> None:
    long = {"token": "x" * (1 << 20)}
    assert server.client.post(f"{API}/session", json=long).status_code == 413


@pytest.mark.parametrize("content", [b"{", b"[]", b"null", b"[" * 100_000, b'{"traces": 1}', b"\xff"])
def test_a_body_that_is_no_document_is_refused(server: Served, content: bytes) -> None:
    answer = server.client.post(f"{API}/plans", content=content, headers={"Content-Type": "application/json"})
    assert (answer.status_code in (400, 422), answer.json()["code"]) == (True, "input")


def test_names_are_only_text(server: Served, folder: Path) -> None:
    """`<script>` in a name comes back as JSON, which no browser runs."""
    name = "<script>alert(1)</script>"
    asked: dict[str, Any] = {"folder": "traces", "path": "sub/tiny.blktrace", "name": name}
    trace = server.ask("POST", "/traces/registered", 201, json=asked)
    answer = server.client.get(f"{API}/traces/{trace['id']}")
    assert answer.json()["name"] == name
    assert answer.headers["content-type"] == "application/json"
    server.ask("DELETE", f"/traces/{trace['id']}", 204)
    assert (folder / "sub/tiny.blktrace").exists(), "a file in a named folder is not ours to delete"


def test_pages_are_only_read(server: Served) -> None:
    assert server.client.post("/", content=b"").status_code == 405
    assert server.client.get("/../../etc/passwd").status_code == 404
    assert server.client.get("/%2e%2e/settings.py").status_code == 404
