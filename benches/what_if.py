"""How long a question to a report takes: from a change to its answer, and until a design is tried out.

Method: the report of the bundled recording, whole catalog. In Chromium the growth is set 40 times, as by typing; each
takes from the event to the frame after the answer changed. In Node, whose engine is that of Chromium, the module of
one worker tries out 20 designs after another, those of the plan that fit and then those that it never tried, cheapest
first: until it is known whether each fits (the peak, the required load, all of the log, wear: what the page shows
first), then how far those that fit reach (the search for headroom, the peak at both ends of flash times). So it is
with 20 designs of a cache before disks, five arrays of disks, each behind four shares of two flash drives, in a module
of its own that has met none: on a log of 12,000 requests of which all hit the cache, where designs fit, and on the
bundled recording, where none does. Their first answer comes without how the flash wears, where that is not known yet,
and ends where a limit is certain to be missed; what else there is of such a design is a second answer.
Heap: Chromium's, before and after 200 changes.
"""

import gzip
import json
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import cached_plan  # noqa: E402
import made_once  # noqa: E402
from drivecast.document.plan import Plan  # noqa: E402
from drivecast.document.report_payload import ReportPayload  # noqa: E402
from drivecast.plan import search  # noqa: E402
from drivecast.plan.candidate import Options  # noqa: E402
from drivecast.plan.requirement import Given  # noqa: E402
from drivecast.present import embedded, page  # noqa: E402
from wasm_module import WasmModule  # noqa: E402

RECORDING = ROOT / "examples/mariadb-oltp/mariadb-oltp.blktrace"
CHANGES, TRIED, MANY = 40, 20, 200
DISK, CACHE = "seagate-exos-15e900-600gb", "kingston-dc600m-480gb"
ASK = """async (count) => {
  const label = [...document.querySelectorAll('#what-if label')].find(each => each.textContent === 'Growth')
  const field = document.getElementById(label.htmlFor)
  const answer = document.querySelector('.wi-answer')
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const times = []
  for (let at = 0; at < count; at++) {
    const changed = new Promise(done => {
      const watch = new MutationObserver(() => { watch.disconnect(); requestAnimationFrame(done) })
      watch.observe(answer, { childList: true, subtree: true, characterData: true })
    })
    const began = performance.now()
    set.call(field, String(5 + (at % 2) * 10 + at / 10))
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await changed
    times.push(performance.now() - began)
    await new Promise(done => setTimeout(done, 20))
  }
  return times
}"""
HEAP = "() => { gc(); return performance.memory.usedJSHeapSize }"


def said(name: str, times_ms: list[float]) -> None:
    """Prints the median and the quantiles."""
    if len(times_ms) < 10:
        print(
            f"{name}: median {statistics.median(times_ms):.0f} ms, most {max(times_ms):.0f}, of {len(times_ms)}"
        )
        return
    tenths = statistics.quantiles(times_ms, n=10)
    print(
        f"{name}: median {statistics.median(times_ms):.0f} ms, p10 {tenths[0]:.0f}, p90 {tenths[8]:.0f},"
        f" most {max(times_ms):.0f}, of {len(times_ms)}"
    )


def asked(report: Path, chromium: str) -> None:
    """Prints what changes take in the browser."""
    options = ["--no-sandbox", "--js-flags=--expose-gc", "--enable-precise-memory-info"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        shown = browser.new_page(viewport={"width": 1440, "height": 900})
        shown.goto(report.as_uri())
        shown.wait_for_selector(".wi-answer")
        shown.wait_for_function("() => !document.querySelector('#what-if progress')", timeout=600_000)
        said("change to answer", shown.evaluate(ASK, CHANGES))
        before = shown.evaluate(HEAP)
        shown.evaluate(ASK, MANY)
        print(f"heap: {before / 1e6:.1f} MB, after {MANY} changes {shown.evaluate(HEAP) / 1e6:.1f} MB")
        browser.close()


def tried(plan: Plan, node: str, folder: Path) -> None:
    """Prints what try-outs take, one after another."""
    carried = plan.carried
    if carried is None or carried.recording is None:
        raise TypeError("a plan of a recording carries it")
    document: dict[str, Any] = json.loads(carried.document)
    recording = folder / "recording"
    recording.write_bytes(carried.recording)
    settings = document["requirements"]
    with WasmModule(node, recording) as module:
        module.call("open", carried=document)
        judged = module.call("judge", settings=settings)
        said("judge all designs", [timed_judge(module, settings, at) for at in range(CHANGES)])
        first = [place["index"] for place in judged["order"]]
        open_ = [each["index"] for each in judged["designs"] if each["state"] == "unknown"]
        decided, refined = [], []
        for index in [*first, *open_][:TRIED]:
            tried = module.call("try_out", index=index, settings=settings)
            decided.append(module.ms)
            if tried["fits"]:
                module.call("refine", tried=tried, settings=settings)
                refined.append(module.ms)
        said("design tried out", decided)
        said("headroom and intervals of one that fits", refined)
        print(f"memory of a worker: {module.memory_bytes >> 20} MiB")
    tried_cached(
        "cached design on the bundled recording", carried, cached_designs(DISK, "raid10"), node, folder
    )


def cached_designs(disk: str, level: str) -> Iterator[dict[str, Any]]:
    """Arrays of disks, each behind caches that differ."""
    shape = {"level": "raid1", "count": 2, "groups": 1, "spares": 0}
    policy = {"policy": "flashcache", "mode": "writeback", "options": "", "size_bytes": None}
    for count in (4, 6, 8, 10, 12):
        groups = count // 2 if level == "raid10" else 1
        disks = {
            "drive": disk,
            "level": level,
            "count": count,
            "groups": groups,
            "spares": 0,
            "partition": 1.0,
        }
        for partition in (0.9, 0.7, 0.6, 0.5):
            yield disks | {"cached": {"cache": {"drive": CACHE, **shape, "partition": partition}, **policy}}


def tried_cached(
    name: str, carried: ReportPayload, designs: Iterable[dict[str, Any]], node: str, folder: Path
) -> None:
    """Prints what try-outs of cached designs take, one after another."""
    document: dict[str, Any] = json.loads(carried.document)
    settings = document["requirements"]
    recording = folder / "cached"
    recording.write_bytes(carried.recording or b"")
    with WasmModule(node, recording) as module:
        module.call("open", carried=document)
        decided, known, worn, missed = [], [], [], []
        for design in designs:
            tried = module.call("try_out", design=design, settings=settings)
            decided.append(module.ms)
            if tried["fits"]:
                is_known = tried["cached"]["seen"]["wear"] is not None
                module.call("refine", tried=tried, settings=settings)
                (known if is_known else worn).append(module.ms)
            elif tried["more"]:
                module.call("refine", tried=tried, settings=settings)
                missed.append(module.ms)
        said(name, decided)
        for which, times in (("its wear known", known), ("its wear worked out", worn)):
            if len(times) > 1:
                said(f"... headroom and intervals where it fits, {which}", times)
        if missed:
            said("... all else where it misses", missed)
        print(f"memory of a worker: {module.memory_bytes >> 20} MiB")


def small_cached(node: str, folder: Path) -> None:
    """Prints the same of a plan in which a cache wins."""
    made_once.Shared.folder = folder
    designs = cached_designs(cached_plan.DISK, "raid6")
    tried_cached("cached design on a small log", cached_plan.carried(), designs, node, folder)


def timed_judge(module: WasmModule, settings: dict[str, Any], at: int) -> float:
    """Milliseconds of judging all designs."""
    module.call("judge", settings=settings | {"growth_per_year": 0.1 + at / 1000})
    return module.ms


def main() -> None:
    """Prints all figures."""
    node, chromium = which("node"), which("chromium")
    lacks = embedded.lacking()
    if node is None or chromium is None or lacks:
        print(lacks or "missing: node or chromium", file=sys.stderr)
        raise SystemExit(1)
    for name in (embedded.SCRIPT, embedded.STYLE):
        content = (embedded.BUILT / name).read_bytes()
        print(
            f"{name}: {len(content) / 1e3:.0f} kB, {len(gzip.compress(content, 9)) / 1e3:.0f} kB compressed"
        )
    for name in (embedded.JUDGE, embedded.SIMULATOR):
        print(f"{name}: {(embedded.BUILT / name).stat().st_size / 1e3:.0f} kB")
    options = Options(what_if="simulate")
    plan = search.plan([RECORDING], Given(years=5.0), options, lambda _share, _what: None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = folder / "report.html"
        report.write_text(page.render(plan), encoding="utf-8")
        print(f"report: {report.stat().st_size / 1e6:.1f} MB")
        asked(report, chromium)
        tried(plan, node, folder)
        small_cached(node, folder)


if __name__ == "__main__":
    main()
