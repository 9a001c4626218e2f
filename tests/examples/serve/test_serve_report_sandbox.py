"""A report in a browser: its scripts run, and reach nothing of the server that shows it."""

import json
import subprocess
from pathlib import Path

from served import planted, serving
from waiting import until

PAGE = '<!doctype html><title>ours</title><body><script src="/page.js"></script></body>'
FRAMES = """
const plan = '/api/v1/plans/' + location.search.slice(1)
const frame = document.createElement('iframe')
window.onmessage = heard => fetch(plan, {
  method: 'PATCH',
  headers: {'Content-Type': 'application/json', 'If-Match': '"1"'},
  body: JSON.stringify({notes: JSON.stringify({...heard.data, origin: heard.origin})}),
})
frame.src = plan + '/report'
document.body.append(frame)
"""
"""The page, which shows a report and writes down what that found: in the notes, which a page of ours may write."""
TRIES = """
<!doctype html><title>report</title><script type="module">
const module = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])
const worker = `onmessage = async heard => {
  postMessage(await WebAssembly.compile(heard.data).then(() => 'runs', error => String(error)))
}`
async function tried(what) {
  try { return String(await what()) } catch (error) { return 'refused' }
}
function inWorker() {
  return new Promise((resolve, reject) => {
    const made = new Worker(URL.createObjectURL(new Blob([worker], {type: 'text/javascript'})))
    made.onmessage = heard => resolve(heard.data)
    made.onerror = reject
    made.postMessage(module)
  })
}
parent.postMessage({
  module: await tried(() => WebAssembly.compile(module).then(() => 'runs')),
  worker: await tried(inWorker),
  api: await tried(() => fetch('/api/v1/plans').then(answer => answer.status)),
  image: await tried(() => new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve('loaded')
    image.onerror = reject
    image.src = '/api/v1/about'
  })),
  storage: await tried(() => localStorage.length),
  cookie: await tried(() => document.cookie),
  page: await tried(() => parent.document.title),
}, '*')
</script>
"""
"""A report that tries everything."""


def test_a_report_runs_and_reaches_nothing(chromium: str, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.html").write_text(PAGE)
    (pages / "page.js").write_text(FRAMES)
    plan = planted(tmp_path / "data", report=TRIES)
    with serving(tmp_path / "data", pages=str(pages)) as server:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
        profile = f"--user-data-dir={tmp_path / 'browser'}"
        command = [chromium, *options, profile, f"http://127.0.0.1:{server.port}/?{plan}"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as browser:
            try:
                until(lambda: server.ask("GET", f"/plans/{plan}")["notes"], "the report has tried everything")
            finally:
                browser.terminate()
        found = json.loads(server.ask("GET", f"/plans/{plan}")["notes"])
    assert found == {
        "module": "runs",
        "worker": "runs",
        **dict.fromkeys(("api", "image", "storage", "cookie", "page"), "refused"),
        "origin": "null",
    }
