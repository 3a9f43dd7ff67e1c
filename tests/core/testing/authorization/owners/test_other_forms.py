"""The same object in another form."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.objects.named import Named
from gatecrash.core.testing.authorization.owners.other_forms import kept_from_him_itself
from gatecrash.core.testing.probe import Answer

OTHER = Identity("ben")
NAMED = Named(Point(("path", "1")), "7", b"/documents")


def told(path: bytes, owners: int, others: int) -> tuple[str, list[bytes]]:
    """What is said, and what was asked for it. owners, others: how the object's own address answers them."""
    asking, asked = kept_from_him_itself(Request("GET", path), OTHER, NAMED), []
    try:
        question = next(asking)
        while True:
            asked.append(question.request.path)
            status = others if question.identity == OTHER.name else owners
            question = asking.send(Answer(Exchange(question.request, Response(status, body=b"{}"))))
    except StopIteration as end:
        return end.value, asked


@pytest.mark.parametrize("status", [403, 404])
def test_what_refuses_the_other_itself_is_not_his_as_a_file(status: int) -> None:
    said = "/documents/7 is refused to the other"
    assert told(b"/documents/7/download", 200, status) == (said, [b"/documents/7"] * 2)
    assert told(b"/documents/7/invoice.pdf", 200, status)[0] == said
    assert told(b"/documents/7/text", 200, status)[0] == told(b"/documents/7/label", 200, status)[0] == said


@pytest.mark.parametrize(
    ("path", "owners", "others", "asked"),
    [
        (b"/documents/7/download", 200, 200, 2),
        (b"/documents/7/download", 200, 401, 2),
        (b"/documents/7/download", 405, 405, 1),
        (b"/documents/7/comments", 200, 404, 0),
        (b"/documents/7", 200, 404, 0),
        (b"/documents/7/pages/download", 200, 404, 0),
    ],
)
def test_else_nothing_is_said(path: bytes, owners: int, others: int, asked: int) -> None:
    assert told(path, owners, others) == ("", [b"/documents/7"] * asked)
