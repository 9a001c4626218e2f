"""A page for each JSON document: its keys, their types and what they mean, made of its JSON Schema.

Parts of a document are sections; a type that is a part links to it. What a key means is what its definition in
`python/drivecast/document` says of it, where its name, which ends in the unit, does not say enough.
"""

import functools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = "reference/schema"
HEAD = """# JSON Schemas

The document of each verb as a [JSON Schema](https://json-schema.org/draft/2020-12), for a validator, a code generator
or an editor. What the keys mean, verb by verb, is in [JSON documents](../json.md). New keys may come within a
`schema_version`: a reader should pass over those that it does not know.

| document | JSON Schema | what it is |
|---|---|---|
"""

Schema = Mapping[str, Any]


@functools.cache
def pages() -> dict[str, str]:
    """The text of each page, and of each JSON Schema, by its name."""
    found, rows = {}, []
    for file, text in written().items():
        schema, name = json.loads(text), file.removesuffix(".json")
        found[f"{FOLDER}/{file}"] = text
        found[f"{FOLDER}/{name}.md"] = "\n".join(page(file, schema))
        rows.append(f"| [{name}]({name}.md) | [{file}]({file}) | {first_line(schema)} |")
    found[f"{FOLDER}/index.md"] = HEAD + "\n".join(rows) + "\n"
    return found


def written() -> dict[str, str]:
    """The JSON Schemas by file, from a process of its own: what no one has imported yet keeps its descriptions."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "scripts/schemas.py", folder], check=True)
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).iterdir())}


def page(file: str, schema: Schema) -> Iterator[str]:
    """The lines of a document's page."""
    yield f"# {file.removesuffix('.json')}\n"
    yield f"{schema.get('description', '')}\n"
    yield f"JSON Schema: [{file}]({file}).\n"
    yield from keys(schema)
    for name, part in sorted(schema.get("$defs", {}).items()):
        yield f"\n## {title(name)} {{: #{anchor(name)} }}\n"
        yield f"{part.get('description', '')}\n"
        yield from keys(part) if "properties" in part else [kind(part)]


def keys(schema: Schema) -> Iterator[str]:
    """The table of an object's keys."""
    required = set(schema.get("required", ()))
    yield "| key | type | meaning |"
    yield "|---|---|---|"
    for name, node in schema.get("properties", {}).items():
        mark = "" if name in required else " {: .optional }"
        meaning = " ".join(filter(None, [first_line(node), limits(node)]))
        yield f"| `{name}`{mark} | {kind(node)} | {meaning} |"


def first_line(node: Schema) -> str:
    """What a node says of itself, up to its first empty line."""
    return " ".join(node.get("description", "").split("\n\n")[0].split()).replace("|", "\\|")


def kind(node: Schema) -> str:
    """The type of a value, in words; a part is a link to its section."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        return f"[{title(name)}](#{anchor(name)})"
    if choices := node.get("anyOf") or node.get("oneOf"):
        kinds = dict.fromkeys(map(kind, choices))
        return " or ".join(sorted(kinds, key=lambda word: word == "null"))
    if values := node.get("enum") or ([node["const"]] if "const" in node else None):
        return ", ".join(map(literal, values))
    return plain(node)


def plain(node: Schema) -> str:
    """The type of a value that is no part and no choice."""
    match node:
        case {"type": "array", "prefixItems": items}:
            return f"array of {', '.join(map(kind, items))}"
        case {"type": "array", "items": items} if items:
            return f"array of {kind(items)}"
        case {"type": "object", "additionalProperties": Mapping() as inner}:
            return f"object of {kind(inner)} by name"
        case {"type": name, "format": form}:
            return f"{name}, {form}"
    return str(node.get("type", "any"))


def literal(value: object) -> str:
    """A value as JSON writes it."""
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def limits(node: Schema) -> str:
    """The bounds of a number, and the default where it says something."""
    signs = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}
    nodes = [node, *node.get("anyOf", ())]
    found = [f"{sign} {part[bound]:,}" for part in nodes for bound, sign in signs.items() if bound in part]
    if node.get("default") not in (None, "", [], {}):
        found.append(f"default {literal(node['default'])}")
    return f"({', '.join(found)})" if found else ""


def anchor(name: str) -> str:
    """The place of a part in its page."""
    return name.lower()


def title(name: str) -> str:
    """The name of a part; of two parts with one name, with the module that each is from."""
    *modules, own = name.split("__")
    return f"{own} ({modules[-1]})" if modules else own
