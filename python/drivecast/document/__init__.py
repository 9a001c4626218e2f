"""Documents: one definition each of what stages hand to each other and verbs print."""
