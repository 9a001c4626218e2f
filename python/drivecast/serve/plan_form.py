"""A plan's options, as they come from a browser: checked before a plan waits for its turn, and as they are typed.

Model. What an option is, and what it requires, is defined in `document.plan_options`. Here is what only a server has:
files. One is sent as its text, or named as a path in a folder of the server, and is read from there when the plan is
made; `default` is the server's own.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from drivecast.compare import error_log
from drivecast.document.option import Defined, defined
from drivecast.document.plan_options import LogOptions, PlanOptions
from drivecast.errors import HintedError, InputError
from drivecast.lock import temporary_folder
from drivecast.plan import requirement
from drivecast.plan.candidate import Options
from drivecast.plan.search import priced
from drivecast.serve import allowed_folders

Folders = Mapping[str, Path]
_FILES = tuple(each for each in defined(PlanOptions) if each.option.shape == "file")
NAMES = {"quotes": "quotes.csv", "history": "errors.jsonl"}
"""What a file is called whose text was sent."""


def name(option: Defined) -> str:
    """An option as the API calls it."""
    return option.name


def check(options: PlanOptions, folders: Folders, catalog: Sequence[Path] = ()) -> None:
    """Raise `InputError` for options that no trace makes right, before a plan waits for its turn."""
    from drivecast import _core  # noqa: PLC0415 (to be found where it is used)

    given = requirement.given(options, name)
    requirement.check(given, name)
    with files(options, folders) as whole:
        searched = Options.of(whole, catalog=tuple(catalog))
        if searched.history is not None:
            error_log.read(searched.history)
        known, _, _ = priced(searched, given)
    for line in [*options.designs, *([options.today] if options.today else [])]:
        if not options.volumes:
            for drive in _core.design_drives(line):
                known.volume(drive) or known.get(drive)


@contextmanager
def files(options: PlanOptions, folders: Folders) -> Iterator[PlanOptions]:
    """The options with files of this machine, for as long as the block lasts."""
    with ExitStack() as stack:
        found: dict[str, Any] = {}
        for each in _FILES:
            value = getattr(options, each.name)
            if value and not (each.option.own and value == error_log.DEFAULT):
                found[each.name] = str(_file(stack, each.name, value, folders))
        yield replace(options, **found)


def _file(stack: ExitStack, option: str, value: str, folders: Folders) -> Path:
    if "\n" in value:
        path = stack.enter_context(temporary_folder("drivecast-named-")) / NAMES[option]
        path.write_text(value, encoding="utf-8")
        return path
    folder, _, within = value.partition("/")
    if folder not in folders or not within:
        raise HintedError(
            f"{option}: `{value[:80]}` is neither the text of a file nor a path in a folder of the server",
            f"folders are {', '.join(folders)}: `{next(iter(folders))}/{NAMES[option]}`"
            if folders
            else "send the text of the file; this server names no folders: `--folder PATH`",
        )
    try:
        return stack.enter_context(allowed_folders.readable(folders[folder], within))
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def over(own: PlanOptions, of_trace: LogOptions) -> PlanOptions:
    """The options of a plan, read as the trace was where they do not say how."""
    plain = LogOptions()
    given = {each.name: getattr(own, each.name) for each in fields(LogOptions)}
    left = {called for called, value in given.items() if value == getattr(plain, called)}
    taken: dict[str, Any] = {called: getattr(of_trace, called) for called in left}
    return replace(own, **taken)


def command(names: Sequence[str], options: PlanOptions) -> str:
    """The command that makes the same plan."""
    words = ["drivecast", "plan", *names]
    for each in defined(PlanOptions):
        value = getattr(options, each.name)
        if value == each.default:
            continue
        if isinstance(value, bool):
            words.append(each.on_and_off[0 if value else 1])
            continue
        for each_value in value if isinstance(value, tuple) else (value,):
            sent = each.option.shape == "file" and "\n" in each_value
            text = (
                f"{each_value:g}"
                if isinstance(each_value, float)
                else NAMES[each.name]
                if sent
                else str(each_value)
            )
            words += [each.flag, text]
    return shlex.join(word for word in words if word)
