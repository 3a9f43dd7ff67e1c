"""The payload of `sqli` for texts whose quotes get a backslash before them, in databases to which a backslash is a letter.

In SQLite, in PostgreSQL, in Oracle and in SQL Server the quote ends the text all the same, which is another one then and finds
nothing: no condition beside it is ever met, and a quote that should close what follows would get a backslash, too. What is left is
a condition in the place of the text, and a comment over the rest of the line. It finds all rows where it holds: for what only reads.
"""

from gatecrash.core.testing.payloads.sqli import Context

ESCAPED_IN_VAIN = Context(
    "text whose quotes get a backslash in vain",
    "{value}' {word} {left}={right} -- {mark}",
    "OR",
    ("RO", "OE", "QR", "OP"),
)
