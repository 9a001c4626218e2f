"""How smoothly the server's picture of requests follows the pointer.

Method: the page of a trace of 100,000 requests with all of them drawn, in Chromium on its processor alone; the
picture is dragged to and fro for 120 frames. Milliseconds between frames, of which a screen shows 16.7 at best.
"""

import statistics
import sys
import tempfile
from pathlib import Path
from shutil import which

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import browser as browsers
from served import serving
from small_traces import mixed, write

POINTS = 100_000
PAN = """async () => {
    const over = document.querySelectorAll('.u-over')[1]
    const box = over.getBoundingClientRect()
    const at = (kind, x) => over.dispatchEvent(new PointerEvent(kind, {
        clientX: box.left + x, clientY: box.top + 20, pointerId: 1, bubbles: true, button: 0, isPrimary: true }))
    over.setPointerCapture = () => undefined
    const frame = () => new Promise(requestAnimationFrame)
    at('pointerdown', box.width / 2)
    await frame()
    const times = []
    let before = performance.now()
    for (let step = 1; step <= 120; step++) {
        at('pointermove', box.width / 2 + 200 * Math.sin(step / 12))
        await frame()
        const now = performance.now()
        times.push(now - before)
        before = now
    }
    at('pointerup', box.width / 2)
    return times
}"""


def main() -> None:
    """Prints all figures."""
    chromium = which("chromium") or "chromium"  # Playwright names what is missing
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder, "data")) as server:
        trace = server.upload("long.blktrace", write(Path(folder), mixed(POINTS)).read_bytes())["id"]
        server.ended(f"/traces/{trace}")
        url = f"http://127.0.0.1:{server.port}/#/traces/{trace}"
        with browsers.running(chromium) as browser, browsers.opened(browser, url) as page:
            page.locator(".heat canvas").wait_for()
            with page.expect_response(lambda response: f"points={POINTS}" in response.url):
                page.get_by_label("Points").select_option(str(POINTS))
            page.get_by_role("button", name="Zoom in").click()
            frames = statistics.quantiles(page.evaluate(PAN), n=20)
    print(f"ms a frame: median {frames[9]:.1f}, p95 {frames[18]:.1f}")


if __name__ == "__main__":
    main()
