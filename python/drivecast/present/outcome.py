"""An outcome, and the wear of a design, as text for the terminal.

Both are printed as a heading and a small table; what a run cannot tell is left out.
"""

import textwrap
from datetime import date

from drivecast.document.outcome import Credits, Latency, Outcome, Stream
from drivecast.document.wear import Wear
from drivecast.present import terminal
from drivecast.quantity import number

EMPTY = 0.005
"""Share of credits below which they are used up."""
HEADS = ("IOPS", "mean", "median", "p90", "p99", "p99.9", "p99.99", "longest")


def text(outcome: Outcome) -> str:
    """Return a run in lines: what it carried, then the latencies of each kind of request, in ms."""
    lines = [terminal.clean(outcome.design), f"  {', '.join(_carried(outcome))}"]
    if outcome.saturated:
        lines.append("  saturated: it cannot keep up, so latencies grow with the length of the run")
    if outcome.credits:
        lines.append(f"  {_credits(outcome.credits)}")
    lines += ["", f"  {'':<8}" + "".join(f"{head:>10}" for head in HEADS)]
    for name, stream in (("read", outcome.read), ("write", outcome.write), ("flush", outcome.flush)):
        if stream and stream.requests and stream.latency_ns:
            lines.append(
                f"  {name:<8}" + "".join(f"{cell:>10}" for cell in _cells(stream, stream.latency_ns))
            )
    return terminal.joined([*lines, "", "  latencies in ms"])


def _credits(found: Credits) -> str:
    """Say whether what was seen is a burst, and how much of it is left."""
    if found.lasts_s is None:
        return f"a volume's credits: {found.left:.0%} at the end, and not falling"
    left = f"a volume's credits: {found.left:.0%} at the end"
    if found.left < EMPTY:
        return f"{left}: the burst is over, and what follows goes at the rate that lasts"
    return f"{left}, falling: at this rate the burst is over in {found.lasts_s / 60:,.1f} min"


def wear_text(wear: Wear) -> str:
    """Return the wear of a design in lines, and its life where the daily writes are known."""
    amplification = number.significant(wear.write_amplification, 4)
    bounds = number.span(number.significant, wear.write_amplification_low, wear.write_amplification_high)
    rows = [
        ("write amplification", f"{amplification} ({bounds})" if bounds != number.ABSENT else amplification),
        ("erasures of a block, so far", _erasures(wear)),
        ("P/E cycles a day", number.significant(wear.pe_cycles_per_day, 2)),
        ("until flash is worn out", _between(wear.life_years_media_low, wear.life_years_media_high)),
        ("until rated writes are used", number.years(wear.life_years_warranty)),
        ("warranty ends", str(wear.warranty_end or number.ABSENT)),
        ("flash ends", _dates(wear.media_end_low, wear.media_end_high)),
        (f"data keep, after {wear.years:g} years", _kept(wear)),
        ("drive writes a day", number.significant(wear.dwpd_used, 2)),
        ("rated", number.significant(wear.dwpd_rated, 2)),
    ]
    lines = [f"  {name:<28}{figure}" for name, figure in rows if figure != number.ABSENT]
    note = [] if wear.steady else ["  not steady yet: the write amplification may still grow"]
    return terminal.joined([terminal.clean(wear.design), *lines, *note])


def steps_text(wear: Wear) -> str:
    """Return the ten steps from host writes to the two ends of life: figure, arithmetic, how it is known."""
    lines = [terminal.clean(wear.design), ""]
    for one in wear.steps or ():
        bounds = number.span(number.significant, one.low, one.high)
        value = number.significant(one.value)
        figure = f"{value} {one.unit}" + (f" ({bounds})" if bounds not in (number.ABSENT, value) else "")
        lines.append(f"{one.step:>3}  {one.name:<36}{figure}  [{one.provenance}]")
        words = [one.arithmetic, f"from: {one.source}"]
        if one.date:
            until = _dates(one.date_low, one.date_high)
            words.insert(0, f"{one.date}" + (f" ({until})" if until != str(one.date) else ""))
        for word in words:
            lines += textwrap.wrap(
                terminal.clean(word), terminal.WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 7
            )
    return terminal.joined(lines)


def _dates(low: date | None, high: date | None) -> str:
    """Return the days between which something ends."""
    if low is None:
        return number.ABSENT
    if high is None:
        return f"not before {low}"
    return str(low) if low == high else f"{low} to {high}"


def _kept(wear: Wear) -> str:
    """Return how long data keep without power."""
    return number.span(number.months, wear.retention_months_low, wear.retention_months_high)


def _erasures(wear: Wear) -> str:
    """Mean over the blocks, between the least and the most, with the standard deviation."""
    mean, deviation = (
        number.significant(value, 3) for value in (wear.erase_count_mean, wear.erase_count_deviation)
    )
    return f"{mean} ({wear.erase_count_min}-{wear.erase_count_max}, standard deviation {deviation})"


def _carried(outcome: Outcome) -> list[str]:
    parts = [
        f"{number.iops(outcome.iops)} IOPS",
        number.throughput(outcome.throughput_bytes_per_s),
        f"busy {number.percent(outcome.utilization)}",
        f"depth {number.significant(outcome.queue_depth_mean, 2)}",
        f"write amplification {number.significant(outcome.write_amplification)}",
    ]
    return [part for part in parts if number.ABSENT not in part]


def _cells(stream: Stream, latency: Latency) -> list[str]:
    quantiles = (
        latency.mean,
        latency.q50,
        latency.q90,
        latency.q99,
        latency.q999,
        latency.q9999,
        latency.max,
    )
    return [number.iops(stream.iops), *(number.milliseconds(value) for value in quantiles)]


def _between(low: float | None, high: float | None) -> str:
    return number.span(number.years, low, high)
