"""Groups of options: those that verbs share, and those that would make a verb's signature longer than a screen."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

Verb = Callable[..., None]


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
