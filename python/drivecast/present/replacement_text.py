"""Whether a design replaces another, in words. Nothing is judged here: verdicts are the document's."""

from drivecast.document.plan import CacheSide
from drivecast.document.versus import Contender, Reached, Replacement, Run, Versus
from drivecast.present import answer
from drivecast.quantity import number


def brief(design: Contender) -> str:
    """Return a design as it is spoken of: `RAID 5 of 4 × Samsung PM9A3 1.92 TB`."""
    part = design.cached
    if part is not None and part.fast is not None and part.slow is not None:
        return f"{_array(part.slow)} with a cache of {_array(part.fast)}"
    return _array(design)


def _array(of: Contender | CacheSide) -> str:
    title, level = of.drive_title or "", of.level or "single"
    return title if level == "single" else f"RAID {level.removeprefix('raid')} of {of.count} × {title}"


def load(found: Versus, at: float) -> str:
    """Return a load: `10×`, `depth 32`."""
    return f"{at:g}×" if found.by == "speedup" else f"depth {at:g}"


def title(found: Versus, each: Replacement) -> str:
    """Return whether the first design can replace another, and what speaks against it."""
    design, other = found.contender(each.design), found.contender(each.other)
    if not each.holds and not each.undecided:
        healthy = any(reached.condition == "healthy" and reached.at is not None for reached in each.reached)
        only = " once a drive has failed" if healthy else ""
        return f"{brief(design)} cannot replace {brief(other)}{only}{_turned(found, each)}"
    against = _against(found, design, other)
    if each.undecided:
        pair = f"{brief(design)} can replace {brief(other)}"
        doubt = f"Cannot tell whether {pair}: its p99 is longer, but the intervals overlap"
        return doubt + (f"; {brief(design)} {_listed(against)}" if against else "")
    is_clear = found.by == "iodepth" or all(reached.clear_at is not None for reached in each.reached)
    can = "can" if is_clear else "can probably"
    return f"{brief(design)} {can} replace {brief(other)}" + (f", but {_listed(against)}" if against else "")


def _turned(found: Versus, each: Replacement) -> str:
    """Return whether the other can replace the first instead."""
    turned = next((back for back in found.reverse if back.design == each.other), None)
    if turned is None or not turned.holds:
        return ""
    design, other = found.contender(each.design), found.contender(each.other)
    against = _against(found, other, design)
    return f"; {brief(other)} can replace it" + (f", but {_listed(against)}" if against else "")


def _against(found: Versus, design: Contender, other: Contender) -> list[str]:
    """Return in what the first is worse."""
    loss, its = (side.data_loss.value if side.data_loss else None for side in (design, other))
    life = design.life_years.value if design.life_years else None
    worse = {
        "loses data more often": loss is not None and its is not None and _is_more_often(loss, its),
        "tolerates fewer failures": design.failures_tolerated < other.failures_tolerated,
        "costs more": design.cost.total > other.cost.total,
        f"wears out within {found.years:g} years": life is not None and life < found.years,
        "holds less than is needed": design.usable_bytes < (found.capacity_bytes or 0),
    }
    return [text for text, is_worse in worse.items() if is_worse]


def _is_more_often(loss: float, its: float) -> bool:
    """Whether a chance of losing data is larger than another as far as it is shown: nobody chooses by less."""
    return loss > its and number.probability(loss) != number.probability(its)


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def sentences(found: Versus, each: Replacement) -> list[str]:
    """Return what the first design takes, how often it loses data and what it costs, against another."""
    said = []
    for first in each.reached[:1]:
        said.append(_closed(found, each) if found.by == "iodepth" else f"It {_carries(found, each, first)}.")
    states = "; ".join(
        f"{reached.condition}, {_briefly(found, each, reached)}" for reached in each.reached[1:]
    )
    if states and found.by == "speedup":
        said.append(f"With a drive failed in both, measured in the same way: {states}.")
    for line in (each.design, each.other):
        if found.contender(line).failures_tolerated == 0 and found.conditions != ["healthy"]:
            said.append(f"{brief(found.contender(line))} loses {_lost(found.contender(line))}.")
    return [*said, _worth(found, each)]


def _lost(design: Contender) -> str:
    """Return what goes with the first drive that fails."""
    slow = design.cached.slow if design.cached else None
    if slow is not None and slow.level not in ("single", "raid0"):
        return "what is not cleaned yet with the first drive of its cache that fails"
    return "its data with the first drive that fails"


def _carries(found: Versus, each: Replacement, reached: Reached) -> str:
    """Return what it carries at latencies no longer than those of the other at the least load."""
    least = found.at[0]
    today = found.run(each.other, reached.condition, least)
    run = found.run(each.design, reached.condition, reached.at or least)
    state = "" if reached.condition == "healthy" else f", {reached.condition}"
    if reached.at is None and run is not None and not run.keeps_up:
        return f"falls behind at {_times(least)}{state}"
    if reached.at is None:
        doubt = "; the intervals overlap, so a drive that is measured decides" if reached.undecided else ""
        return f"has a longer p99 at {_times(least)}{state}: {_p99s(run, today)}{doubt}"
    most = ", the most that was tried," if reached.at == found.at[-1] > least else ""
    its = "the other's" if len(found.designs) == 2 else f"that of {brief(found.contender(each.other))}"
    at = f" at {load(found, least)}" if reached.at > least else ""
    behind = ", which falls behind" if today is not None and not today.keeps_up else ""
    doubt = ""
    if reached.clear_at is None:
        doubt = "; the intervals overlap"
    elif reached.clear_at < reached.at:
        doubt = f"; up to {load(found, reached.clear_at)} the intervals do not overlap"
    text = f"carries {_times(reached.at)}{state}{most} at a p99 no longer than {its}{at}{behind}"
    return f"{text}: {_p99s(run, today)}{doubt}"


def _times(at: float) -> str:
    return "this load" if at == 1 else f"{at:g} times this load"


def _p99s(run: Run | None, today: Run | None) -> str:
    """Return both p99s of reads and of writes."""
    parts = []
    for op in ("read", "write"):
        mine, its = (getattr(each, f"{op}_p99_ns") if each is not None else None for each in (run, today))
        if mine is not None and its is not None:
            parts.append(f"{op}s {number.latency(mine.value)} against {number.latency(its.value)}")
    return ", ".join(parts)


def _briefly(found: Versus, each: Replacement, reached: Reached) -> str:
    if reached.at is None:
        least, state = found.at[0], reached.condition
        run, today = (found.run(line, state, least) for line in (each.design, each.other))
        if run is None or not run.keeps_up:
            return f"falls behind at {load(found, least)}"
        doubt = " (intervals overlap)" if reached.undecided else ""
        times = next(
            (of.times for of in found.contender(each.design).headroom if of.condition == state), None
        )
        still = f", headroom {number.headroom(times)}" if times is not None else ""
        return f"a longer p99 at {load(found, least)}: {_p99s(run, today)}{doubt}{still}"
    text = load(found, reached.at)
    if reached.clear_at == reached.at:
        return text
    return (
        f"{text} ({load(found, reached.clear_at)} without overlap)"
        if reached.clear_at
        else f"{text} (intervals overlap)"
    )


def _closed(found: Versus, each: Replacement) -> str:
    """Return how many times the requests it serves in a closed loop."""
    more = " or more" if len(found.at) > 1 else ""
    depths = "at every depth" if more else f"at {load(found, found.at[0])}"
    its = "the other" if len(found.designs) == 2 else brief(found.contender(each.other))
    parts = [f"{reached.condition} {number.multiple(reached.iops_ratio)}{more}" for reached in each.reached]
    return f"Of the IOPS of {its} it serves, {depths}: {', '.join(parts)}."


def _worth(found: Versus, each: Replacement) -> str:
    design, other = found.contender(each.design), found.contender(each.other)
    losses = [side.data_loss.value if side.data_loss else None for side in (design, other)]
    chances = " against ".join(number.probability(loss) for loss in losses)
    costs = " against ".join(
        answer.money_span(side.cost.span, side.cost.currency) for side in (design, other)
    )
    return f"Over {found.years:g} years it loses data with a chance of {chances}, and costs {costs}."
