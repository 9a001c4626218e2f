"""The JSON Schemas in the documentation are those of the definitions in the code."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLACE = ROOT / "docs/reference/schema"
RENDERED = """
import json, sys
sys.path.insert(0, "scripts")
import schemas
print(json.dumps([len([*schemas.printed(), *schemas.FILES]), schemas.render()]))
"""


def test_every_schema_is_current() -> None:
    """In a process of its own: descriptions are read only of documents that nobody has imported before."""
    done = subprocess.run([sys.executable, "-c", RENDERED], cwd=ROOT, capture_output=True, check=True)
    count, texts = json.loads(done.stdout)
    assert len(texts) == count > 30, "two documents share a name"
    found = {path.name: path.read_text() for path in PLACE.iterdir()}
    assert found.keys() == texts.keys(), "run `make docs`"
    assert not [name for name, text in texts.items() if found[name] != text], "run `make docs`"


def test_a_table_is_an_array_of_its_rows() -> None:
    outcome = json.loads((PLACE / "outcome.json").read_text())
    assert outcome["properties"]["seconds"]["items"] == {"$ref": "#/$defs/Second"}
    assert outcome["properties"]["latencies"]["items"] == {"$ref": "#/$defs/LatencyBucket"}
    assert set(outcome["$defs"]["LatencyBucket"]["properties"]) == {"op", "latency_ns", "count", "quantile"}


def test_a_key_has_the_meaning_that_its_definition_states() -> None:
    plan = json.loads((PLACE / "plan.json").read_text())
    rent = plan["$defs"]["Rent"]["properties"]
    assert rent["credits_least"]["description"] == "The smallest share over the log."
    assert "description" not in rent["provider"], "its name says enough"
