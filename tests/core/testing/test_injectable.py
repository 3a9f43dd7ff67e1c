"""At which points of a baseline probes insert."""

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.injectable import credentials_as_values, forwarded, injectable
from gatecrash.core.testing.policy import DEFAULT, THOROUGH

TOKEN = Point.of("header", "AUTHORIZATION")
SESSION = Point.of("header", "COOKIE", "cookie", "sid")


def baseline_of(request: Request) -> Baseline:
    return Baseline("bl_1", Exchange(request, Response(200)))


def test_the_thorough_policy_adds_headers_and_cookies_but_no_credential_and_nothing_the_protocol_needs():
    headers = (
        (b"Host", b"api.example.com"),
        (b"Authorization", b"Bearer 3f9a0c77de114b02"),
        (b"Cookie", b"sid=1; theme=dark"),
        (b"Content-Length", b"16"),
        (b"Connection", b"keep-alive"),
        (b"X-Trace", b"t1"),
    )
    baseline = baseline_of(Request("POST", b"/users/7/orders", headers, b'{"item": "lamp"}'))
    points = [str(point) for point, _ in injectable(baseline, THOROUGH, [TOKEN, SESSION]) if point[0] == "header"]
    assert points == ["header/X-TRACE", "header/COOKIE/cookie/theme/name", "header/COOKIE/cookie/theme"]


def test_credentials_in_query_and_body_are_no_insertion_points_nor_is_what_is_inside_them():
    baseline = baseline_of(Request("GET", b"/a?access_token=eyJhIjoxfQ==&q=1"))
    points = [str(point) for point, _ in injectable(baseline, DEFAULT, [Point.of("get", "access_token")])]
    assert [point for point in points if point.startswith("get")] == ["get/q"]


def test_a_token_that_a_framework_looks_at_itself_is_no_value_and_one_of_the_applications_own_is():
    body = b"csrfmiddlewaretoken=Qb7y5tQ0pO&authenticity_token=k2_s1&form_token=e1d2&note=tea"
    request = Request("POST", b"/notes", ((b"Content-Type", b"application/x-www-form-urlencoded"),), body)
    points = [str(point) for point, _ in injectable(baseline_of(request), THOROUGH, []) if point[0] == "post"]
    named = {
        name
        for name in ("csrfmiddlewaretoken", "authenticity_token", "form_token", "note")
        if any(name in each for each in points)
    }
    assert named == {"form_token", "note"}


def names_of(body: bytes, target: bytes = b"/api") -> list[str]:
    request = Request("POST", target, ((b"Content-Type", b"application/json"),), body)
    return [str(point) for point, _ in injectable(baseline_of(request), THOROUGH, []) if point[-1] == "name"]


def test_names_that_graphql_or_json_rpc_read_themselves_are_no_insertion_points():
    asked = (
        b'{"query":"query Q($w: In!) { tea(w: $w) { id } }","variables":{"w":{"kind":"oolong"}},"operationName":"Q"}'
    )
    assert names_of(asked, b"/graphql?lang=en") == ["get/lang/name"]
    called = b'{"jsonrpc":"2.0","id":1,"method":"tea.find","params":{"kind":"oolong"}}'
    assert names_of(called) == ["post/json_doc/json_obj/params/json_obj/kind/name"]
    plain = b'{"query":"oolong","id":1}'
    assert names_of(plain) == ["post/json_doc/json_obj/query/name", "post/json_doc/json_obj/id/name"]


def test_declarations_of_xml_namespaces_are_no_values():
    body = b'<?xml version="1.0"?><s:a xmlns:s="urn:s" xmlns="urn:t"><b kind="tea">lamp</b></s:a>'
    request = Request("POST", b"/soap", ((b"Content-Type", b"text/xml"),), body)
    points = [str(point) for point, _ in injectable(baseline_of(request), DEFAULT, [])]
    assert [point for point in points if "xmlns" in point] == []
    assert any(point.endswith("xml_attr/kind") for point in points)


def test_the_callers_address_is_added_only_where_headers_are_looked_at_and_no_proxy_told_one():
    plain = baseline_of(Request("GET", b"/a"))
    told = baseline_of(Request("GET", b"/a", ((b"X-Forwarded-For", b"10.0.0.1"),)))
    assert [str(point) for point, _ in forwarded(plain, THOROUGH)[0]] == ["header/X-FORWARDED-FOR"]
    assert forwarded(plain, THOROUGH)[1].request.first(b"X-Forwarded-For") == b"127.0.0.1"
    assert forwarded(plain, DEFAULT) == ([], plain)
    assert forwarded(told, THOROUGH) == ([], told)


def test_credentials_are_values_for_who_says_all_that_they_say_and_so_is_what_they_hold_in_base64():
    cookies = b"sessionid=eyJuYW1lIjoiYW5uIiwidGVhIjozfQ==; theme=dark"
    baseline = baseline_of(Request("GET", b"/?token=9d2f77a1c0", ((b"Cookie", cookies),)))
    session, token = Point.of("header", "COOKIE", "cookie", "sessionid"), Point.of("get", "token")
    gone = Point.of("header", "X-API-KEY")
    assert dict(credentials_as_values(baseline, THOROUGH, (session, token, gone))) == {
        token: b"9d2f77a1c0",
        session: b"eyJuYW1lIjoiYW5uIiwidGVhIjozfQ==",
        Point.of(*session, "base64"): b'{"name":"ann","tea":3}',
    }
    assert credentials_as_values(baseline, DEFAULT, (session, token)) == [(token, b"9d2f77a1c0")]
    elsewhere = msgspec.structs.replace(THOROUGH, exclude=(("header", "COOKIE", "cookie", "sessionid"),))
    assert credentials_as_values(baseline, elsewhere, (session, token)) == [(token, b"9d2f77a1c0")]
    assert credentials_as_values(baseline, msgspec.structs.replace(THOROUGH, include=(("get",),)), (session,)) == []


def test_of_a_kind_and_a_number_in_base64_the_number_is_what_names():
    points = {
        str(point): value for point, value in injectable(baseline_of(Request("GET", b"/a?q=Q2FyZDo1MTA=")), DEFAULT, [])
    }
    assert points["get/q/base64/key"] == b"510"
    assert "get/q" in points
    assert "get/q/base64" not in points
