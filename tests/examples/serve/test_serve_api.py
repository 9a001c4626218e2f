"""The API describes itself, and the documentation is what it says."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from drivecast.document.forecast import Trajectory
from drivecast.serve.application import described
from drivecast.serve.middleware import API
from served import Served, serving


@pytest.fixture(scope="module")
def api() -> dict[str, Any]:
    return described().openapi()


def operations(api: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, found) for path, methods in api["paths"].items() for method, found in methods.items()
    ]


def test_every_endpoint_says_what_it_does_and_answers(api: dict[str, Any]) -> None:
    found = operations(api)
    assert len(found) > 35
    for path, method, operation in found:
        assert path.startswith(API)
        assert operation["description"].endswith("."), path
        statuses = [status for status in operation["responses"] if status.startswith("2")]
        content = operation["responses"][statuses[0]].get("content", {})
        if statuses[0] != "204" and "application/json" in content:
            assert content["application/json"]["schema"], (method, path)


def test_its_documents_are_those_of_the_verbs(api: dict[str, Any]) -> None:
    assert {"Plan", "Profile", "Fleet", "Report", "Result", "Comparison", "Inventory"} <= {
        name.partition("-")[0] for name in api["components"]["schemas"]
    }
    in_full = next(
        kind for name, kind in api["components"]["schemas"].items() if name.startswith("DriveInFull")
    )
    printed = Trajectory.model_json_schema(mode="serialization")["properties"]
    assert {*in_full["properties"]} == {*printed, "past"}, "and what the chart of a drive begins with"


def test_the_reference_is_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "scripts/endpoints.py"))
    text = script["PLACE"].read_text()
    assert script["render"](text) == text, "run scripts/endpoints.py"


def test_pages_are_served_where_they_were_built(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    (pages / "assets").mkdir(parents=True)
    (pages / "index.html").write_text("<!doctype html><title>pages</title>")
    (pages / "assets/app.js").write_text("export {}")
    (tmp_path / "secret").write_text("secret")
    with serving(tmp_path / "data", pages=str(pages)) as server:
        assert "<title>pages" in server.client.get("/").text
        script = server.client.get("/assets/app.js")
        assert script.headers["content-type"].startswith(("text/javascript", "application/javascript"))
        assert script.headers["cache-control"] == "no-cache"
        for path in ("/../secret", "/%2e%2e/secret", "/assets/%2e%2e/%2e%2e/secret", "/none"):
            assert server.client.get(path).status_code == 404
    with serving(tmp_path / "data", pages=str(tmp_path / "none")) as bare:
        _says_so(bare)


def _says_so(server: Served) -> None:
    assert "make web" in server.client.get("/").text
    assert server.ask("GET", "/about")["version"]
    assert server.refused(404, "GET", "/nothing")["code"] == "missing"
