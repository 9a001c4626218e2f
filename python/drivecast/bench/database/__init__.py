"""Databases on a target: private servers, loads of transactions, and what the storage did meanwhile.

A data set is loaded once for each target; for each setting the server is started anew on it, with the page cache of
its files dropped, loaded for a ramp and then for the measured time, and stopped cleanly.
`docs/explanation/databases.md` describes what that represents and what it does not.
"""
