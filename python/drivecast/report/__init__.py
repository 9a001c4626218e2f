"""A plan or a profile, shown: a page for paper and screen, a table for the terminal, figures for both.

Nothing here simulates or decides. `document` checks what comes in, `number` words every quantity,
`table` lays out the rows behind the figures, `figure/` draws one figure a file, `page` and
`profile` fill the templates, `terminal` and `outcome` print. Import the module you need: the
terminal does not load the drawing library.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from drivecast.files import write_whole


def write(plan: Mapping[str, Any], path: Path) -> None:
    """Write a plan as the name of `path` asks: `.json` for the document itself, else the page."""
    if path.suffix == ".json":
        write_whole(path, json.dumps(plan, indent=2, allow_nan=False) + "\n")
        return
    from drivecast.report import page  # noqa: PLC0415 - loads the drawing library

    page.write(plan, path)
