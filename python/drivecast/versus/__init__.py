"""Designs side by side: whether the first replaces the others.

question      what is compared: designs, the workload, its loads, the conditions; what contradicts itself is refused
contest       every run, in parallel, in a fixed order; the document
contender     what of a design does not depend on the load: life, data loss, price, power
replacement   whether the first takes the place of another
"""
