"""Arithmetic over outcomes: endurance, reliability, power and cost."""
