"""Requirements that exclude each other, in words."""

from drivecast.document.plan import Plan
from drivecast.quantity import number

WORDS = {
    "budget": "the budget",
    "power": "the limit on power",
    "capacity": "the capacity",
    "p99_read": "the limit on p99 of reads",
    "p99_write": "the limit on p99 of writes",
    "headroom": "the headroom",
    "years": "the years in service",
    "drive_losses": "the drive failures tolerated",
    "data_loss": "the limit on data loss",
    "load": "the load at the measured peak",
    "backup": "the backup",
}
OPTIONS = {"backup": "--backup exclude", "load": ""}
"""How they are relaxed, where not by an option of their name."""


def conflict(plan: Plan) -> str:
    """Return which requirements no design meets together, and what to do; nothing where that is not known."""
    names = plan.conflict
    if not names:
        return ""
    words = [WORDS[name] for name in names]
    options = [option for name in names if (option := OPTIONS.get(name, f"--{name.replace('_', '-')}"))]
    tried = f" (`{'`, `'.join(options)}`)" if options else ""
    fits = "".join(
        f" Without {WORDS[each.requirement]}, {each.title} fits, at {number.money(each.cost, plan.currency)}."
        for each in plan.remedies
    )
    if len(words) == 1:
        return f"No design meets {words[0]}: relax it{tried}, or extend the catalog.{fits}"
    together = "both" if len(words) == 2 else "all of"
    return (
        f"No design meets {together} {', '.join(words[:-1])} and {words[-1]}: relax one of them{tried}.{fits}"
    )
