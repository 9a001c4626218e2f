# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools[woff]>=4.50"]
# ///
"""Cut the font of pages and figures from Liberation Sans 2: the characters that are shown, without hints.

    uv run scripts/font.py /usr/share/fonts/truetype/liberation2

Widths are those of Helvetica and Arial. The SIL Open Font License reserves the name Liberation for the whole
font, so that the cut has a name of its own. Of each weight, TrueType is what figures are measured with and
WOFF2, a third smaller, what pages and figures embed.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

NAME = "Drivecast Sans"
OUT = Path(__file__).parents[1] / "python/drivecast/present/font"
SHOWN = [
    *range(0x20, 0x7F),  # ASCII
    *range(0xA0, 0x180),  # Western and Central European names
    *range(0x2010, 0x2027),  # dashes, quotes, ellipsis
    *range(0x2190, 0x2194),  # arrows
    *map(ord, "αβηλμσρτΔΣ‰‹›€−∕√∞≈≠≤≥⁄⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄ⁿ"),
]
NAMES = {1: NAME, 4: NAME, 16: NAME}


def cut(source: Path, weight: str) -> None:
    """Write one weight in both formats."""
    options = subset.Options(hinting=False, layout_features=["kern"], name_IDs=[0, 1, 2, 4, 5, 6, 13, 14])
    font = TTFont(source / f"LiberationSans-{weight}.ttf")
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=SHOWN)
    cutter.subset(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            bare = NAME.replace(" ", "") if record.nameID == 6 else NAME  # a PostScript name has no spaces
            full = f"{bare}{'-' if record.nameID == 6 else ' '}{weight}"
            record.string = NAME if record.nameID == 1 else full
    font["head"].modified = font["head"].created  # the same input gives the same bytes
    font.recalcTimestamp = False
    OUT.mkdir(exist_ok=True)
    font.save(OUT / f"drivecast-sans-{weight.lower()}.ttf")
    font.flavor = "woff2"
    font.save(OUT / f"drivecast-sans-{weight.lower()}.woff2")


if __name__ == "__main__":
    for weight in ("Regular", "Bold"):
        cut(Path(sys.argv[1]), weight)
