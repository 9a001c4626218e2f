"""Writes the tables of `docs/reference/serve-api.md` from the API of `drivecast serve`, as OpenAPI describes it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drivecast.serve.application import described
from drivecast.serve.middleware import API

PLACE = Path(__file__).parents[1] / "docs/reference/serve-api.md"
BEGIN, END = "<!-- endpoints: begin -->\n", "<!-- endpoints: end -->"
TITLES = {
    "server": "Server, session, events",
    "traces": "Traces",
    "plans": "Plans",
    "health": "Drives in service",
    "results": "Bench results",
}
"""By the tag of a group of endpoints."""


def tables(api: dict[str, Any]) -> Iterator[str]:
    """A table for each group, and then the documents that are of the server alone."""
    for tag, title in TITLES.items():
        yield f"### {title}"
        yield ""
        yield "| request | takes | answers | what it does |"
        yield "|---|---|---|---|"
        for path, methods in api["paths"].items():
            for method, operation in methods.items():
                if operation["tags"] == [tag]:
                    yield row(path, method, operation)
        yield ""


def row(path: str, method: str, operation: dict[str, Any]) -> str:
    """An endpoint."""
    status, answer = next(
        (code, found) for code, found in operation["responses"].items() if code.startswith("2")
    )
    what = operation["description"].replace("\n", " ").replace("|", "\\|")
    request = f"{method.upper()} {path.removeprefix(API)}"
    return f"| `{request}` | {taken(operation)} | {status} {answered(answer)} | {what} |"


def taken(operation: dict[str, Any]) -> str:
    """Parameters of the URL and headers, and the body."""
    names = [
        f"`{parameter['name']}`{'' if parameter['required'] else '?'}"
        for parameter in operation.get("parameters", [])
        if parameter["in"] != "path"
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    raw = operation["operationId"].startswith(("upload", "store", "samples"))
    return ", ".join([*([named(body["schema"])] if body else ["the file"] if raw else []), *names])


def answered(answer: dict[str, Any]) -> str:
    """The document, or the type of what is none."""
    for kind, content in answer.get("content", {}).items():
        if kind == "application/json":
            return named(content.get("schema", {}))
        return f"`{kind}`"
    return ""


def named(schema: dict[str, Any]) -> str:
    """The name of a document."""
    name = schema.get("$ref", "").rpartition("/")[2].partition("-")[0]
    return f"`{name}`" if name else ""


def render(text: str) -> str:
    """The page with its tables written anew."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n".join(tables(described().openapi())) + END + rest.split(END)[1]


if __name__ == "__main__":
    PLACE.write_text(render(PLACE.read_text()))
