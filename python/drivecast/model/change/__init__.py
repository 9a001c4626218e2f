"""Windows of a trace changed as a model is: more load, more data, another mix, another length, several together.

Each change says in the header what it preserves and what it does not.
"""
