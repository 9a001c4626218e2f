"""What the simulator computes is the same on every machine: functions that platforms round differently stay out.

`crates/block/src/math.rs` has them; adding, multiplying, square roots and rounding are exact anywhere.
"""

import re
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    "line", ["a.ln()", "(-x).exp()", "2f64.powi(63)", "x.map(f64::exp_m1)", "x.log(2.0)", "f32::sin(x)"]
)
def test_such_a_function_is_found(line: str) -> None:
    assert OF_THE_PLATFORM.search(line)


@pytest.mark.parametrize(
    "line", ["math::ln(a)", "a.sqrt()", "spec.log(count, least)", "array.log().cloned()", "x.expect(2)"]
)
def test_what_is_exact_may_stay(line: str) -> None:
    assert not OF_THE_PLATFORM.search(line)
