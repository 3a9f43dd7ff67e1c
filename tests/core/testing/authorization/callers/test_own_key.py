"""What an account's own address gives back of what its reader came with."""

import orjson
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.authorization.callers.own_key import shows_own_key

OWN, OTHERS = "kw_51c1a8be03d2f4960ab7", "kw_9e07d4b16cf8325a4e10"


@pytest.mark.parametrize(
    ("path", "told", "status", "found"),
    [
        (b"/api/accounts/1", {"id": 1, "api_key": OWN}, 200, True),
        (b"/users/ann", {"user": {"name": "Ann", "token": OWN}}, 200, True),
        (b"/api/accounts/2", {"id": 2, "api_key": OTHERS}, 200, False),
        (b"/keys/17", {"id": 17, "value": OWN}, 200, False),
        (b"/api/accounts/all", [{"id": 1, "api_key": OWN}, {"id": 2, "api_key": OTHERS}], 200, False),
        (b"/api/accounts/1", {"error": "not for", "key": OWN}, 403, False),
    ],
    ids=["his own", "within", "another's", "the key's own address", "of several", "refused"],
)
def test_whose_account_it_is_is_told_by_his_key(path: bytes, told: object, status: int, found: bool):
    answer = Response(status, ((b"Content-Type", b"application/json"),), orjson.dumps(told))
    exchange = Exchange(Request("GET", path, host="a"), answer)
    assert shows_own_key(exchange, [f"Bearer {OWN}"]) is found
    assert not shows_own_key(exchange, ["1"])
