"""What `mkdocs.yml` cannot say: values of `pyproject.toml`, pages made of the code, links that leave `docs`, formulas.

MkDocs calls these functions by their names (https://www.mkdocs.org/user-guide/plugins/#events).
"""

import re
import tomllib
from html import unescape
from pathlib import Path
from typing import Any

import command_pages
import links
import notebook_pages
import python_names
import root_pages
import schema_pages
import smart_page
import source_pages
import tables_page
from latex2mathml.converter import convert
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
MADE = (command_pages, notebook_pages, root_pages, schema_pages, smart_page, source_pages, tables_page)
"""Pages that are made of the code."""
FORMULA = re.compile(r'<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>', re.DOTALL)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Take addresses and description from the package's, and list the folders of the navigation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    config.site_url = project["urls"]["Documentation"] + "/"
    config.repo_url = project["urls"]["Source"]
    config.repo_name = "Source"
    config.site_description = project["description"]
    made = sorted(name for part in MADE for name in part.pages() if name.endswith(".md"))
    written = sorted(path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md"))
    config.nav = _listed(config.nav, [*written, *made])
    return config


def _listed(node: Any, pages: list[str]) -> Any:
    """The navigation with the pages of a folder in place of its name."""
    if isinstance(node, list):
        return [_listed(part, pages) for part in node]
    if isinstance(node, dict):
        return {title: _listed(part, pages) for title, part in node.items()}
    if not node.endswith("/"):
        return node
    inside = [page for page in pages if page.rpartition("/")[0] == node.rstrip("/")]
    return sorted(inside, key=lambda page: (not page.endswith(("/index.md", "/README.md")), page))


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made of the code."""
    for part in MADE:
        for name, text in part.pages().items():
            files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links and names of files outside of the site into links to the repository; put in the names of Python."""
    markdown = markdown.replace(python_names.MARK, python_names.directives())
    return links.followable(markdown, page.file.src_uri, {file.src_uri for file in files}, config.repo_url)


def on_page_content(html: str, **_: Any) -> str:
    """Set formulas as MathML, which browsers lay out without scripts or fonts from elsewhere."""
    return FORMULA.sub(lambda found: convert(unescape(found[1]).strip(), display="block"), html)
