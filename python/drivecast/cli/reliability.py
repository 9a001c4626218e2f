"""`drivecast reliability`: the chance that a design loses data."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from drivecast.cli import complete
from drivecast.cli.group import takes
from drivecast.cli.log import reading as reading_of
from drivecast.cli.simulate import Design, Fill
from drivecast.cli.verb import CatalogPaths, Format, Out, OutputFormat, Quiet, Seed, emit, interruptible

if TYPE_CHECKING:
    from drivecast.stage.loss import Service
    from drivecast.stage.trace import Reading

PolicyName = Literal["one-age", "together", "staggered", "uneven"]
Replacement = Literal["copied", "rebuilt"]


@dataclass(frozen=True)
class Served:
    """How the drives are looked after, and for how long."""

    years: Annotated[str, typer.Option(help="Time in service, such as 5 or 30d.")] = "5"
    growth: Annotated[str | None, typer.Option(help="Growth of the writes, such as 20%/y.")] = None
    rebuild_hours: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=1e5,
            help="Time of a rebuild (default: simulated under the workload; without one, by capacity).",
        ),
    ] = None
    scrub_days: Annotated[float, typer.Option(min=0, max=3650, help="Time between scrubs; 0: none.")] = 30.0
    spares: Annotated[int, typer.Option(min=0, max=16, help="Hot spares of each group.")] = 0
    operator_hours: Annotated[
        float, typer.Option(min=0, max=1e5, help="From a failure until a new drive is put in.")
    ] = 72.0
    policy: Annotated[
        PolicyName, typer.Option(help="Drives of one age: keep them, or replace them at `--replace-at`.")
    ] = "one-age"
    replace_at: Annotated[
        float, typer.Option(min=0.05, max=10, help="Share of the rated cycles at which a policy replaces.")
    ] = 1.0
    replacement: Annotated[
        Replacement, typer.Option(help="At the limit, copy the old drive, or pull it and rebuild.")
    ] = "rebuilt"

    def service(self) -> "Service":
        """As the stage takes it; raises `InputError` for what is out of range."""
        from drivecast.errors import InputError
        from drivecast.quantity import parse as quantity
        from drivecast.stage.loss import Service

        served = quantity.option("--years", quantity.years, self.years) or 0.0
        if not 0 < served <= 100:
            raise InputError(f"--years: expected more than 0 and at most 100, found `{self.years}`")
        for name, value in (
            ("--rebuild-hours", self.rebuild_hours),
            ("--scrub-days", self.scrub_days),
            ("--operator-hours", self.operator_hours),
            ("--replace-at", self.replace_at),
            ("--growth", self.growth_per_year()),
        ):
            if value is not None and not math.isfinite(value):
                raise InputError(f"{name}: expected a number, found {value}")
        return Service(
            years=served,
            rebuild_h=self.rebuild_hours or 0.0,
            scrub_days=self.scrub_days or None,
            spares=self.spares,
            operator_h=self.operator_hours,
            policy=self.policy,
            limit=self.replace_at,
            replacement=self.replacement,
        )

    def growth_per_year(self) -> float:
        """Of the writes, as a share; raises `InputError` where nothing would be left of them."""
        from drivecast.errors import InputError
        from drivecast.quantity import parse as quantity

        grows = quantity.option("--growth", quantity.growth_per_year, self.growth) or 0.0
        if grows <= -1:
            raise InputError(
                f"--growth: expected more than -1 (writes cannot shrink by 100 %), found `{self.growth}`"
            )
        return grows


@takes(served=Served, reading=reading_of)
def reliability(
    design: Design,
    *,
    served: Served,
    workload: Annotated[
        str | None,
        typer.Option(
            "--workload",
            "-w",
            help="A trace, a model or a line: it wears, and slows rebuilds.",
            autocompletion=complete.models,
        ),
    ] = None,
    per_day: Annotated[
        str | None, typer.Option("--write-per-day", help="Host writes a day, such as 151GB.")
    ] = None,
    fill: Fill = 1.0,
    catalog: CatalogPaths = None,
    reading: "Reading",
    seed: Seed = 0,
    out: Out = None,
    output_format: Format = OutputFormat.TEXT,
    quiet: Quiet = False,
) -> None:
    """Probability that a design loses data, by Monte Carlo next to the closed form, with its assumptions.

    Drives fail by age and wear, sectors go bad and are scrubbed, rebuilds and people take their time.

    Example: `drivecast reliability 'raid5(8 * samsung-pm893-960gb)' --write-per-day 2TB --years 5 --spares 1`
    """
    from drivecast.catalog import load
    from drivecast.stage import reliability as stage
    from drivecast.stage.simulate import workload as open_workload

    service, grows = served.service(), served.growth_per_year()
    played = open_workload(workload, reading=reading) if workload else None
    question = stage.Question(design, service, played, per_day, grows, fill, seed)
    drives = load(catalog or [])
    result = interruptible(lambda: stage.answer(question, drives))
    from drivecast.present import simulated

    emit(result, output_format, text=lambda: simulated.reliability(result), out=out)
