"""What a small real comparison looks like: the terminal, the words of the page, rows of the CSV, keys of the JSON.

After a change that is meant, run with `UPDATE_SNAPSHOTS=1` and read the difference.
"""

import html
import json
import re
from typing import Any

import pytest

import compared
from agreed import agreed
from drivecast.document.part import Part
from drivecast.flat_row import flat
from drivecast.present import side_by_side, side_by_side_page, style


def terminal_text() -> str:
    return f"{side_by_side.text(compared.found(), report='versus.html').plain}\n"


def page_text() -> str:
    """The page without its style and drawings: a line a block, cells joined by bars."""
    source = side_by_side_page.render(compared.found())
    source = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", source, flags=re.DOTALL)
    source = re.sub(r"</t[dh]>\s*<t[dh][^>]*>", " | ", source)
    source = re.sub(r"</?(?:b|strong|code|small|span|br)\b[^>]*>", " ", source)
    lines = (
        re.sub(r"\s+", " ", html.unescape(line)).strip()
        for line in re.sub(r"<[^>]+>", "\n", source).splitlines()
    )
    return "\n".join(line for line in lines if line) + "\n"


def data_text() -> str:
    """The JSON with the first of each list, and the columns of the CSV."""

    def first(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: first(inner) for key, inner in value.items()}
        return [first(each) for each in value[:1]] if isinstance(value, list) else value

    content = compared.found().model_dump(mode="json", by_alias=True)
    columns = ",".join(flat(_plain(compared.found().runs[0])))
    return f"{json.dumps(first(content), indent=1)}\n{columns}\n"


def _plain(part: Part) -> dict[str, Any]:
    return part.model_dump(mode="json", by_alias=True)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("versus-terminal.txt", terminal_text),
        ("versus-page.txt", page_text),
        ("versus-data.txt", data_text),
    ],
)
def test_the_words_are_the_ones_agreed_on(name: str, made: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(style, "to_svg", lambda _chart: "<svg></svg>")
    agreed(name, made())  # type: ignore[operator]
