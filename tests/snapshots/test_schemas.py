"""The JSON Schemas in the documentation are those of the definitions in the code."""

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts/schemas.py"))


def test_every_schema_is_current(script: dict[str, Any]) -> None:
    texts: dict[str, str] = script["render"]()
    assert len(texts) == len([*script["printed"](), *script["FILES"]]) > 30, "two documents share a name"
    found = {path.name: path.read_text() for path in script["PLACE"].iterdir()}
    assert found.keys() == texts.keys(), "run `make docs`"
    assert not [name for name, text in texts.items() if found[name] != text], "run `make docs`"


def test_a_table_is_an_array_of_its_rows() -> None:
    outcome = json.loads((ROOT / "docs/reference/schema/outcome.json").read_text())
    assert outcome["properties"]["seconds"]["items"] == {"$ref": "#/$defs/Second"}
    assert outcome["properties"]["latencies"]["items"] == {"$ref": "#/$defs/LatencyBucket"}
    assert set(outcome["$defs"]["LatencyBucket"]["properties"]) == {"op", "latency_ns", "count", "quantile"}
