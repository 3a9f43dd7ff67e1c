"""Which requests confirm something by a one-time code, and the same without it."""

from random import Random

import orjson
import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.callers.one_time_codes import code_of, without_code, wrong_code

JSON = ((b"Content-Type", b"application/json"),)
DONE = Response(200, JSON, b'{"status": "confirmed"}')


def sent(path: str, body: bytes) -> Request:
    return Request("POST", path.encode(), JSON, body)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/phone/verify", b'{"code": "482913"}'),
        ("/phone/verify", b'{"code": 482913}'),
        ("/payments/7/confirm", b'{"smsCode": "K4R82Q"}'),
        ("/orders/7/approve", b'{"pin": "4829"}'),
        ("/2fa/validate", b'{"totp": "482913", "remember": true}'),
    ],
)
def test_confirmations(path: str, body: bytes):
    assert code_of(sent(path, body), DONE) is not None


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/vouchers/check", b'{"code": "482913"}'),
        ("/checkout", b'{"pin": "482913"}'),
        ("/address/validate", b'{"postCode": "48291"}'),
        ("/phone/verify", b'{"token": "eyJhbGciOiJIUzI1NiJ9"}'),
        ("/otp", b'{"otp": "482913"}'),
    ],
)
def test_what_is_none(path: str, body: bytes):
    assert code_of(sent(path, body), DONE) is None


def test_a_number_is_left_out_or_null_and_never_empty():
    request = sent("/phone/verify", b'{"code": 482913}')
    code = code_of(request, DONE)
    told = {each.told: each.request.body for each in without_code(request, code)}
    assert told.keys() <= {"left out", "null", "empty"}
    assert orjson.loads(told["left out"]) == {}
    assert orjson.loads(told["null"]) == {"code": None}


def test_a_wrong_code_looks_like_the_right_one():
    request = sent("/payments/7/confirm", b'{"smsCode": "K4R82Q"}')
    wrong = orjson.loads(wrong_code(request, code_of(request, DONE), "K4R82Q", Random(3)).body)["smsCode"]
    assert wrong != "K4R82Q"
    assert [each.isdigit() for each in wrong] == [False, True, False, True, True, False]
