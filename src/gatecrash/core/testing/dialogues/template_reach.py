"""Whether an engine that renders people's own templates reaches more than what it is given.

Where the recorded value is a template already, as in an editor of letters, that its sums are computed is the feature.
It is a flaw where the engine also reaches the types or functions of its language, which leads to running code.
Sandboxes refuse that, and languages without logic have no way to say it. Go's reaches nothing but what it is given, and
prints all of that, fields that no template can name among it: there a record of the application is a flaw where it
holds a password, its hash or a key.

References: Jinja's sandbox and Twig's, as their documentation describes them; Go's packages fmt (verb %+v) and text/template.
"""

import re
from collections.abc import Generator

from gatecrash.core.testing.dialogues.following import Way
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.reading_after import showing
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.payloads.ssti import ALL_OF_GO, GO, MAY_BE_HELD, REACHING, Sum
from gatecrash.core.testing.probe import Answer, TestRequest

# A name in brackets. A sum alone is what a tester has written.
_NAME_IN_BRACKETS = re.compile(r"\{\{[^{}\"']*[A-Za-z][^{}]*\}\}")

# A field of a record as Go prints it, with a value: none is `hash: Name:Ada`, `hash:}`, nil, an address, or stars. What
# goes on behind the word says something of the secret, and is none: `PasswordChangedAt`, `SecretQuestion`, `APIKeyID`.
_SECRET_FIELD = re.compile(
    r"[\[{ ](?:[A-Za-z_]*(?:(?:pass(?:word|wd|phrase)|pwd)s?(?:_?(?:hash(?:ed)?|digest|salt|crypt|encrypted|plain|text))*"
    r"|secret(?:_?(?:key|token|hash|value|seed))*|private_?key(?:_?pem)?|api_?key(?:_?(?:hash|secret|value))*)|(?:salted)?hash):"
    r"(?!0x[0-9a-f]{6}|true\b|false\b|map\[)[^\s<>{}\[\]\"*]{3}",
    re.IGNORECASE,
)
_MOST_OF_A_RECORD = 4_000


def is_a_template(value: str) -> bool:
    """Whether the value was written as a template by whoever used the application."""
    return _NAME_IN_BRACKETS.search(value) is not None


def reaches_further(inquiry: Inquiry, sum_: Sum, page: Way | None) -> Generator[TestRequest, Answer, bool]:
    """Whether the sum tells of a flaw: the value was no template before, or its engine reaches the language behind it."""
    if sum_ not in MAY_BE_HELD or not is_a_template(inquiry.value):
        return True
    if sum_ is GO:
        return (yield from _prints_secrets(inquiry, page))
    for pattern, shown in REACHING:
        mark, number = inquiry.mark(), inquiry.number(0x1000, 0xFFFF)
        reply = yield from inquiry.send(inquiry.value + mark + pattern.format(number=number), purpose="confirm")
        if reply is None:
            continue
        text = text_of((yield from showing(inquiry, reply, page)))
        if mark + shown.format(number=number) in text:
            return True
    return False


def _prints_secrets(inquiry: Inquiry, page: Way | None) -> Generator[TestRequest, Answer, bool]:
    """Whether Go's engine, asked for all that the template was given, tells what is nobody's to read."""
    mark = inquiry.mark()
    reply = yield from inquiry.send(inquiry.value + mark + ALL_OF_GO, purpose="confirm")
    if reply is None:
        return False
    _, found, given = text_of((yield from showing(inquiry, reply, page))).partition(mark)
    return bool(found) and _SECRET_FIELD.search(given[:_MOST_OF_A_RECORD]) is not None
