"""Words that must not come back: the glossary (`docs/reference/glossary.md`) has the field's terms."""

import functools
import re

import pytest
from test_tidy import ROOT, tracked

EXEMPT = ("tests/examples/tidy/", "tests/data/", "docs/reference/glossary.md")

BANNED = {
    r"hangs? (most )?on": "is sensitive to, depends on",
    r"go(es)? on where": "resumes",
    r"gone on with": "resumed",
    r"beaten by": "dominated by",
    r"on the front\b": "Pareto-optimal",
    r"is not told": "is unknown",
    r"[Rr]ead it so\b": "How to read it",
    r"\b[Tt]ouched\b": "footprint",
    r"\bdeepest\b": "maximum queue depth",
    r"\bdata keep\b": "unpowered retention",
    r"stands? behind": "supports",
    r"held against": "compared with",
    r"\bsome \d": "≈",
    r"stands? beside": "next to",
    r"came again": "agreed",
    r"[Cc]ache that pays": "cache for 90 % of achievable hits",
    r"drives that may fail": "drive failures tolerated",
    r"\bNOT KNOWN\b": "NO RECENT DATA",
    r"\bof \d+ looked at": "drives checked",
    r"which of them is meant": "ambiguous",
    r"\bnoticed\b": "warnings",
    r"\bkeeper\b": "supervisor",
    r"\bis told\b|\bare told\b": "is reported",
    r"cannot be told": "is unknown, undetermined",
    r"(is|was|were) looked at": "was checked, was refined",
    r"lies on the (front|Pareto)": "Pareto-optimal",
}
"""Phrase, and what to write instead."""

LEFT: dict[str, int] = {
    r"on the front\b": 1,
    r"is not told": 1,
    r"\b[Tt]ouched\b": 13,
    r"\bdata keep\b": 1,
    r"held against": 1,
    r"drives that may fail": 2,
    r"\bnoticed\b": 3,
    r"\bis told\b|\bare told\b": 2,
    r"cannot be told": 1,
    r"(is|was|were) looked at": 3,
}
"""How often a phrase still occurs: the numbers only fall."""


@functools.cache
def sources() -> dict[str, str]:
    """Every source, text and document as one line each, so that a phrase is found across a line break."""
    paths = tracked(".py", ".rs", ".md", ".toml", ".html", ".txt", ".sh")
    named = {str(path.relative_to(ROOT)): path for path in paths}
    return {
        name: re.sub(r"[\s#/*]+", " ", path.read_text(encoding="utf-8"))
        for name, path in named.items()
        if not name.startswith(EXEMPT)
    }


@pytest.mark.parametrize("phrase", BANNED)
def test_the_phrase_does_not_come_back(phrase: str) -> None:
    assert len(sources()) > 500, "the finder finds nothing"
    found = {name: count for name, text in sources().items() if (count := len(re.findall(phrase, text)))}
    assert sum(found.values()) <= LEFT.get(phrase, 0), f"write: {BANNED[phrase]}"
