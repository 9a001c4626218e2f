"""`drivecast serve`: the program for a team, in a browser.

A server that holds traces, plans, results and a history of drives in one data folder, and answers with the typed
documents of the verbs. It computes nothing itself: what takes long is done by `worker`, a process of its own for each
job, so that a log that breaks one breaks nothing else.

    browser ──► middleware (host, origin, token, headers, counted bodies) ──► *_routes ──► item_store (SQLite)
                                                                                │              ▲
                                                                    job_queue ──┴─► worker ────┘ progress over a pipe
                                                                        └──► event_feed (server-sent events)

Who may do what is decided in `middleware` and `login`; what may be read in `allowed_folders`; what may be written
in `uploaded_file`. Left out: accounts. Whoever has the token may do everything, and edits differ by revision alone.
"""
