"""Revisions of the schema, for Alembic; `drivecast` applies them when it opens a history."""
