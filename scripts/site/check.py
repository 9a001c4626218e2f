"""Checks a built site: `python scripts/site/check.py out/site`.

- Every link and anchor within the site leads somewhere; those to elsewhere are well-formed, and those into the
  repository name a file that exists. No other address is asked: a build needs no network.
- Nothing is loaded from elsewhere: no script, style, font, image or frame has an address with a host.
- No mark-up is left over: a formula, list or directive that was not turned into HTML.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[2]
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}
"""Elements that a browser loads unasked, and the attribute that says what; a `link` only with some values of `rel`."""
LOADED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload", "manifest"}
STYLE_LOAD = re.compile(r"""url\(\s*["']?((?:https?:)?//[^)"']+)|@import\s+["']((?:https?:)?//[^"']+)""")
LEFT_OVER = re.compile(r"\\\[|\$\$|^:::|^ ?[-*] \w|^\|[ -]", re.MULTILINE)
VERBATIM = {"pre", "code", "script", "style", "math", "svg"}
"""Elements whose text is not mark-up that was meant to be turned into HTML."""


@dataclass
class Page(HTMLParser):
    """What a page holds: places to link to, its links, what it loads, and mark-up left over."""

    path: Path
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the element's places and addresses."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADS and LOADS[tag] in given:
            is_loaded = tag != "link" or LOADED_LINKS & set(given.get("rel", "").split())
            (self.loads if is_loaded else self.links).append(given[LOADS[tag]])
        self.loads += [found[1] or found[2] for found in STYLE_LOAD.finditer(given.get("style", ""))]
        if tag in VERBATIM:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element whose text stays as it is."""
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Take mark-up that was left over, and what a style sheet within the page loads."""
        if "style" in self.inside:
            self.loads += [found[1] or found[2] for found in STYLE_LOAD.finditer(data)]
        in_formula = "math" in self.inside and "&" in data  # TeX that the converter does not know
        if in_formula or (not self.inside and LEFT_OVER.search(data)):
            self.left_over.append(" ".join(data.split())[:80])


@dataclass(frozen=True)
class Site:
    """A built site, where it will be published, and where its sources are."""

    folder: Path
    address: str
    repository: str
    pages: Mapping[Path, Page]

    def target(self, place: str, page: Path) -> Path:
        """The file that a path in a link of a page is; a path from the root begins with that of the site's address."""
        root = urlsplit(self.address).path.rstrip("/") + "/"
        if not place:
            return page
        file = self.folder / place.removeprefix(root) if place.startswith(root) else page.parent / place
        return file.resolve() / "index.html" if file.is_dir() else file.resolve()


def opened(folder: Path, address: str, repository: str) -> Site:
    """A built site with all its pages."""
    root = folder.resolve()
    return Site(root, address, repository, {path: Page(path) for path in sorted(root.rglob("*.html"))})


def faults(site: Site) -> Iterator[str]:
    """Everything that is wrong with a built site, a line each."""
    if not site.pages:
        yield f"{site.folder}: no pages"
    for path, page in site.pages.items():
        name = path.relative_to(site.folder)
        yield from (f"{name}: loads {load}" for load in page.loads if urlsplit(load).netloc)
        yield from (f"{name}: left as it was typed: {text}" for text in page.left_over)
        for link in dict.fromkeys([*page.links, *(load for load in page.loads if not urlsplit(load).netloc)]):
            if (why := dead(link, path, site)) is not None:
                yield f"{name}: link to {link}: {why}"
    for style in sorted(site.folder.rglob("*.css")):
        found = STYLE_LOAD.finditer(style.read_text(encoding="utf-8"))
        yield from (f"{style.relative_to(site.folder)}: loads {load[1] or load[2]}" for load in found)


def dead(link: str, path: Path, site: Site) -> str | None:
    """Why a link leads nowhere, or none."""
    parts = urlsplit(link)
    if parts.scheme in ("mailto", "data") or link == "javascript:void(0)":
        return None
    if parts.scheme or parts.netloc:
        if parts.scheme not in ("http", "https") or not re.fullmatch(r"[\w.-]+\.\w+(:\d+)?", parts.netloc):
            return "no address"
        inside = re.match(re.escape(site.repository) + r"/(?:blob|tree)/main/([^#]+)", link)
        return "no such file in the repository" if inside and not (ROOT / inside[1]).exists() else None
    target = site.target(unquote(parts.path), path)
    if not target.is_file():
        return "no such file"
    if parts.fragment and target in site.pages and unquote(parts.fragment) not in site.pages[target].anchors:
        return "no such place in that page"
    return None


if __name__ == "__main__":
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    found = list(faults(opened(Path(sys.argv[1]), urls["Documentation"], urls["Source"])))
    sys.exit("\n".join(found) or 0)
