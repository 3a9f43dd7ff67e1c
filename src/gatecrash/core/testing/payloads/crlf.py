"""Payloads of `crlf`: a line end, and behind it a header of a fresh name with a fresh word.

`{value}` stands for the baseline's value. What goes through a query or a form is percent-encoded once on its way.
"""

# The whole line end, and the half that many servers take for one.
PATTERNS = (
    "{value}\r\n{name}: {word}",
    "{value}\n{name}: {word}",
    "{value}%0d%0a{name}: {word}",
    # U+560A and U+560D, of which careless conversions to one byte leave the line end.
    "{value}\u560d\u560a{name}:\u5620{word}",
)
# The same without its line end: a server that makes headers of anything would show this one too.
TAME = "{value} {name}: {word}"
