"""Words that must not come back: the glossary (`docs/reference/glossary.md`) has the field's terms."""

import ast
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
    r"\bNOT KNOWN\b": "SILENT",
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


BANNED_IN_COMMENTS = {
    r"\b([Tt]old|[Tt]ells?)\b": "says, shows, has, reports",
    r"\b[Ss]tands?\b": "is, represents, is based on",
    r"\b(go(es)?|went) on\b": "continues",
    r"\b[Tt]ouched\b": "accessed, footprint",
    r"\b[Rr]oom\b": "headroom, space, memory",
    r"\bkept\b": "held, stored; results",
    r"\b[Ss]ome (\d|ten|hundred|thousand)": "≈, about",
    r"\d[eE]\+\d": "2 000, 20 TB",
    r"\b[Bb]eside\b": "next to, apart from",
    r"\b[Nn]obody\b": "say what is not done",
    r"\bby itself\b|\bthereby\b": "alone",
    r"\b(looked at|asked for)\b": "examined, refined, requested",
    r"\bcomes? again\b": "repeats",
    r"\bbehind the (end|last)\b": "beyond, after",
}
"""Words of translated English, in what crates say of themselves."""

LEFT_IN_COMMENTS: dict[str, int] = {r"\b([Tt]old|[Tt]ells?)\b": 1, r"\bkept\b": 1}
"""How often they still occur: in an example of a model, and as the name of a parameter. The numbers only fall."""

THIRD_PERSON = re.compile(
    r"(Add|Applie|Compute|Draw|Find|Give|Make|Play|Put|Raise|Return|Simulate|Take|Yield)s\b"
)


@functools.cache
def crate_comments() -> dict[str, str]:
    """What each file of the crates says in comments, as one line."""
    return {
        str(path.relative_to(ROOT)): " ".join(
            re.findall(r"(?:^|\s)//[/!]?(.*)", path.read_text(encoding="utf-8"))
        )
        for path in tracked(".rs")
        if path.relative_to(ROOT).parts[::2][:2] == ("crates", "src")
    }


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


@pytest.mark.parametrize("phrase", BANNED_IN_COMMENTS)
def test_comments_of_crates_are_plain(phrase: str) -> None:
    assert len(crate_comments()) > 200, "the finder finds nothing"
    found = {
        name: count for name, text in crate_comments().items() if (count := len(re.findall(phrase, text)))
    }
    assert sum(found.values()) <= LEFT_IN_COMMENTS.get(phrase, 0), f"write: {BANNED_IN_COMMENTS[phrase]}"


def test_docstrings_are_in_one_mood() -> None:
    """Python's are imperative or name what is returned; those of crates are indicative, as Rust's own."""
    moods = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in tracked(".py", ".pyi")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and THIRD_PERSON.match(ast.get_docstring(node) or "")
    }
    assert not moods
