"""Arithmetic over outcomes: endurance, reliability, power and cost.

Pure functions over small frozen values; units come last in every name. Nothing here reads a file or simulates.
"""
