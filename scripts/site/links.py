"""Links that leave the site: a file of the repository that is no page becomes a link to where the sources are.

In the repository a page links to `../../examples/x.csv`, or names `crates/sim/src/lib.rs`; a reader of the repository
can follow both. On the site the first becomes a link to the file in the repository, and so does the second, unless it
is in a block of code or a link already. A link to a file that does not exist is a warning, which ends the build.
"""

import logging
import posixpath
import re
from collections.abc import Set
from pathlib import Path

from root_pages import file_of, page_of

ROOT = Path(__file__).parents[2]
BRANCH = "main"

TOKEN = re.compile(
    r"^```.*?^```|^(?: {4}|\t).*?$|(?P<span>(?<!`)`[^`]+`(?!`))|\]\((?!\w+:|#|/)(?P<link>[^)\s#]+)",
    re.DOTALL | re.MULTILINE,
)
"""Blocks of code, which stay as they are; code in a line, which may be a name; targets of links."""
NAME = re.compile(
    r"`((?:crates|python|docs|catalog|examples|tests|benches|scripts|fuzz)/[\w./-]+"
    r"|[A-Z]+\.md|Makefile|(?:pyproject|Cargo)\.toml|mkdocs\.yml)`"
)
log = logging.getLogger("mkdocs.hooks.links")


def followable(markdown: str, page: str, pages: Set[str], repository: str) -> str:
    """The text of a page with its relative links, and the files that it names, as links that work on the site."""

    def address(target: str) -> str | None:
        inside = in_site(target, pages)
        return posixpath.relpath(inside, posixpath.dirname(page)) if inside else source(target, repository)

    def token(found: re.Match[str]) -> str:
        if found["link"]:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(file_of(page)), found["link"]))
            followed = address(target)
            if followed is None:
                log.warning("%s links to `%s`, which does not exist", page, target)
            return f"]({followed or found['link']}"
        linked = found.string.startswith("]", found.end())
        if found["span"] and not linked and (name := NAME.fullmatch(found["span"])):
            followed = address(name[1].rstrip("/"))
            return f"[{found[0]}]({followed})" if followed else found[0]
        return found[0]

    return TOKEN.sub(token, markdown)


def in_site(target: str, pages: Set[str]) -> str | None:
    """The file of the site that a path of the repository is; of a folder its first page."""
    path = page_of(target)
    return path and next(
        (name for name in (path, f"{path}/index.md", f"{path}/README.md") if name in pages), None
    )


def source(target: str, repository: str) -> str | None:
    """The address of a file or folder in the repository, or none where there is no such file."""
    path = ROOT / target
    return f"{repository}/{'tree' if path.is_dir() else 'blob'}/{BRANCH}/{target}" if path.exists() else None
