"""Objects of one member in the place of a value, as queries of document stores hold operators: `{"$eq": …}`, `name[$eq]=…`."""

import json
import re

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.testing.dialogues.inquiry import Inquiry
from gatecrash.core.testing.probe import Situation

LITERAL = re.compile(rb"-?\d+(?:\.\d+)?|true|false|null")
"""A value that stands in JSON without quotes."""


def in_json(situation: Situation) -> bool:
    """Whether the value is a member of JSON, so that an object in its place holds whatever it is given."""
    return len(situation.point) > 2 and situation.point[-2] in ("json_obj", "json_array")


def takes_objects(situation: Situation) -> bool:
    """Whether an object can stand at the point: a member of JSON, or a field whose name can have brackets."""
    point = situation.point
    return (
        (point[0] == "get" and len(point) == 2)
        or (point[:2] == ("post", "form_urlencoded") and len(point) == 3)
        or in_json(situation)
    )


def with_object(inquiry: Inquiry, name: str, operand: str, *, listed: bool = False, beside: str = "") -> Request | None:
    """The baseline with an object of one member in the place of the value. listed: the operand stands in a list, in JSON
    before another, if there is one `beside` it.
    """
    situation = inquiry.situation
    request, point = situation.baseline.request, situation.point
    try:
        if in_json(situation):
            literal = operand == inquiry.value and _bare(request, point, situation.value)
            shown = operand if literal else json.dumps(operand)
            shown += f",{json.dumps(beside)}" if beside else ""
            shown = f"[{shown}]" if listed else shown
            return inquiry.writer.write(f"{{{json.dumps(name)}:{shown}}}".encode("utf-8", "surrogateescape"), raw=True)
        brackets = "[]" * listed
        return inquiry.writer.write_named(
            f"{point[-1]}[{name}]{brackets}".encode(), operand.encode("utf-8", "surrogateescape")
        )
    except UserError:
        return None


def _bare(request: Request, point: Point, value: bytes) -> bool:
    """Whether the value stands in JSON without quotes: a number or a literal stays one when it is written anew."""
    if not LITERAL.fullmatch(value):
        return False
    return rewrite(request, point, b"7") != rewrite(request, point, b'"7"', raw=True)
