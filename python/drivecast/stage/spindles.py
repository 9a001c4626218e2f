"""Outstanding requests for each spindle, against the rule of one to two.

MODEL. A disk serves one request at a time; up to one more keeps it busy and lets it choose the nearer one.
An array of N disks therefore has at most 2 N requests outstanding for any length of time; more only wait.
That is the rule by which the Intel IT paper (Black and Chen, 2012) found its array to be the bottleneck:
255 outstanding on 8 disks, where 16 would do.

    depth per spindle = requests outstanding / N          (means over time; by the second, as the log has them)

"For any length of time" is taken as a minute without a break, or the whole busiest stretch in the mean. The
rule is for disks with heads; flash has dies for many more.
"""

from drivecast.document.outcome import Seconds
from drivecast.document.profile import Profile, Spindles

RULE = (1.0, 2.0)
EXTENDED_S = 60


def longest(seconds: Seconds, depth: float) -> int:
    """Return the most seconds in a row with more than `depth` requests outstanding."""
    best = run = 0
    for row in seconds:
        run = run + 1 if (row.get("queue_depth") or 0.0) > depth else 0
        best = max(best, run)
    return best


def measure(profile: Profile, count: int) -> Spindles:
    """Return the depth for each of `count` spindles: mean, at the peak, at most, and how it compares with the rule.

    A log without queue depth leaves them `None`.
    """
    seconds, window = profile.seconds, profile.peak_window
    depths = [depth for row in seconds if (depth := row.get("queue_depth")) is not None]

    def each(depth: float | None) -> float | None:
        return None if depth is None else depth / count

    above_s = longest(seconds, RULE[1] * count)
    peak = each(window.queue_depth_mean if window else None)
    is_above = above_s >= EXTENDED_S or (peak is not None and peak > RULE[1])
    return Spindles(
        count=count,
        queue_depth_mean=each(profile.queue_depth_mean),
        queue_depth_peak_window=peak,
        queue_depth_max_1s=each(max(depths, default=None)),
        rule=RULE,
        above_rule_fraction=sum(depth > RULE[1] * count for depth in depths) / len(depths)
        if depths
        else None,
        above_rule_longest_s=above_s if depths else None,
        verdict=None if not depths else "above" if is_above else "within",
    )
