"""Draws the figures of docs/explanation/model.md: the bundled recording and its model.

`model-*.svg`: some parts of the validation of `examples/mariadb-oltp`, as `drivecast model validate
--figures` draws them.
"""

import os
from pathlib import Path

from drivecast import _core
from drivecast.catalog import load
from drivecast.model.validate import validate
from drivecast.present import style
from drivecast.present.validation import charts
from drivecast.stage import model_file

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs/images"
RECORDING = ROOT / "examples/mariadb-oltp/mariadb-oltp.blktrace"
DRAWN = ("outcomes", "requests-over-time", "seek-distance")


def main() -> None:
    """Fit, validate, draw."""
    trace = _core.Workload.trace([str(RECORDING)], None)
    model = model_file.fit(trace, "mariadb-oltp")
    found = validate(model, trace, load([]), seed=0, update=lambda _share, _what: None)
    for name, chart in charts(found):
        if name in DRAWN:
            style.save_svg(chart, IMAGES / f"model-{name}.svg")
            if folder := os.environ.get("FIGURE_PNG"):
                style.to_png(chart, Path(folder) / f"model-{name}.png")


if __name__ == "__main__":
    main()
