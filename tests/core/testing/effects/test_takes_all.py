"""What may act upon everything where it finds no value, told by the address, by the answer, and by a list of what is meant."""

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.takes_all import may_change, may_find_more, may_take_all

FORM, JSON = ((b"Content-Type", b"application/x-www-form-urlencoded"),), ((b"Content-Type", b"application/json"),)
DONE = Response(200, JSON, b'{"ok": true}')


def saying(text: bytes) -> Response:
    return Response(200, (), text)


@pytest.mark.parametrize(
    ("request_", "response", "expected"),
    [
        (Request("POST", b"/items/remove", FORM, b"name=tea"), DONE, True),
        (Request("GET", b"/folders/rmtree?name=tea"), DONE, True),
        (Request("GET", b"/forms?name=tea"), DONE, False),
        (Request("POST", b"/items/bulk-update", FORM, b"name=tea"), DONE, True),
        (Request("GET", b"/items/bulk?name=tea"), saying(b"[]"), False),
        (Request("POST", b"/items?ids=2,3"), DONE, True),
        (Request("POST", b"/items", FORM, b"on=1&itemIds%5B%5D=2"), DONE, True),
        (Request("POST", b"/items", JSON, b'{"ids": [2, 3]}'), DONE, True),
        (Request("GET", b"/items?ids=2,3"), DONE, True),
        (Request("GET", b"/items?ids=2,3"), saying(b'[{"name": "tea"}]'), False),
        (Request("POST", b"/items", FORM, b"kids=2&bids=3"), DONE, False),
        (Request("POST", b"/items", FORM, b"name=tea"), saying(b"Removed 1 item."), True),
        (Request("GET", b"/items?name=tea"), saying(b'{"deleted": 1}'), True),
        (Request("GET", b"/items?name=tea"), saying(b'{"name": "tea", "deleted": false, "deleted_at": null}'), False),
        (
            Request("GET", b"/items?name=tea"),
            saying(b"<p>What was deleted lies in the bin.</p>" + b"<br>" * 100),
            False,
        ),
        (Request("POST", b"/items", FORM, b"name=tea"), Response(303, ((b"Location", b"/items?deleted=tea"),)), True),
        (Request("POST", b"/items", FORM, b"name=tea"), None, False),
        (Request("POST", b"/items/discount", JSON, b'{"name": "tea"}'), saying(b'{"ok": true, "n": 1}'), True),
        (Request("PATCH", b"/items", JSON, b'{"name": "tea"}'), saying(b'{"modifiedCount":1,"upserted":null}'), True),
        (Request("POST", b"/news", JSON, b'{"to": "staff"}'), saying(b'{"queued": 12}'), True),
        (Request("POST", b"/items", JSON, b'{"name": "tea"}'), saying(b'{"id": 7, "name": "tea", "count": 1}'), False),
        (Request("POST", b"/items", JSON, b'{"name": "tea"}'), saying(b'{"discount": 5}'), False),
        (Request("POST", b"/items/about", JSON, b'{"name": "tea"}'), saying(b'{"count": 1}'), False),
        (Request("POST", b"/items/update", JSON, b'{"name": "tea"}'), saying(b'{"count": 1}'), True),
        (Request("GET", b"/items/unread"), saying(b'{"count": 3}'), False),
        (Request("POST", b"/cache/clear", JSON, b'{"name": "tea"}'), DONE, True),
        (Request("GET", b"/files/discard?name=tea"), saying(b'{"n": 1}'), True),
        (Request("PATCH", b"/items?tag=tea", JSON, b'{"price": 4}'), Response(204), True),
        (Request("PATCH", b"/items/7", JSON, b'{"price": 4}'), Response(204), False),
        (Request("POST", b"/items/updateMany", JSON, b'{"name": "tea"}'), DONE, True),
        (Request("POST", b"/items/_update_by_query", JSON, b'{"name": "tea"}'), DONE, True),
        (Request("POST", b"/clearance", JSON, b'{"name": "tea"}'), DONE, False),
    ],
)
def test_what_may_take_a_value_that_is_not_there_for_all(
    request_: Request, response: Response | None, expected: bool
) -> None:
    assert may_take_all(Baseline("bl_1", Exchange(request_, response))) is expected


@pytest.mark.parametrize(
    ("request_", "response", "expected"),
    [
        (Request("POST", b"/items"), None, True),
        (Request("GET", b"/items/cancel?id=2"), saying(b"[]"), True),
        (Request("GET", b"/price?id=2"), saying(b"Saved!"), True),
        (Request("GET", b"/price?id=2"), saying(b'{"changed": 1}'), True),
        (Request("GET", b"/price?id=2"), saying(b'{"price": 2, "changed": null, "updated_at": "2026-01-02"}'), False),
        (Request("GET", b"/price?id=2"), saying(b"<p>When this was changed: never.</p>" + b"<br>" * 100), False),
        (Request("GET", b"/price?id=2"), None, False),
    ],
)
def test_what_may_change_something_whatever_its_method(
    request_: Request, response: Response | None, expected: bool
) -> None:
    assert may_change(Baseline("bl_1", Exchange(request_, response))) is expected


@pytest.mark.parametrize(
    ("request_", "response", "expected"),
    [
        (Request("GET", b"/items?name=tea"), saying(b'{"success": true, "items": []}'), True),
        (Request("GET", b"/items?name=tea"), None, True),
        (Request("GET", b"/items/delete?name=tea"), saying(b"[]"), False),
        (Request("GET", b"/items?name=tea"), saying(b"Removed 1 item."), False),
        (Request("GET", b"/items/cancel?name=tea"), saying(b"[]"), False),
        (Request("POST", b"/items", FORM, b"name=tea"), saying(b"[]"), False),
    ],
)
def test_only_what_changes_nothing_that_it_finds_may_find_more(
    request_: Request, response: Response | None, expected: bool
) -> None:
    assert may_find_more(Baseline("bl_1", Exchange(request_, response))) is expected
