"""A run and a wear run as text for the terminal."""

from typing import Any

from drivecast.report import number

QUANTILES = ("mean", "q0.5", "q0.9", "q0.95", "q0.99", "q0.999", "q0.9999", "max")


def text(outcome: dict[str, Any]) -> str:
    """Describe an outcome in a few lines: load, quantiles of each operation, state."""
    amplification = outcome["write_amplification"]
    facts = [
        f"{number.iops(outcome['iops'])}, {number.throughput(outcome['throughput_bytes_per_s'])}",
        f"depth {number.significant(outcome['queue_depth_mean'])}",
        f"busy {number.percent(outcome['utilization'])}",
    ]
    if amplification is not None:
        facts.append(f"write amplification {amplification:.2f}")
    if outcome["saturated"]:
        facts.append("SATURATED: requests arrive faster than they are served")
    lines = [
        outcome["design"],
        " · ".join(facts),
        "",
        _row("", [name.replace("q0.", "p") for name in QUANTILES]),
    ]
    for op in ("read", "write", "flush"):
        latency = (outcome.get(op) or {}).get("latency_ns")
        if latency:
            lines.append(_row(op, [number.latency(latency[name]) for name in QUANTILES]))
    return "\n".join(lines)


def _row(head: str, cells: list[str]) -> str:
    return f"{head:<8}" + "".join(f"{cell:>11}" for cell in cells)


def wear_text(wear: dict[str, Any]) -> str:
    """Describe a wear run in a few lines: amplification, cycles, life."""
    low, high = wear["write_amplification_low"], wear["write_amplification_high"]
    lines = [
        wear["design"],
        f"write amplification {wear['write_amplification']:.3f} ({low:.3f} to {high:.3f})"
        + ("" if wear["steady"] else ", NOT steady yet"),
    ]
    if wear["parity_factor"] != 1:
        lines.append(f"the array writes {wear['parity_factor']:.2f} bytes for each of the host's")
    if wear.get("life_years_media") is not None:
        span = number.span(number.years, wear["life_years_media_low"], wear["life_years_media_high"])
        lines.append(f"flash lasts {number.years(wear['life_years_media'])} {span}".rstrip())
    if wear.get("life_years_warranty") is not None:
        lines.append(f"rated writes last {number.years(wear['life_years_warranty'])}")
    if wear.get("dwpd_used") is not None:
        rated = f" of {wear['dwpd_rated']:.2g} rated" if wear["dwpd_rated"] is not None else ""
        lines.append(f"{wear['dwpd_used']:.3g} drive writes a day{rated}")
    if wear.get("write_bytes_per_day") is None:
        lines.append("hint: `--write-per-day 151GB` gives years")
    elif wear.get("life_years_media") is None:
        lines.append("hint: a drive of the catalog has rated cycles, and so a life in years")
    return "\n".join(lines)
