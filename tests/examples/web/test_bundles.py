"""What a browser loads stays small: every file that `make web` builds, and so every part of a report."""

import gzip
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "python/drivecast"
PLACES = ("present/web", "serve/pages")
MOST_BYTES = 500_000


@pytest.mark.needs("pages")
@pytest.mark.parametrize("place", PLACES)
def test_no_bundle_is_larger_than_500_kb_compressed(place: str) -> None:
    files = [path for path in (PACKAGE / place).rglob("*") if path.is_file()]
    sizes = {path.name: compressed(path) for path in files}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}


def compressed(path: Path) -> int:
    """Bytes as they are carried: those of a file that is compressed are its own."""
    content = path.read_bytes()
    return len(content if path.suffix == ".gz" else gzip.compress(content, 9))
