"""`drivecast serve`: the program for a team, in a browser.

A server that holds traces, plans, results and a history of drives in one data folder, and answers with the typed
documents of the verbs. It computes nothing itself: what takes long is done by `worker`, a process of its own for each
job, so that a log that breaks one breaks nothing else.

    browser ──► gate (host, origin, token, headers, counted bodies) ──► *_routes ──► ledger (SQLite)
                                                                          │            ▲
                                                              job_queue ──┴─► worker ──┘ progress over a pipe
                                                                  └──► feed (server-sent events)

Who may do what is decided in `gate` and `login`; what may be read in `confined` and `remote`; what may be written in
`deposit`. Left out: accounts. Whoever has the token may do everything, and edits differ by revision alone.
"""
