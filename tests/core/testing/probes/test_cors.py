"""The probe cors, driven against the range's places over a real port."""

import re
from base64 import b64encode

import pytest
from tests.core.testing.driving import runs
from tests.core.testing.probes.at_range import AtRange

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.probes.cors import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "cors"
    probe = PROBE


@pytest.mark.parametrize("origin", ["https://www.shop.example", "http://www.shop.example"])
@pytest.mark.parametrize(("dot", "found"), [(".", {"allows any sign for a dot of the own origin"}), (r"\.", set())])
def test_a_dot_of_the_own_name_is_a_dot(origin, dot, found):
    scheme, _, host = origin.partition("://")

    def application(request: Request) -> Response:
        asked = (request.first(b"Origin") or b"").decode()
        good = re.fullmatch(origin.replace(".", dot), asked)
        named = (b"Access-Control-Allow-Origin", asked.encode()), (b"Access-Control-Allow-Credentials", b"true")
        return Response(200, named if good else (), b'{"name": "ann"}')

    cookie = (b"Cookie", b"sessionid=3f9a0c77de114b02aa")
    port = {"https": 443, "http": 80}[scheme]
    request = Request("GET", b"/me", ((b"Host", host.encode()), cookie), b"", scheme, host, port)
    assert {run.verdict.detail for run in runs(application, request, (PROBE,), THOROUGH) if run.verdict.proof} == found


@pytest.mark.parametrize("host", ["api.shop.example", "api.eu.shop.example", "shop.example"])
@pytest.mark.parametrize("told", [b"", b"https://www.eu.shop.example"])
@pytest.mark.parametrize(("before", "found"), [(r"([a-z0-9-]+\.)*", False), ("([a-z0-9.-]*)", True)])
def test_names_below_the_owners_own_are_nobody_elses(host, told, before, found):
    def application(request: Request) -> Response:
        asked = request.first(b"Origin") or b""
        good = re.fullmatch(f"https://{before}shop[.]example".encode(), asked)
        named = (
            (b"Access-Control-Allow-Origin", asked if good else told),
            (b"Access-Control-Allow-Credentials", b"true"),
        )
        return Response(200, named, b'{"name": "ann"}')

    cookie = (b"Cookie", b"sessionid=3f9a0c77de114b02aa")
    request = Request("GET", b"/me", ((b"Host", host.encode()), cookie), b"", "https", host, 443)
    (run,) = runs(application, request, (PROBE,), THOROUGH)
    assert (run.verdict.proof is not None) is found


@pytest.mark.parametrize("mail", ["ann@shop.example", "ann@mail.shop.example"])
@pytest.mark.parametrize(
    ("allowed", "found"),
    [
        (r"https://.*shop\.example", "allows origins that end as the domain of the caller's mail"),
        (r"https://(mail\.)?shop\.example.*", "allows origins that begin as the domain of the caller's mail"),
        (r"https://([a-z0-9-]+\.)*shop\.example", None),
        (r"https://(www\.|mail\.)?shop\.example", None),
    ],
)
def test_who_is_asked_by_an_address_allows_the_domain_of_its_callers_mail(mail, allowed, found):
    def application(request: Request) -> Response:
        asked = request.first(b"Origin") or b""
        named = (b"Access-Control-Allow-Origin", asked), (b"Access-Control-Allow-Credentials", b"true")
        return Response(200, named if re.fullmatch(allowed, asked.decode()) else (), b'{"name": "ann"}')

    basic = (b"Authorization", b"Basic " + b64encode(mail.encode() + b":3f9a0c77"))
    request = Request("GET", b"/me", ((b"Host", b"127.0.0.1"), basic), b"", "http", "127.0.0.1", 8080)
    (run,) = runs(application, request, (PROBE,), THOROUGH)
    assert (run.verdict.detail if run.verdict.proof else None) == found


def test_an_opening_of_a_websocket_is_not_asked():
    request = Request("GET", b"/live", ((b"Host", b"shop.example"), (b"Upgrade", b"websocket")), host="shop.example")
    assert not runs(lambda _: Response(101), request, (PROBE,), THOROUGH)


@pytest.mark.parametrize(
    ("kind", "found"),
    [(b"text/javascript", True), (b"application/json", True), (b"text/html", False), (b"text/plain", False)],
)
def test_data_or_a_call_is_asked_for_as_a_script_and_a_page_is_not(kind, found):
    def application(request: Request) -> Response:
        name = re.search(rb"callback=(\w+)", request.target)
        who = b"ann" if request.first(b"Cookie") else b"nobody"
        return Response(200, ((b"Content-Type", kind),), b'%s({"name": "%s"})' % (name[1] if name else b"show", who))

    cookie = (b"Cookie", b"sessionid=3f9a0c77de114b02aa")
    request = Request("GET", b"/me?callback=show", ((b"Host", b"a"), cookie), host="a")
    (run,) = runs(application, request, (PROBE,), THOROUGH)
    assert (run.verdict.detail == "hands data to scripts of any site (JSONP)") is found


@pytest.mark.parametrize(
    ("at_first", "outcome"), [(b"<p>Orders of ann</p>", Outcome.INCONCLUSIVE), (b"", Outcome.SAFE)]
)
def test_a_login_form_is_for_everybody_where_it_was_there_from_the_beginning(at_first: bytes, outcome: Outcome):
    form = b"<form method=post><input name=user><input name=word type=password></form>"
    answers = [at_first or form]

    def application(_request: Request) -> Response:
        return Response(200, ((b"Content-Type", b"text/html"),), answers.pop() if answers else form)

    cookie = (b"Cookie", b"sessionid=3f9a0c77de114b02aa")
    (run,) = runs(application, Request("GET", b"/enter", (cookie,)), (PROBE,), THOROUGH)
    assert run.verdict.outcome is outcome
