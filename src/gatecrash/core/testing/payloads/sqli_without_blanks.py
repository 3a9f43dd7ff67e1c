"""Payloads of `sqli` for filters that take out blanks: to SQL a comment is one.

Only for requests that read: to a shell the signs of a comment are the names of folders.
"""

from gatecrash.core.testing.payloads.sqli import Context


def without_blanks(context: Context) -> tuple[Context, ...]:
    """The context with comments for its blanks; nothing where it has none, or needs a quote, which has ways of its own."""
    if context.quotes or " " not in context.pattern:
        return ()
    pattern = context.pattern.replace(" ", "/**/")
    return (context._replace(name=f"{context.name}, without blanks", pattern=pattern),)
