"""What the simulator computes is the same on every machine: functions that platforms round differently stay out.

`crates/block/src/math.rs` has them; adding, multiplying, square roots and rounding are exact anywhere.
"""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
CRATES = ("assess", "block", "sim", "web", "workload")
NAMES = (
    "acos acosh asin asinh atan atan2 atanh cbrt cos cosh exp exp2 exp_m1 gamma hypot ln ln_1p ln_gamma log10 log2"
    " powf powi sin sin_cos sinh tan tanh"
).replace(" ", "|")
OF_THE_PLATFORM = re.compile(rf"\.(?:{NAMES})\(|\.log\([^(),]+\)|\bf(?:32|64)::(?:{NAMES}|log)\b")


def sources() -> list[Path]:
    return [path for crate in CRATES for path in (ROOT / "crates" / crate / "src").rglob("*.rs")]


def test_no_function_is_of_the_platform() -> None:
    assert len(sources()) > 100, "the finder finds nothing"
    assert not [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if OF_THE_PLATFORM.search(line)
    ]
