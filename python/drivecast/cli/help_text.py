"""The text of a `--help`: paragraphs that break at blanks alone, and examples on lines that can be copied."""

import re
import textwrap
from collections.abc import Iterator

EXAMPLE = re.compile(r"^Example(?: \((?P<of>[^)]*)\))?: `(?P<command>.*)`(?P<rest>.*)$", re.DOTALL)
"""A paragraph of a docstring that is an example: of what, the command, and what follows it."""
INDENT = "  "


def lines(text: str, width: int) -> Iterator[str]:
    """Lines of at most `width` signs, but for commands, which stay whole."""
    for number, paragraph in enumerate(re.sub(r"(?<!\n)\n(?!\n)", " ", text).split("\n\n")):
        if number:
            yield ""
        example = EXAMPLE.match(paragraph)
        if example is None:
            yield from _filled(paragraph, width)
            continue
        of = f" ({example['of']})" if example["of"] else ""
        yield from (f"{INDENT}Example{of}:", f"{INDENT * 2}{example['command']}")
        yield from _filled(example["rest"].strip(), width)


def _filled(paragraph: str, width: int) -> list[str]:
    return textwrap.wrap(
        paragraph,
        width,
        initial_indent=INDENT,
        subsequent_indent=INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
