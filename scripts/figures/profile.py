"""Figures of `docs/explanation/profile.md`: reuse and burstiness of the bundled recording.

Run as `.venv/bin/python scripts/figures/profile.py`; writes `docs/images/profile-*.svg`.
"""

from pathlib import Path

from drivecast.present import drawing
from drivecast.stage import trace

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
FIGURES = ("miss-ratio", "dispersion")


def main() -> None:
    """Draw the figures."""
    recording = ROOT / "examples" / "mariadb-oltp" / "mariadb-oltp.blktrace"
    profile = trace.profile([recording])
    IMAGES.mkdir(parents=True, exist_ok=True)
    for figure in drawing.of_detail(profile):
        if figure.name in FIGURES:
            (IMAGES / f"profile-{figure.name}.svg").write_text(figure.svg, encoding="utf-8")


if __name__ == "__main__":
    main()
