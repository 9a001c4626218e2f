"""Names and paths from browsers, whatever they are: what comes of them stays where it belongs."""

from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivecast.errors import InputError
from drivecast.serve import allowed_folders
from drivecast.serve.http_error import Refused
from drivecast.serve.settings import Settings
from drivecast.serve.trace_routes import check_url
from drivecast.serve.uploaded_file import NAME_MAX, name_of

PARTS = st.sampled_from(["..", ".", "", "a", "b.c", "~", "...", "\\", "\0", "%2e%2e", "/"])
PATHS = st.lists(PARTS, max_size=6).map("/".join) | st.text(max_size=40)
HOSTS = st.sampled_from(
    ["good.example", "evil.example", "good.example.evil.example", "127.0.0.1", "[::1]", ""]
)


@given(PATHS)
def test_a_name_is_one_part_of_a_path(text: str) -> None:
    try:
        found = name_of(text)
    except Refused:
        return
    assert 1 <= len(found) <= NAME_MAX
    assert PurePosixPath("/data", found).parts == ("/", "data", found)
    assert found[0] not in ".-"
    assert found.isascii()
    assert found.isprintable()


@given(PATHS)
def test_a_path_leads_downwards_or_is_refused(text: str) -> None:
    try:
        parts = allowed_folders.parts_of(text)
    except InputError:
        return
    assert ".." not in parts
    assert Path("/root", *parts).is_relative_to("/root")


@given(
    st.sampled_from(["http", "https", "s3", "file", "prometheus+http"]),
    HOSTS,
    HOSTS,
    st.sampled_from("@:/?#\\ "),
)
def test_only_the_named_host_is_fetched_from(scheme: str, first: str, second: str, between: str) -> None:
    """However a URL is put together; what is let through has that host for other libraries, too."""
    import httpx  # noqa: PLC0415

    url = f"{scheme}://{first}{between}{second}/x"
    try:
        check_url(url, Settings(Path("/data"), fetch=("good.example",)))
    except InputError:
        return
    assert scheme != "file"
    try:
        host = httpx.URL(url.replace("prometheus+", "")).host
    except httpx.InvalidURL:  # as with a name for a port: nothing is fetched
        return
    assert host == "good.example"


@given(st.text(max_size=30))
def test_only_our_names_are_ours(text: str) -> None:
    settings = Settings(Path("/data"), names=("drivecast.lan",))
    ours = {"localhost", "127.0.0.1", "::1", "drivecast.lan"}
    assert settings.called_rightly(text) == (text.lower().rstrip(".") in ours)


def test_every_address_is_ours_where_we_listen_on_all() -> None:
    settings = Settings(Path("/data"), host="0.0.0.0", token="x" * 16)  # noqa: S104
    assert settings.called_rightly("192.0.2.1")
    assert not settings.called_rightly("evil.example")
    with pytest.raises(InputError, match="no token"):
        Settings(Path("/data"), host="192.0.2.1")
