"""The boxes of all texts of a page, as Chromium lays them out with one system font at several widths.

A page is put into frames: two windows and two sheets of paper (the widths that its margins leave, with the
rules for print in force). Of each frame come the texts that are cut or lie over another.
"""

import html
import json
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FRAMES = {"800 px": (800, False), "1280 px": (1280, False), "A4": (695, True), "Letter": (718, True)}
"""Width of a page in px, and whether it is on paper, where 13 mm on either side are margin."""

SCRIPT = (Path(__file__).parent / "text_boxes.js").read_text(encoding="utf-8")
FONTS = {
    "wide": ("DejaVu Sans", "dejavu", "fonts-dejavu-core"),
    "narrow": ("Liberation Sans Narrow", "liberation", "fonts-liberation"),
}
"""A font wider than Helvetica and a narrower one: its name, its folder, and Debian's package."""


@dataclass(frozen=True)
class Fault:
    """A text that a reader cannot read whole: on which page, in which frame, what is wrong, and the text."""

    page: str
    frame: str
    what: str
    text: str


def place(kind: str) -> tuple[Path, str]:
    """Return the folder of a font and the package that installs it."""
    _, folder, package = FONTS[kind]
    return Path("/usr/share/fonts/truetype") / folder, package


def system_font(kind: str, folder: Path) -> dict[str, str]:
    """Return the environment of a system on which this font stands in for every other."""
    every = f'<edit name="family" mode="assign" binding="strong"><string>{FONTS[kind][0]}</string></edit>'
    config = folder / "fonts.conf"
    config.write_text(
        f"<fontconfig><dir>{place(kind)[0]}</dir><cachedir>{folder}</cachedir>"
        f'<match target="pattern">{every}</match></fontconfig>'
    )
    return {"FONTCONFIG_FILE": str(config)}


def faults(
    chromium: str, pages: Mapping[str, str], environment: Mapping[str, str], folder: Path
) -> list[Fault]:
    """Return what is cut or overlaps in each page, in every frame."""
    framed = "".join(
        f'<iframe title="{frame}" name="{name}" width="{width}" height="900" '
        f'srcdoc="{html.escape(_media(page, paper))}"></iframe>'
        for name, page in pages.items()
        for frame, (width, paper) in FRAMES.items()
    )
    file = folder / "framed.html"
    file.write_text(f"<!DOCTYPE html><body>{framed}<script>{SCRIPT}</script></body>", encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000", "--dump-dom"]
    command = [chromium, *options, "--window-size=1400,1000", file.as_uri()]
    dom = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environment}
    ).stdout
    found = re.search(r'data-faults="([^"]*)"', dom)
    assert found is not None, "the page's script has not run"
    return [Fault(**fault) for fault in json.loads(html.unescape(found[1]))]


def _media(page: str, paper: bool) -> str:
    """Return the page with the rules for paper always or never in force: a frame is a screen."""
    return page.replace("@media print", "@media all" if paper else "@media not all")
