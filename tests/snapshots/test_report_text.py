"""All the words of the page and of the terminal for a small real plan.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

import html
import re

import pytest

from agreed import agreed
from drivecast.present import page, style, terminal
from real_plan import plan, with_rented


def page_text() -> str:
    """The page without its style and drawings: a line a block, cells joined by bars."""
    source = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", page.render(plan()), flags=re.DOTALL)
    source = re.sub(r"</t[dh]>\s*<t[dh][^>]*>", " | ", source)
    source = re.sub(r"</?(?:b|strong|code|small|span|br)\b[^>]*>", " ", source)
    lines = (
        re.sub(r"\s+", " ", html.unescape(line)).strip()
        for line in re.sub(r"<[^>]+>", "\n", source).splitlines()
    )
    return "\n".join(line for line in lines if line) + "\n"


def terminal_text() -> str:
    workload = plan().workload
    profile = terminal.render_profile(workload.profile, workload.name)
    return f"{terminal.render(plan(), report='report.html').plain}\n\n{profile.plain}\n"


def rented_text() -> str:
    return f"{terminal.render(with_rented()).plain}\n"


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("report-page.txt", page_text),
        ("report-terminal.txt", terminal_text),
        ("report-rented.txt", rented_text),
    ],
)
def test_the_words_are_the_ones_agreed_on(name: str, made: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "to_svg", lambda _chart: "<svg></svg>")
    agreed(name, made())  # type: ignore[operator]
