"""Both WebAssembly modules with what a report carries, as its page and its workers have it; what they say of a plan."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from drivecast.document.plan import Plan
from drivecast.document.report_payload import ReportPayload
from needs import needs
from wasm_module import WasmModule


@contextmanager
def of_report(carried: ReportPayload, folder: Path) -> Iterator[WasmModule]:
    """They have the recording; the document is not opened yet."""
    needs("wasm")
    recording = folder / "recording"
    recording.write_bytes(carried.recording or b"")
    with WasmModule(needs("node"), recording) as module:
        yield module


def judged(module: WasmModule, carried: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """All designs under the plan's requirements, some of them changed."""
    return module.call("judge", settings=carried["requirements"] | changes)


def span(found: Any) -> dict[str, Any] | None:
    """An interval of a plan as the modules have it."""
    return found and {"low": found.low, "value": found.value, "high": found.high}


def assert_ranked_as(plan: Plan, found: dict[str, Any], carried: dict[str, Any]) -> None:
    """The order, the ties and the chances are those of the plan."""
    ranked = plan.ranked()
    assert [carried["designs"][place["index"]]["line"] for place in found["order"]] == [
        design.line for design in ranked
    ]
    assert [(place["tier"], place["chance_cheapest"], place["pareto"]) for place in found["order"]] == [
        (design.tier, design.chance_cheapest, design.pareto_optimal) for design in ranked
    ]
