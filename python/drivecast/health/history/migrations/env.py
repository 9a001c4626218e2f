"""Run revisions in the transaction that `drivecast` has opened: the schema changes whole or not at all."""

from alembic import context

from drivecast.health.history import schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=schema.metadata,
    version_table=schema.VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
