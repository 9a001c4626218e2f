"""`drivecast catalog check --simulate` and `catalog fit`: drives against their data sheets."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from drivecast.cli.verb import OutputFormat, interruptible, print_csv, print_json, print_lines, progress
from drivecast.errors import NoAnswer

if TYPE_CHECKING:
    from drivecast.calibration.sheet_check import Result


def row(result: "Result") -> dict[str, Any]:
    """A result as one row of JSON or CSV."""
    test = result.test
    return {
        "drive": test.drive,
        "test": test.name,
        "key": test.key,
        "unit": test.unit,
        "stated": test.stated,
        "provenance": test.provenance.value,
        "simulated": float(f"{result.simulated:.6g}"),
        "ratio": round(result.ratio, 4),
        "verdict": result.verdict,
        "reason": test.unmet,
    }


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _print_drive(results: list["Result"], title: str) -> None:
    from rich.text import Text

    print_lines(Text(f"{results[0].test.drive}  ({title})", style="bold"))
    for result in results:
        test = result.test
        flag = "" if result.verdict == "within" else f"  {result.verdict}"
        line = (
            f"  {test.name:<46}{_figure(test.stated):>10} {test.unit:<5}{test.provenance.value:<10}"
            f"{_figure(result.simulated):>10}{result.ratio:>7.2f}{flag}"
        )
        print_lines(Text(line, style="red" if result.verdict == "beyond" else ""))
        if result.verdict == "excused":
            print_lines(Text(f"    {test.unmet}", style="dim"))


def hold_to_sheets(names: list[str], catalog: list[Path], output_format: OutputFormat) -> None:
    """Run the drives through their sheets' tests and print stated, simulated and ratio.

    Raises `NoAnswer` where one is beyond the tolerance.
    """
    from drivecast.calibration import sheet_check as sheet_test
    from drivecast.catalog import load

    found = load(catalog)
    wanted = names or list(found.drives)
    with progress("simulating") as update:
        results = interruptible(lambda: sheet_test.hold(found, wanted, update))
    counts = {
        verdict: sum(r.verdict == verdict for r in results) for verdict in ("within", "beyond", "excused")
    }
    match output_format:
        case OutputFormat.JSON:
            tolerance = sheet_test.TOLERANCE
            rows = [row(result) for result in results]
            print_json({"schema_version": 1, "tolerance": tolerance, "counts": counts, "tests": rows})
        case OutputFormat.CSV:
            print_csv([row(result) for result in results])
        case OutputFormat.TEXT:
            heads = ("test", "sheet", "", "known by", "simulated", "ratio")
            typer.echo("  {:<46}{:>10} {:<5}{:<10}{:>10}{:>7}".format(*heads))
            for name in dict.fromkeys(wanted):
                _print_drive([r for r in results if r.test.drive == name], found.get(name).title)
            told = f"{counts['within']} within {sheet_test.TOLERANCE:.0%} of the sheet, {counts['beyond']} beyond"
            typer.echo(f"{len(results)} tests of {len(wanted)} drives: {told}, {counts['excused']} excused")
    if counts["beyond"]:
        raise NoAnswer(
            f"{counts['beyond']} simulated figures are beyond {sheet_test.TOLERANCE:.0%} of the sheet"
        )


def fit_to_sheets(names: list[str], catalog: list[Path], write: bool, output_format: OutputFormat) -> None:
    """Fit the drives to their sheets, print each parameter before and after, and write their files if asked."""
    from drivecast.calibration import fitting
    from drivecast.catalog import load

    found = load(catalog)
    drives = [found.get(name) for name in names or found.drives]
    with progress("fitting") as update:
        fitted = interruptible(lambda: fitting.fit_all(drives, found, update))
    if write:
        for drive, _ in fitted:
            fitting.write(drive)
    rows = [
        {
            "drive": fit.drive,
            "parameter": fit.parameter,
            "before": fit.before,
            "after": fit.after,
            "fitted_to": f"{fit.to.name}, {fit.to.stated:g} {fit.to.unit}",
            "ratio_before": round(fit.ratio_before, 4),
            "ratio_after": round(fit.ratio_after, 4),
            "note": fit.note,
        }
        for _, fits in fitted
        for fit in fits
    ]
    match output_format:
        case OutputFormat.JSON:
            print_json({"schema_version": 1, "drives": len(drives), "written": write, "fits": rows})
        case OutputFormat.CSV:
            print_csv(rows)
        case OutputFormat.TEXT:
            for row in rows:
                note = f"  {row['note']}" if row["note"] else ""
                typer.echo(
                    f"{row['drive']:<30} {row['parameter']:<18} {row['before']:>10,.6g} -> {row['after']:<10,.6g} "
                    f"ratio {row['ratio_before']:.2f} -> {row['ratio_after']:.2f}  {row['fitted_to']}{note}"
                )
            done = "written" if write else "not written; hint: `--write` puts them into the drives' files"
            typer.echo(f"{len(rows)} parameters of {len(drives)} drives fitted, {done}")
