"""Pages of the site that are files of the repository's root: how the project is built and changed."""

import functools
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {
    "project/architecture.md": "ARCHITECTURE.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/changelog.md": "CHANGELOG.md",
}
"""Page, and its file."""


@functools.cache
def pages() -> dict[str, str]:
    """The text of each page by its name."""
    return {page: (ROOT / file).read_text(encoding="utf-8") for page, file in PAGES.items()}


def file_of(page: str) -> str:
    """The file of the repository that a page is made of."""
    return PAGES.get(page, f"docs/{page}")


def page_of(file: str) -> str | None:
    """The page that is made of a file of the repository, or the file of the site that it is copied to."""
    if file == "README.md":
        return "index.md"
    if file.startswith("examples/notebooks/"):
        return f"notebooks/{Path(file).stem}.md"
    named = {made_of: page for page, made_of in PAGES.items()}
    return named.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
