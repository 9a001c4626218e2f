"""Speed of the exporter: how long a scrape takes, and how long the bodies of a fleet take to make between scrapes.

A scrape is timed as Prometheus sees it, over HTTP on loopback with compression; its limit is a server that answers with
as many bytes from memory and nothing else, timed in the same run.
"""

import statistics
import threading
import time
from collections.abc import Callable
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import polars as pl

from drivecast.health import metrics
from drivecast.health.exporter import Exporter, Found
from drivecast.health.serve import Address, Server

DRIVES = 10_000
ROUNDS = 50
ACCEPT = {"Accept": "application/openmetrics-text; version=1.0.0", "Accept-Encoding": "gzip"}


def fleet(drives: int) -> pl.DataFrame:
    """Drives that tell every figure."""
    kinds = {"status": "ok", "passed": True, "time": datetime(2026, 11, 21, tzinfo=UTC)}
    columns = {metric.column: 1e12 / 7 for metric in metrics.DRIVE_METRICS} | kinds
    dates = [
        name
        for name in columns
        if name.endswith(("_low", "_high", "_end", "_at", "_seen")) and "per_day" not in name
    ]
    constant = (
        columns | dict.fromkeys(dates, date(2031, 1, 1)) | dict.fromkeys(metrics.INFO_LABELS, "some words")
    )
    return pl.select(pl.lit(value).alias(name) for name, value in constant.items()).join(
        pl.select(serial=pl.format("S3EVNX0K{}", pl.int_range(drives))), how="cross"
    )


def median_ms(ask: Callable[[], object]) -> float:
    """Median of many rounds."""
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        ask()
        took.append(1e3 * (time.perf_counter() - began))
    return statistics.median(took)


def main() -> None:
    """Measure, and print each figure with its method."""
    drives = fleet(DRIVES)
    exporter = Exporter(lambda: Found(drives), 300)
    with Server(Address("127.0.0.1", 0), exporter) as server, httpx.Client(timeout=120) as client:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://{server.address}/metrics"
        client.get(url, headers=ACCEPT)  # from now on this format is stored ready
        began = time.perf_counter()
        exporter.refresh()
        made_s = time.perf_counter() - began
        body, _ = exporter.body(ACCEPT["Accept"], zipped=True)
        scrape_ms = median_ms(
            lambda: client.send(client.build_request("GET", url, headers=ACCEPT), stream=True).read()
        )
        server.shutdown()

    class Plain(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Answer with the same bytes."""
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Plain) as limit, httpx.Client(timeout=120) as client:
        threading.Thread(target=limit.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{limit.server_address[1]}/"
        limit_ms = median_ms(lambda: client.get(url))
        limit.shutdown()
    how = f"{DRIVES:,} drives that tell everything"
    print(
        f"health serve, scrape: {scrape_ms:.1f} ms (median of {ROUNDS} over HTTP, OpenMetrics, gzip, {how})"
    )
    print(f"health serve, limit of a scrape: {limit_ms:.1f} ms (the same bytes from memory, same client)")
    print(f"health serve, bodies: {made_s:.2f} s (made once a look, between scrapes, {how})")
    print(f"health serve, body: {len(body) / 1e6:.2f} MB (gzip, {how})")


if __name__ == "__main__":
    main()
