"""
The programs on top of the package, one folder each, which nothing below imports. `commands` has
the table of their commands.
"""
