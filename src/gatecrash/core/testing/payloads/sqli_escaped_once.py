"""The payload of `sqli` for filters that double the first quote alone, as JavaScript's `replace("'", "''")` does.

The first quote is given to the filter and stays in the text, which is another one then: nothing is found or narrowed by
it, so that only whether SQL is taken can tell. Where nothing is doubled the quotes do not close, and nothing happens.
"""

from gatecrash.core.testing.payloads.sqli import Context

ESCAPED_ONCE = Context(
    "text whose first quote alone is doubled",
    "{value}''||NULLIF(''||'','0')||{word} WHEN {left}={right} THEN '' ELSE '{mark}' END||'",
    "CASE",
    ("CASA", "CSAE", "CAZE", "CASK"),
)
