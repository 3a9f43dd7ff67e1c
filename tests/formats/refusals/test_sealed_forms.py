"""Serialised objects are tried where a base64 text cannot be read."""

import base64
import json
import pickle

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.formats.descriptions.sample_text import FORMATS
from gatecrash.formats.refusals.sealed_forms import FORMS
from gatecrash.formats.refusals.told_forms import reworded

HEADERS = ((b"Content-Type", b"application/json"),)
REFUSED = Response(400, (), b"the state cannot be read")


def sent(state: str) -> Request:
    return Request("POST", b"/restore", HEADERS, json.dumps({"state": state, "note": "x"}).encode())


def test_one_form_after_the_other_is_tried_and_then_none() -> None:
    request, seen = sent(FORMATS["byte"]), []
    while (request_ := reworded(request, REFUSED)) is not None and len(seen) < 9:
        request = request_
        assert json.loads(request.body)["note"] == "x"
        seen.append(json.loads(request.body)["state"].encode())
    assert seen == [*FORMS]


def test_each_is_an_object_with_one_member() -> None:
    loaded = [base64.b64decode(one) for one in FORMS]
    assert pickle.loads(loaded[0]) == {"example": 1}
    assert [one[:4] for one in loaded[1:]] == [b"\xac\xed\x00\x05", b"\x04\x08{\x06", b"a:1:"]


@pytest.mark.parametrize("shown", ["aGVsbG8=", "example", ""])
def test_what_a_document_shows_stays(shown: str) -> None:
    assert reworded(sent(shown), REFUSED) is None


def test_what_the_refusal_asks_for_comes_first() -> None:
    request = Request("POST", b"/restore", HEADERS, json.dumps({"state": FORMATS["byte"], "day": "example"}).encode())
    better = reworded(request, Response(400, (), b"day: valid date please"))
    assert better is not None
    assert json.loads(better.body)["state"] == FORMATS["byte"]
