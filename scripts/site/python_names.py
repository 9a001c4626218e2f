"""The reference of the Python interface: every name that the package exports, as mkdocstrings writes it.

The package loads its names when they are first used, so that no name is where its definition is: the page asks for each
by the module that defines it.
"""

import functools

import drivecast

MARK = "<!-- names: made of drivecast.__all__ when the site is built -->"


@functools.cache
def directives() -> str:
    """A section a name."""
    defined = drivecast._PUBLIC
    options = "    options: {show_root_heading: false, show_root_toc_entry: false}"
    return "\n".join(
        f"## `{name}`\n\n::: drivecast.{defined[name]}.{name}\n{options}\n"
        for name in drivecast.__all__
        if name in defined
    )
