"""The page of the tables that stages hand each other, made of their definition in `crates/block/src/schema.rs`."""

from drivecast import _core

HEAD = """# Tables

Stages hand each other these tables: Arrow in memory, Parquet on disk. Times and bytes are whole numbers; the unit
comes last in a name. They are defined in `crates/block/src/schema.rs`.
"""


def pages() -> dict[str, str]:
    """The text of the page by its name."""
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
    return {"reference/tables.md": "\n".join(parts)}
