"""A page for each notebook of `examples/notebooks`: its text and its code, with a link to the notebook itself.

What cells show is left out: a build would take a minute for it, and charts would load scripts from elsewhere. The tests
run every notebook from the first cell to the last.
"""

import functools
import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = "examples/notebooks"
FOLDER = "notebooks"
NOTE = """
*This is a notebook: [`{name}`](../../{source}/{name}) runs in JupyterLab, with tables and charts below its cells
(`pip install drivecast jupyterlab`).*
"""


@functools.cache
def pages() -> dict[str, str]:
    """The text of each page by its name."""
    found = sorted((ROOT / SOURCE).glob("*.ipynb"))
    return {f"{FOLDER}/{path.stem}.md": page(path) for path in found}


def page(path: Path) -> str:
    """A notebook as Markdown; the note comes after its first cell, which is its title."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    parts.insert(1, NOTE.format(name=path.name, source=SOURCE).strip())
    return "\n\n".join(parts) + "\n"
