"""The bundled catalog, read once in each process: tests are named after what is in it, so collecting them needs it."""

from drivecast.catalog import load

CATALOG = load()
