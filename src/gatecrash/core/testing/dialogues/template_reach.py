"""Whether an engine that renders people's own templates reaches more than what it is given.

Where the recorded value is a template already, as in an editor of letters, that its sums are computed is the feature. It is a
flaw where the engine also reaches the types or functions of its language, which leads to running code. Sandboxes refuse that,
and languages without logic have no way to say it.

References: Jinja's sandbox and Twig's, as their documentation describes them.
"""

import re
from collections.abc import Generator

from gatecrash.core.testing.dialogues.following import Way
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.read_back import showing
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.payloads.ssti import MAY_BE_HELD, REACHING, Sum
from gatecrash.core.testing.probe import Answer, TestRequest

# A name in brackets. A sum alone is what a tester has written.
_NAME_IN_BRACKETS = re.compile(r"\{\{[^{}\"']*[A-Za-z][^{}]*\}\}")


def is_a_template(value: str) -> bool:
    """Whether the value was written as a template by whoever used the application."""
    return _NAME_IN_BRACKETS.search(value) is not None


def reaches_further(inquiry: Inquiry, sum_: Sum, page: Way | None) -> Generator[TestRequest, Answer, bool]:
    """Whether the sum tells of a flaw: the value was no template before, or its engine reaches the language behind it."""
    if sum_ not in MAY_BE_HELD or not is_a_template(inquiry.value):
        return True
    for pattern, shown in REACHING:
        mark, number = inquiry.mark(), inquiry.number(0x1000, 0xFFFF)
        reply = yield from inquiry.send(inquiry.value + mark + pattern.format(number=number), purpose="confirm")
        if reply is None:
            continue
        text = text_of((yield from showing(inquiry, reply, page)))
        if mark + shown.format(number=number) in text:
            return True
    return False
