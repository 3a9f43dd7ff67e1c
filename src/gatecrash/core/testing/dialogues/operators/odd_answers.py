"""What an answer to an operator in the place of a value tells of it: nothing was found, less is shown, or it is complained of."""

from gatecrash.core.testing.dialogues.inquiry import Inquiry, Reply
from gatecrash.core.testing.oracles.errors.query import NOSQL, complaints

EMPTY = ("", "null", "[]")
_CHECKED = (400, 415, 422)


def is_odd(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether an answer broke over an operator, complained of it, or found nothing by it (what checks values refuses it)."""
    nothing = reply.reading.status not in (inquiry.good.status, *_CHECKED)
    return nothing or reply.text in EMPTY or bool(complaint(inquiry, reply))


def says_less(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether an answer is of the baseline's status and says but a part of what that says: a list without its rows."""
    return reply.reading.status == inquiry.good.status and reply.reading.facts < inquiry.basis[0].facts


def says_otherwise(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether a page is of the baseline's status and says something else: less, or in the place of its rows that there are none."""
    same = reply.reading.status == inquiry.good.status and reply.reading.kind == "html"
    return same and not inquiry.as_usual(reply)


def complaint(inquiry: Inquiry, reply: Reply) -> frozenset[str]:
    """The words of a document store that an answer complains in, and the baseline does not."""
    return complaints(reply.text, NOSQL) - complaints(inquiry.good_text, NOSQL)
