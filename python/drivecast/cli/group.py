"""Groups of options: those that verbs share, and those that would make a verb's signature longer than a screen."""

import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from drivecast.document.option import Defined, defined

Verb = Callable[..., None]
T = TypeVar("T")
SAID_MAX = 1e6
"""Bounds up to here are said in a help text; others only keep nonsense out."""


def takes(**groups: Callable[..., Any]) -> Callable[[Verb], Verb]:
    """Put the options of each group on the command line, in place of the verb's parameter of that name.

    A group is a function of its options, or a dataclass with a field for each; the verb gets what it returns.
    """

    def decorated(verb: Verb) -> Verb:
        own = inspect.signature(verb)
        options = {name: inspect.signature(group).parameters for name, group in groups.items()}
        parameters = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, own_parameter in own.parameters.items()
            for parameter in (options[name].values() if name in groups else (own_parameter,))
        ]

        @functools.wraps(verb)
        def whole(**given: Any) -> None:
            made = {
                name: group(**{option: given.pop(option) for option in options[name]})
                for name, group in groups.items()
            }
            verb(**given, **made)

        whole.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        whole.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
        return whole

    return decorated


def options_of(kind: Callable[..., T], completed: Mapping[str, Any] | None = None) -> Callable[..., T]:
    """A group of the options that a dataclass defines (`document.option`).

    `completed` has what a shell offers for some of them.
    """
    options = list(defined(kind))  # type: ignore[arg-type]

    def made(**given: Any) -> T:
        return kind(**{option.name: _taken(option, given[option.name]) for option in options})

    made.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [_parameter(option, (completed or {}).get(option.name)) for option in options]
    )
    return made


def _taken(option: Defined, value: Any) -> Any:
    """What was typed, as the dataclass has it."""
    if option.inverse:
        return not value
    if option.kind.several:
        return tuple(value or ())
    return str(value) if isinstance(value, Path) else value


def _parameter(option: Defined, completion: Any) -> inspect.Parameter:
    """An option as Typer takes it."""
    kind = option.kind
    annotation, default, text = option.annotation, option.default, option.option.help
    bounds: dict[str, float] = {}
    if kind.several:
        annotation, default, text = list[kind.inner] | None, None, f"{text} Repeatable."  # type: ignore[name-defined]
    elif option.option.shape == "file" and not option.option.own:
        annotation = Path | None
    elif kind.inner in (int, float) and option.option.requires is None:
        stated = {"min": option.option.low, "max": option.option.high}
        bounds = {
            name: int(bound)
            for name, bound in stated.items()
            if bound is not None and bound == int(bound) < SAID_MAX
        }
    declared = [option.flag]
    if kind.inner is bool and option.inverse:
        default = False
    elif kind.inner is bool and default is not False:
        declared = ["/".join(option.on_and_off)]
    info = typer.Option(*declared, help=text, autocompletion=completion, **bounds)  # type: ignore[arg-type]
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[annotation, info],
    )
