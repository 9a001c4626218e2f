"""What a browser loads stays small: every file that `make web` builds, and so every part of a report."""

import gzip
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[3] / "python/drivecast"


@pytest.mark.needs("pages")
def test_no_part_of_a_report_is_larger_than_500_kb_compressed_and_all_pages_than_100() -> None:
    report, pages = (
        {path.name: compressed(path) for path in (PACKAGE / place).rglob("*") if path.is_file()}
        for place in ("present/web", "serve/pages")
    )
    assert {name: size for name, size in report.items() if size > 500_000} == {}
    assert 10_000 < sum(pages.values()) < 100_000


def compressed(path: Path) -> int:
    """Bytes as they are carried: those of a file that is compressed are its own."""
    content = path.read_bytes()
    return len(content if path.suffix == ".gz" else gzip.compress(content, 9))
