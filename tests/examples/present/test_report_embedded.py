"""What a report carries so that it answers further questions, and that it carries nothing where it shall not."""

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import real_plan
from drivecast.document.plan import Plan
from drivecast.document.report_payload import ReportPayload
from drivecast.present import embedded, page

SCRIPT = "document.title = '</script><script>alert(1)'"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / embedded.SCRIPT).write_text(SCRIPT)
    (tmp_path / embedded.STYLE).write_text("#what-if { color: black }")
    (tmp_path / embedded.JUDGE).write_bytes(gzip.compress(b"judge"))
    (tmp_path / embedded.SIMULATOR).write_bytes(gzip.compress(b"simulator"))
    monkeypatch.setattr(embedded, "BUILT", tmp_path)
    return tmp_path


def carrying(carried: ReportPayload | None) -> Plan:
    return real_plan.plan().carrying(carried)


def part(html: str, name: str) -> bytes:
    found = re.search(rf'<script type="[\w/-]+" id="{name}">([^<]*)</script>', html)
    assert found
    return gzip.decompress(base64.b64decode(found[1]))


@pytest.mark.usefixtures("built")
def test_what_the_page_needs_is_in_the_file_and_only_its_script_may_run() -> None:
    carried = real_plan.carried()
    html = page.render(carrying(carried))
    assert json.loads(part(html, "what-if-carried")) == json.loads(carried.document)
    assert part(html, "what-if-recording") == carried.recording
    assert part(html, "what-if-judge") == b"judge"
    assert part(html, "what-if-simulator") == b"simulator"
    (script,) = re.findall(r'<script type="module">(.*?)</script>', html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy
    assert f"script-src &#39;sha256-{digest}&#39; &#39;wasm-unsafe-eval&#39;" in policy[1]
    assert "default-src &#39;none&#39;" in policy[1]
    assert html.count("</script>") == len(re.findall(r"<script type=", html)) == 5, "it cannot close itself"


@pytest.mark.usefixtures("built")
def test_a_report_that_only_ranks_carries_no_recording_and_nothing_that_plays_one() -> None:
    html = page.render(carrying(replace(real_plan.carried(), recording=None)))
    assert part(html, "what-if-judge") == b"judge"
    assert "what-if-recording" not in html
    assert "what-if-simulator" not in html


@pytest.mark.usefixtures("built")
def test_a_report_that_answers_nothing_has_no_script() -> None:
    html = page.render(carrying(None))
    assert "<script" not in html
    assert "what-if" not in html


def test_without_the_built_page_the_report_says_what_it_lacks(built: Path) -> None:
    assert embedded.lacking() is None
    (built / embedded.SIMULATOR).unlink()
    lack = embedded.lacking()
    assert lack is not None
    assert "simulator.wasm.gz" in lack
    assert "make web" in lack
    assert "<script" not in page.render(carrying(real_plan.carried()))


def test_what_is_carried_is_no_part_of_the_document() -> None:
    plan = carrying(real_plan.carried())
    assert plan.carried is not None
    assert plan.model_copy(update={"seed": 1}).carried == plan.carried
    assert "carried" not in plan.model_dump(mode="json", by_alias=True)
    assert "carried" not in json.dumps(Plan.model_json_schema())
