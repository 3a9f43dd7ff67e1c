"""What found nothing is asked for again by what was made since."""

import json
from typing import Any

import pytest
from tests.node.loop import run
from tests.node.scan.drafts.shops import in_json
from tests.node.scan.drafts.test_obtaining import obtained

from gatecrash.core.message import Request, Response
from gatecrash.fakes.raw_server import RawServer
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.made_values import MadeValues

JSON = ((b"Host", b"x"), (b"Content-Type", b"application/json"))


def asking(target: str, body: dict[str, Any], status: int | None = 404, method: str = "POST", port: int = 80) -> Draft:
    request = Request(method, target.encode(), JSON, json.dumps(body).encode(), "http", "127.0.0.1", port)
    return Draft(request, None if status is None else Response(status), drafted=True)


@pytest.mark.parametrize(
    ("made", "asked", "fields"),
    [
        (("/vouchers", {"code": "SKY-1"}), ("/vouchers/check", {"code": "example"}), {"code": "SKY-1"}),
        (("/api/vouchers", {"voucher_code": "SKY-1", "amount": 5}), ("/use", {"voucherCode": "x"}), {"voucherCode": "SKY-1"}),
        (("/vouchers", {"code": "SKY-1"}), ("/redeem", {"voucher_code": "x", "day": "y"}), {"voucher_code": "SKY-1", "day": "y"}),
        (("/vouchers", {"code": "example"}), ("/vouchers/check", {"code": "example"}), {"code": "example"}),
    ],
)  # fmt: skip
def test_a_field_of_the_same_name_holds_what_a_thing_of_that_kind_was_called(
    made: tuple[str, Any], asked: tuple[str, Any], fields: dict[str, str]
) -> None:
    values = MadeValues()
    values.learn(asking(*made).request, Response(201))
    found = values.put_into(asking(*asked))
    assert found is not None
    assert json.loads(found.body) == fields
    assert values.put_into(asking(*asked)) is None, "asked so once"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (asking("/parcels/check", {"code": "x"}), "a parcel's code is no voucher's"),
        (asking("/vouchers/check", {"number": "x"}), "it has no such field"),
        (asking("/vouchers/check", {"code": "x"}, 200), "it found something"),
        (asking("/vouchers/check", {"code": "x"}, 403), "it was refused"),
        (asking("/vouchers/check", {"code": "x"}, None), "it was not sent"),
        (asking("/vouchers/check", {"user_name": "x"}), "it says whose account is meant"),
        (asking("/vouchers/reset-password", {"code": "x", "new_password": "y"}), "it sets a password"),
    ],
)
def test_nothing_else_is_asked_again(asked: Draft, why: str) -> None:
    values = MadeValues()
    values.learn(asking("/vouchers", {"code": "SKY-1", "user_name": "ann"}).request, Response(201))
    assert values.put_into(asked) is None, why


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (asking("/vouchers", {"code": "SKY-1"}), 400),
        (asking("/vouchers", {"code": "SKY-1"}), 302),
        (asking("/vouchers", {"code": "SKY-1"}, method="PUT"), 200),
        (asking("/vouchers/archive", {"code": "SKY-1"}), 200),
        (asking("/", {"code": "SKY-1"}), 200),
    ],
)
def test_what_made_nothing_teaches_nothing(sent: Draft, status: int) -> None:
    values = MadeValues()
    values.learn(sent.request, Response(status))
    assert values.put_into(asking("/vouchers/archive/check", {"code": "x"})) is None


@run
async def test_what_found_nothing_is_asked_once_more_when_a_later_request_has_made_it() -> None:
    made: list[str] = []
    async with RawServer() as server:

        async def talk(reader, writer) -> None:  # type: ignore[no-untyped-def]
            while raw := await server.read_request(reader):
                code = json.loads(raw.partition(b"\r\n\r\n")[2])["code"]
                if b" /vouchers " in raw:
                    made.append(code)
                writer.write(in_json(200, "{}") if code in made else in_json(404, "{}"))

        server._talk = talk
        asked = [("/vouchers/check", "example"), ("/vouchers/check", "SKY-1"), ("/vouchers", "SKY-1"), ("/find", "z")]
        drafts = [asking(target, {"code": code}, None, port=server.port) for target, code in asked]
        ledger = await obtained(server.port, *drafts)
        sent = [raw.split(b" ")[1].decode() for raw in server.received]
    answers = [one.baseline.response for one in ledger.tested.values()]
    assert [one.status for one in answers if one is not None] == [200, 200, 200, 404]
    assert sorted(sent) == ["/find", "/vouchers", *["/vouchers/check"] * 4]
