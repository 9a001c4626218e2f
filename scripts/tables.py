"""Writes `docs/reference/tables.md` from the definition of the tables."""

from pathlib import Path

from drivecast import _core

PLACE = Path(__file__).parents[1] / "docs/reference/tables.md"
HEAD = """# Tables

Stages hand each other these tables: Arrow in memory, Parquet on disk. Times and bytes are whole numbers; the unit
comes last in a name. This page is written by `scripts/tables.py` from `crates/block/src/schema.rs`.
"""


def render() -> str:
    """The page."""
    parts = [HEAD]
    for table in _core.tables():
        rows = [
            f"| `{column['name']}` | {column['type']} | {'yes' if column['nullable'] else ''} | {column['doc']} |"
            for column in table["columns"]
        ]
        head = [
            f"## `{table['name']}`\n",
            "| column | type | may be missing | meaning |",
            "|---|---|---|---|",
        ]
        parts.append("\n".join([*head, *rows]) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PLACE.write_text(render())
