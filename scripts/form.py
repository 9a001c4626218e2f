"""Writes `web/src/serve/plan_form.json`: the fields of the form for a new plan, from the definitions of its options."""

import json
from pathlib import Path

from drivecast.serve.form import fields

PLACE = Path(__file__).parents[1] / "web/src/serve/plan_form.json"


def render() -> str:
    """The text of the file."""
    return json.dumps(fields(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PLACE.write_text(render(), encoding="utf-8")
