"""What was measured, in words, tables and figures: the same in the terminal and on the page."""
