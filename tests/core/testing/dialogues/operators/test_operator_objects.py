"""An object takes the place of a value in JSON; in queries and forms its name is written behind the field's."""

from random import Random

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.dialogues.operators.operator_objects import in_json, with_object
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

JSON = ((b"Content-Type", b"application/json"),)
MEMBER = ("post", "json_doc", "json_obj", "q")


def inquiry(request: Request, point: tuple[str, ...], value: bytes) -> Inquiry:
    """An inquiry at a point of a recorded request."""
    exchange = Exchange(request, Response(200, (), b"here"))
    situation = Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point(point),
        value=value,
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )
    return Inquiry(situation, [exchange])


def body(value: bytes, text: bytes, name: str, operand: str, *, listed: bool = False, beside: str = "") -> bytes:
    """The body with an object in the place of the value."""
    asked = inquiry(Request("POST", b"/a", JSON, b'{"q": %b, "n": 1}' % text), MEMBER, value)
    assert in_json(asked.situation)
    made = with_object(asked, name, operand, listed=listed, beside=beside)
    assert made is not None
    return made.body


@pytest.mark.parametrize(
    ("value", "text", "operand", "more", "wanted"),
    [
        (b"tea", b'"tea"', "tea", {}, b'{"$in":"tea"}'),
        (b"tea", b'"tea"', 'a"b', {}, b'{"$in":"a\\"b"}'),
        (b"tea", b'"tea"', "tea", {"listed": True}, b'{"$in":["tea"]}'),
        (b"tea", b'"tea"', "tea", {"listed": True, "beside": "xyz"}, b'{"$in":["tea","xyz"]}'),
        (b"7", b"7", "7", {"listed": True, "beside": "xyz"}, b'{"$in":[7,"xyz"]}'),
        (b"7", b'"7"', "7", {}, b'{"$in":"7"}'),
        (b"7", b"7", "8", {}, b'{"$in":"8"}'),
    ],
)
def test_in_json_an_object_stands_where_the_value_stood(value, text, operand, more, wanted) -> None:
    assert body(value, text, "$in", operand, **more) == b'{"q": %b, "n": 1}' % wanted


def test_in_a_query_the_name_has_brackets() -> None:
    asked = inquiry(Request("GET", b"/a?q=tea&n=1"), ("get", "q"), b"tea")
    assert not in_json(asked.situation)
    plain, listed = with_object(asked, "$eq", "tea"), with_object(asked, "$in", "tea", listed=True)
    assert plain is not None
    assert listed is not None
    assert plain.target.replace(b"%24", b"$").replace(b"%5B", b"[").replace(b"%5D", b"]") == b"/a?q[$eq]=tea&n=1"
    assert listed.target.replace(b"%24", b"$").replace(b"%5B", b"[").replace(b"%5D", b"]") == b"/a?q[$in][]=tea&n=1"
