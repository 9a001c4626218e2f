"""How a log is to be read, in the address of an upload: a parameter for each option of `LogOptions`."""

import inspect
from typing import Annotated, Any

from fastapi import Query

from drivecast.document.option import Defined, defined
from drivecast.document.plan_options import LogOptions


def reading_of(**given: Any) -> LogOptions:
    """The options of an address."""
    return LogOptions(**given)


def _parameter(option: Defined) -> inspect.Parameter:
    what = option.option
    query = Query(description=what.help, ge=what.low, le=what.high)
    kind = inspect.Parameter.KEYWORD_ONLY
    annotation: Any = Annotated[option.annotation, query]
    return inspect.Parameter(option.name, kind, default=option.default, annotation=annotation)


reading_of.__signature__ = inspect.Signature([_parameter(each) for each in defined(LogOptions)])  # type: ignore[attr-defined]
