"""What a target that was set up anew calls otherwise is tested by its new name."""

import asyncio
import json
from typing import Any

import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.probe import Answer
from gatecrash.node.scan.captures import things_anew
from gatecrash.node.scan.captures.things_anew import ThingsAnew
from gatecrash.node.test.sessions.principal import SIGNED_OUT

OLD, NEW = "0b7d3c52-6a3e-4f0f-9d55-6c1e1a2b7f10", "b4f0e1d2-93c5-4a77-a0d1-2e3f4a5b6c7d"
OTHER, ANOTHER = "9e41a7c8-22d4-4b6a-8f3b-51d0c7e9aa34", "57c2d9e0-1f6b-4c3d-b8a9-0e1d2c3b4a59"


def answer(body: Any, status: int = 200) -> Response:
    return Response(status, ((b"Content-Type", b"application/json"),), json.dumps(body).encode())


def exchange(target: str, told: Any, user: str = "ann", *, method: str = "GET", sent: Any = None) -> Exchange:
    headers = ((b"Host", b"yard.example"), (b"X-User", user.encode()), (b"Content-Type", b"application/json"))
    body = b"" if sent is None else json.dumps(sent).encode()
    return Exchange(Request(method, target.encode(), headers, body, host="yard.example"), answer(told))


def asked(now: dict[str, Any], *recorded: Exchange) -> tuple[list[str], list[Exchange], int]:
    """What was sent, what is tested, and how many have other names. now: what is answered at each address, to one user at
    `user address`; anything else is not there.
    """
    anew, sent = ThingsAnew(lambda request: (request.first(b"X-User") or b"").decode()), []
    for each in recorded:
        anew.see(each)

    async def send(request: Request) -> Answer:
        target, user = request.target.decode(), (request.first(b"X-User") or b"").decode()
        sent.append(target)
        told = now.get(f"{user} {target}", now.get(target))
        return Answer(Exchange(request, answer({"error": "no"}, 404) if told is None else answer(told)))

    count = asyncio.run(anew.ask(send))
    return sent, [anew.in_place_of(each) or each for each in recorded], count


def targets(tested: list[Exchange]) -> list[str]:
    return [each.request.target.decode() for each in tested]


LIST, THING = exchange("/orders", [{"id": OLD}]), exchange(f"/orders/{OLD}", {"id": OLD, "street": "Elm"})
LISTED = {"/orders": [{"id": NEW}], f"/orders/{NEW}": {"id": NEW, "street": "Elm"}}


def test_what_a_list_calls_otherwise_is_tested_by_its_new_name() -> None:
    sent, tested, count = asked(LISTED, LIST, THING)
    assert (sent, count) == (["/orders", f"/orders/{NEW}"], 1)
    assert targets(tested) == ["/orders", f"/orders/{NEW}"]
    assert [json.loads(each.response.body) for each in tested if each.response] == list(LISTED.values())


def test_a_changing_request_names_it_anew_in_its_address_and_its_body() -> None:
    paid = exchange(f"/orders/{OLD}/pay", {"order": OLD}, method="POST", sent={"order_id": OLD, "note": OLD[:8]})
    _, (_, _, tested), _ = asked(LISTED, LIST, THING, paid)
    assert tested.request.target == f"/orders/{NEW}/pay".encode()
    assert json.loads(tested.request.body) == {"order_id": NEW, "note": OLD[:8]}
    assert tested.response is not None
    assert json.loads(tested.response.body) == {"order": NEW}


def test_what_an_action_tells_of_was_there_before() -> None:
    paid = exchange("/pay", {"order": OLD}, method="POST", sent={"amount": 4})
    assert asked(LISTED, LIST, THING, paid, LIST)[2] == 1
    assert asked(LISTED, paid, LIST, THING)[2] == 0


def test_a_number_is_renamed_behind_the_list_that_tells_it_alone() -> None:
    recorded = (
        exchange("/orders", [{"id": 7, "amount": 7}]),
        exchange("/orders/7/lines/7", {"id": 7}),
        exchange("/goods/7", {"id": 7}),
    )
    _, tested, count = asked({"/orders": [{"id": 17, "amount": 8}], "/orders/17/lines/7": {"id": 7}}, *recorded)
    assert (targets(tested), count) == (["/orders", "/orders/17/lines/7", "/goods/7"], 1)


def test_what_another_thing_tells_is_asked_for_by_its_new_name() -> None:
    bill = exchange(f"/orders/{OLD}", {"id": OLD, "invoice_id": OTHER})
    now = {**LISTED, f"/orders/{NEW}": {"id": NEW, "invoice_id": ANOTHER}, f"/invoices/{ANOTHER}": {"total": 4}}
    _, tested, _ = asked(now, LIST, bill, exchange(f"/invoices/{OTHER}", {"total": 4}))
    assert targets(tested) == ["/orders", f"/orders/{NEW}", f"/invoices/{ANOTHER}"]


@pytest.mark.parametrize(
    ("now", "recorded"),
    [
        ({"/orders": [{"id": OLD}]}, [LIST, THING]),
        ({"/orders": [{"id": NEW}, {"id": OLD}]}, [LIST, THING]),
        ({"/orders": []}, [LIST, THING]),
        ({}, [LIST, THING]),
        ({"/orders": [{"id": 17}]}, [LIST, THING]),
        ({"/token": {"csrf": NEW}}, [exchange("/token", {"csrf": OLD}), exchange(f"/orders?csrf={OLD}", [])]),
        (LISTED, [exchange("/orders", {"id": OLD}, method="POST", sent={}), LIST, THING]),
        (LISTED, [LIST]),
        (LISTED, [LIST, exchange(f"/orders/{OLD}", {}, user="")]),
    ],
    ids=["there", "elsewhere", "none", "no list", "a number", "a token", "made", "not used", "nobody's"],
)
def test_a_name_stays(now: dict[str, Any], recorded: list[Exchange]) -> None:
    _, tested, count = asked(now, *recorded)
    assert (count, tested) == (0, recorded)


def test_what_two_would_call_the_same_is_nobodys() -> None:
    """In a list that shows everybody everything, the same place may be another's thing."""
    recorded = (
        LIST,
        THING,
        exchange("/orders", [{"id": OTHER}], "ben"),
        exchange(f"/orders/{OTHER}", {"street": "Oak"}, "ben"),
    )
    _, tested, count = asked(LISTED, *recorded)
    assert (count, targets(tested)) == (0, ["/orders", f"/orders/{OLD}", "/orders", f"/orders/{OTHER}"])


def test_each_user_has_his_own_and_names_the_others_as_they_are_called_now() -> None:
    recorded = (
        LIST,
        THING,
        exchange("/orders", [{"id": OTHER}], "ben"),
        exchange(f"/orders/{OTHER}", {"street": "Oak"}, "ben"),
        exchange(f"/orders/{OTHER}", {"street": "Oak"}),
    )
    now = {"ann /orders": [{"id": NEW}], "ben /orders": [{"id": ANOTHER}]}
    _, tested, count = asked(now, *recorded)
    assert count == 2
    assert targets(tested)[1::2] == [f"/orders/{NEW}", f"/orders/{ANOTHER}"]
    assert targets(tested)[-1] == f"/orders/{ANOTHER}"


def test_a_target_where_all_is_as_ever_is_asked_little() -> None:
    lists = [exchange(f"/shops/a{'b' * number}/orders", [{"id": OLD}]) for number in range(9)]
    sent, _, _ = asked({each.request.target.decode(): [{"id": OLD}] for each in lists}, *lists, THING)
    assert len(sent) == things_anew.MOST_UNCHANGED


def test_who_cannot_be_signed_in_keeps_nobody_else_from_being_asked() -> None:
    anew = ThingsAnew(lambda request: (request.first(b"X-User") or b"").decode())
    for user in ("ben", "ann"):
        anew.see(exchange("/orders", [{"id": OLD}], user))
        anew.see(exchange(f"/orders/{OLD}", {"street": "Elm"}, user))

    async def send(request: Request) -> Answer:
        if request.first(b"X-User") == b"ben":
            return Answer(Exchange(request), SIGNED_OUT)
        return Answer(Exchange(request, answer([{"id": NEW}])))

    assert asyncio.run(anew.ask(send)) == anew.count == 1


def test_a_target_that_does_not_answer_is_asked_no_more() -> None:
    anew, sent = ThingsAnew(lambda _request: "ann"), []
    for each in (LIST, exchange("/orders?page=2", [{"id": OLD}]), THING):
        anew.see(each)

    async def send(request: Request) -> Answer:
        sent.append(request.target)
        return Answer(Exchange(request), "timeout")

    assert asyncio.run(anew.ask(send)) == 0
    assert sent == [b"/orders"]


def paged(*rows: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), "".join(f"<li>{row}</li>" for row in rows).encode())


def linked(address: str, said: str) -> str:
    return f"<a href='{address}'>{said}</a>"


def visited(now: dict[str, Response], *recorded: tuple[str, str, Response]) -> list[str]:
    """What is tested of pages: method, address and answer."""
    anew = ThingsAnew(lambda _request: "ann")
    form = ((b"Host", b"yard.example"), (b"Content-Type", b"application/x-www-form-urlencoded"))
    exchanges = []
    for method, target, told in recorded:
        address, _, body = target.partition(" ")
        request = Request(method, address.encode(), form, body.encode(), host="yard.example")
        exchanges.append(Exchange(request, told))
        anew.see(exchanges[-1])

    async def send(request: Request) -> Answer:
        return Answer(Exchange(request, now.get(request.target.decode(), Response(404))))

    asyncio.run(anew.ask(send))
    tested = [(anew.in_place_of(each) or each).request for each in exchanges]
    return [f"{each.target.decode()} {each.body.decode()}".strip() for each in tested]


SHOWN = Response(200, ((b"Content-Type", b"text/html"),), b"<h1>Order</h1>")


@pytest.mark.parametrize(
    ("was", "now"),
    [(f"/orders/{OLD}", f"/orders/{NEW}"), ("/orders/7", "/orders/17"), ("/order.php?id=7", "/order.php?id=17")],
)
def test_a_link_of_a_page_tells_the_new_name(was: str, now: str) -> None:
    told = paged(linked(was, "beans"), linked(was.replace("7", "8").replace(OLD, OTHER), "peas"))
    tells = paged(linked(now.replace("7", "8").replace(NEW, ANOTHER), "peas"), linked(now, "beans"))
    recorded = (("GET", "/orders", told), ("GET", was, SHOWN))
    assert visited({"/orders": tells, now: SHOWN}, *recorded) == ["/orders", now]
    assert visited({"/orders": told, was: SHOWN}, *recorded) == ["/orders", was], "as it was"


def test_a_form_that_is_sent_names_it_anew() -> None:
    told, tells = paged(linked("/orders/7", "beans")), paged(linked("/orders/17", "beans"))
    recorded = [("GET", "/orders", told), ("POST", "/pay order_id=7&amount=7", SHOWN), ("GET", "/orders/7", SHOWN)]
    assert visited({"/orders": tells}, *recorded) == ["/orders", "/pay order_id=17&amount=7", "/orders/17"]


def test_what_the_record_made_by_a_form_is_left_alone() -> None:
    """A page that shows what was made only then says nothing of what stands there now."""
    after = paged(linked(f"/orders/{OLD}", "beans"))
    recorded = [("POST", "/orders item=beans", after), ("GET", "/orders", after), ("GET", f"/orders/{OLD}", SHOWN)]
    now = paged(linked(f"/orders/{NEW}", "beans"))
    assert visited({"/orders": now}, *recorded)[-1] == f"/orders/{OLD}"
