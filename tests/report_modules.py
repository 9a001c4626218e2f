"""Both WebAssembly modules with what a report carries, as its page and its workers have it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from drivecast.document.carried import Carried
from needs import needs
from wasm_module import WasmModule


@contextmanager
def of_report(carried: Carried, folder: Path) -> Iterator[WasmModule]:
    """They have the recording; the document is not opened yet."""
    needs("wasm")
    recording = folder / "recording"
    recording.write_bytes(carried.recording or b"")
    with WasmModule(needs("node"), recording) as module:
        yield module
