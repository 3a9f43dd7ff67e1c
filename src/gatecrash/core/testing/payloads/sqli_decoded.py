"""Payloads of `sqli` for texts that are decoded once more behind a filter (CWE-174): it knows quotes, and not their codes.

The codes are of addresses and of markup. Where nobody decodes them they are part of a text that equals no other.
"""

from gatecrash.core.testing.payloads.sqli import AND, Context

_AS_TEXT = "{value}' {word} {left}={right} {word} '{same}'='{same}"

# Only to read: AND narrows.
DECODED = (
    Context("text, decoded as an address once more", _AS_TEXT.replace("'", "%27"), *AND),
    Context("text, decoded as markup", _AS_TEXT.replace("'", "&#39;"), *AND),
)
