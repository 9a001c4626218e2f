"""The command line: one program, one verb a job, one file a verb."""
