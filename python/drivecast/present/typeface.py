"""The typeface of pages and figures, embedded, so that a text is as wide for its reader as it was measured here.

A figure is laid out before it is shown: where a label fits depends on the widths of its letters. A reader's
system may lack the font, and a wider one in its place cuts labels or lays one over another. So figures are
measured with the files of `font`, and pages and figure files carry the same outlines (`scripts/font.py`).
Code is set in the reader's own monospaced font; it may break anywhere and is never in a figure.
"""

from base64 import b64encode
from functools import cache
from pathlib import Path

import vl_convert

FOLDER = Path(__file__).parent / "font"
NAME = "Drivecast Sans"
FAMILY = f"{NAME}, Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
"""Fonts of a figure in order; those after the first are for a viewer that ignores embedded fonts."""

WEIGHTS = {"regular": 400, "bold": 700}

vl_convert.register_font_directory(str(FOLDER))


@cache
def faces() -> str:
    """Return the style rules that embed the typeface, and let letters of a drawing keep their widths at any scale."""
    return "svg text { text-rendering: geometricPrecision }\n" + "".join(
        f'@font-face {{ font-family: "{NAME}"; font-weight: {weight}; src: url(data:font/woff2;base64,'
        f"{b64encode((FOLDER / f'drivecast-sans-{name}.woff2').read_bytes()).decode()}) }}\n"
        for name, weight in WEIGHTS.items()
    )


def embedded(svg: str) -> str:
    """Return a drawing with the typeface in it, for a file of its own."""
    head, mark, rest = svg.partition(">")
    return f"{head}{mark}<style>{faces()}</style>{rest}"
