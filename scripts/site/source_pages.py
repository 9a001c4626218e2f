"""A page of the documents that the catalog's figures were read in, with links that can be followed.

Every figure of `catalog` names its document by a key of the file's `[sources]`. What is assumed or fitted has none, and
is not here; a document whose address nobody noted is listed by its title.
"""

import functools
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
PAGE = "reference/sources.md"
ADDRESS = re.compile(r"(?:https?://|\bgithub\.com/)[^\s\"')]*[^\s\"').,;:]")
MARKS = re.compile(r"([\\|\[\]<>*_`])")
SHARED = ("nand", "interfaces", "failures", "controllers", "cloud", "prices", "latency")
NAME = "label"
"""The key for what the name of a model says: no document."""
HEAD = """# Where the catalog's figures are from

Every figure of [the catalog](catalog.md) has an origin. Those that were read in a document, or measured by others, name
it. Here is each document, with a link where its address is known, and what was read in it: {linked} of {documents} rows
have one. What is assumed or fitted has no document: `drivecast catalog show NAME` prints all figures of a drive with
their origins.
"""

File = tuple[str, str, Mapping[str, str], Mapping[str, list[str]]]
"""Heading, what it is of, its documents, and the figures that name each."""


@functools.cache
def pages() -> dict[str, str]:
    """The text of the page by its name."""
    files = [*_files()]
    known = {key: text for _, _, sources, _ in files for key, text in sources.items() if ADDRESS.search(text)}
    rows: dict[str, list[str]] = defaultdict(list)
    for title, file, sources, used in files:
        for key, text in sources.items():
            if key in used and key != NAME:
                figures = ", ".join(f"`{name}`" for name in used[key])
                linked = document(text, addresses(text) or addresses(known.get(key, "")))
                rows[title].append(f"| {file} | {linked} | {figures} |")
    told = [row for found in rows.values() for row in found]
    lines = [HEAD.format(linked=sum("](http" in row for row in told), documents=len(told))]
    for title, found in rows.items():
        lines += [f"\n## {title}\n", "| of | document | figures |\n|---|---|---|", *found]
    return {PAGE: "\n".join(lines) + "\n"}


def _files() -> Iterator[File]:
    """Drives by maker, then what drives share."""
    drives: list[tuple[str, str, File]] = []
    for path in sorted((ROOT / "catalog/drives").glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        vendor, model = content["identity"]["vendor"], content["identity"].get("model", path.stem)
        drives.append((vendor, model, (vendor, f"`{path.stem}`", content["sources"], read_in(content))))
    yield from (file for _, _, file in sorted(drives, key=lambda drive: drive[:2]))
    for name in SHARED:
        content = tomllib.loads((ROOT / f"catalog/{name}.toml").read_text(encoding="utf-8"))
        yield "What drives share", f"`catalog/{name}.toml`", content.get("sources", {}), read_in(content)


def read_in(content: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the figures of a file by the key of the document that each was read or measured in."""
    found: dict[str, dict[str, None]] = defaultdict(dict)

    def walk(node: Any, name: str) -> None:
        if isinstance(node, list):
            for part in node:
                walk(part, name)
        elif isinstance(node, dict):
            for kind in ("source", "measured"):
                if isinstance(key := node.get(kind), str):
                    found[key][name] = None
            for key, part in node.items():
                walk(part, key if isinstance(part, dict | list) else name)

    for table, part in content.items():
        if table != "sources":
            walk(part, table)
    return {key: list(names) for key, names in found.items()}


def addresses(text: str) -> list[str]:
    """The addresses in what is said of a document."""
    found = dict.fromkeys(ADDRESS.findall(text))
    return [address if "://" in address else f"https://{address}" for address in found]


def document(text: str, links: Sequence[str]) -> str:
    """A document as Markdown: its title, then its addresses as links that are named by their hosts."""
    title = re.sub(r"\s*\(\s*\)|(?:\s*[,:;.])+(?=\s*[,:;.]|\s*$)", "", ADDRESS.sub("", text)).strip()
    hosts = (f"[{(urlsplit(link).hostname or '').removeprefix('www.')}]({link})" for link in links)
    return ", ".join([MARKS.sub(r"\\\1", title), *hosts])
