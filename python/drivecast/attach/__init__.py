"""A simulated design as a block device that programs use, in wall-clock time: served, mounted, watched, taken down.

attach_options  what is attached, and what can be wrong with that
timetable       what is done to it, and when
request_trace   what the application asked, as a trace
run_clock       the clock of a run: timetable, snapshots, trace
mount           loop device and file system (`kernel`: the calls, `mount_helper`: the process that makes them)
run_counts      what it did for one run of several, and how much of the wait was this machine's
rated_writes    what a run takes of the rated writes of its drives
guards          the processes without which a disk is given up
attached        made, handed to a block, taken down; the outcome

The device itself is `drivecast._core.Attached`: it answers on a thread of its own, without the interpreter.
"""
