"""Quantities: `parse` reads what people write, `number` writes what they read, `interval` holds bounds."""
