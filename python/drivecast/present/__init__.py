"""A plan or a profile, shown: a page for paper and screen, a table for the terminal, figures for both.

Nothing here simulates or decides. `document` checks what comes in, `number` words every quantity,
`table` lays out the rows behind the figures, `figure/` draws them, a file a subject, `page` and
`profile` fill the templates, `terminal` and `outcome` print. Import the module you need: the
terminal does not load the drawing library.
"""
