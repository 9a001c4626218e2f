"""Figures in lines of text, as programs print them at their end."""

import re

from drivecast.document.outcome import Latency, Outcome, Stream


def figure(text: str, pattern: str) -> float | None:
    """The number that a pattern captures first; none where it does not occur, or the text is cut off behind a digit."""
    found = re.search(pattern.replace(")", r")(?![\d.]|\Z)", 1), text, re.MULTILINE | re.IGNORECASE)
    return float(found[1]) if found else None


def needed(text: str, pattern: str, what: str) -> float:
    """The same. Raises `ValueError` that names what is missing."""
    value = figure(text, pattern)
    if value is None:
        raise ValueError(f"expected {what}, found none")
    return value


def outcome(
    target: str,
    duration_s: float,
    ios: dict[str, float],
    moved: dict[str, float],
    latency: dict[str, dict[str, float]],
) -> Outcome:
    """An outcome of counts, bytes and latencies (ns, by quantile) of reads and writes."""
    whole = sum(ios.values())

    def side(op: str) -> Stream:
        times = latency.get(op)
        return Stream(
            requests=round(ios[op]),
            iops=ios[op] / duration_s,
            latency_ns=Latency.model_validate(times) if times and ios[op] else None,
        )

    means = [(latency.get(op) or {}).get("mean") for op in ("read", "write") if ios[op]]
    waited = [ios[op] * (latency.get(op) or {}).get("mean", 0.0) for op in ("read", "write")]
    known = all(mean is not None for mean in means)
    return Outcome(
        design=target, seed=0, requests=round(whole), duration_s=duration_s, iops=whole / duration_s,
        throughput_bytes_per_s=sum(moved.values()) / duration_s, read=side("read"), write=side("write"), flush=Stream(),
        queue_depth_mean=sum(waited) / 1e9 / duration_s if known else None, saturated=False,
        generated=round(whole), completed=round(whole), host_read_bytes=round(moved["read"]),
        host_written_bytes=round(moved["write"]),
    )  # fmt: skip
