"""Write the JSON Schema of every document that a verb prints, from its definition, into a folder.

python scripts/schemas.py FOLDER
"""

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from drivecast import document
from drivecast.document.part import Document, Part

# What a definition says below a key is the schema's description. It is read from the source as a class is made, which
# takes too long for a verb: it is switched on here, before the documents are imported.
Part.model_config["use_attribute_docstrings"] = True

from drivecast.document.model import Model  # noqa: E402
from drivecast.document.result import Result  # noqa: E402

FILES: tuple[type[BaseModel], ...] = (Model, Result)
"""Documents that are files first: a verb prints one as it was read, without the keys that it does not set."""
KEYWORDS = {"ge": "minimum", "le": "maximum"}
"""What pydantic writes for the bounds of a union, and what JSON Schema calls them."""


def printed() -> Iterator[type[Document]]:
    """The documents that no other extends: those that do are parts which several verbs share."""
    for module in pkgutil.iter_modules(document.__path__):
        importlib.import_module(f"{document.__name__}.{module.name}")
    open_classes = [Document]
    while open_classes:
        kinds = defined(open_classes.pop())
        open_classes += kinds
        yield from (kind for kind in kinds if not defined(kind))


def defined(kind: type[Document]) -> list[type[Document]]:
    """What the package itself makes of a document; a test may extend it, too."""
    return [own for own in kind.__subclasses__() if own.__module__.startswith(document.__name__)]


def name(kind: type[BaseModel]) -> str:
    """The name of a document's file: its module and its class, without what both say."""
    module = kind.__module__.rpartition(".")[2].replace("_", "-")
    own = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()
    return own if own.startswith(module) else f"{module}-{own}"


def schema(kind: type[BaseModel]) -> str:
    """The JSON Schema of a document, as its file has it."""
    found = kind.model_json_schema(mode="validation" if kind in FILES else "serialization")
    text = json.dumps(_in_keywords(found), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    return re.sub(r"\bInterval_\w+", "Interval", text)  # pydantic names a generic model by its arguments


def _in_keywords(node: Any) -> Any:
    """The schema with bounds that every reader of JSON Schema knows."""
    if isinstance(node, list):
        return [_in_keywords(part) for part in node]
    if not isinstance(node, dict):
        return node
    bounded = "anyOf" in node
    return {KEYWORDS.get(key, key) if bounded else key: _in_keywords(part) for key, part in node.items()}


def render() -> dict[str, str]:
    """The text of each file by its name."""
    return {f"{name(kind)}.json": schema(kind) for kind in (*printed(), *FILES)}


if __name__ == "__main__":
    for file, text in render().items():
        (Path(sys.argv[1]) / file).write_text(text, encoding="utf-8")
