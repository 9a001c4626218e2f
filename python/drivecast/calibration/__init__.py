"""Simulated drives against their data sheets and against measured ones, and what is fitted to them."""
