"""Credentials never leave in what is shown."""

import pytest

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.reports.masking import mask_request, mask_response

SECRET = b"s3cr3t-value-0123456789"


def masked(request: Request, *custom: Point) -> Request:
    return mask_request(request, compile_recogniser(custom))


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        (b"Authorization", b"Bearer " + SECRET, b"Bearer $TOKEN"),
        (b"authorization", SECRET, b"$TOKEN"),
        (b"X-Api-Key", SECRET, b"$TOKEN"),
        (b"X-My-Secret", SECRET, b"$TOKEN"),
        (b"Cookie", b"a=" + SECRET + b"; b=" + SECRET, b"a=$TOKEN; b=$TOKEN"),
        (b"Accept", b"text/html", b"text/html"),
    ],
)
def test_headers(name: bytes, value: bytes, shown: bytes) -> None:
    assert masked(Request("GET", b"/", ((name, value),))).headers == ((name, shown),)


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (b"/a?api_key=" + SECRET + b"&q=1", b"/a?api_key=$TOKEN&q=1"),
        (b"/a?q=1&access%5Ftoken=" + SECRET, b"/a?q=1&access%5Ftoken=$TOKEN"),
        (b"/a?token=", b"/a?token="),
        (b"/a?b&token=" + SECRET + b"&c", b"/a?b&token=$TOKEN&c"),
        (b"/a??x?token=" + SECRET, b"/a??x?token=$TOKEN"),
        (b"/a" + b"?" * 200_000, b"/a" + b"?" * 200_000),
        (b"/a?q=token", b"/a?q=token"),
        (b"/a?author=ada&author_id=7&authority=x", b"/a?author=ada&author_id=7&authority=x"),
        (b"/a?authorization=secretish&authorisation_id=x", b"/a?authorization=$TOKEN&authorisation_id=$TOKEN"),
    ],
)
def test_query_parameters(target: bytes, shown: bytes) -> None:
    assert masked(Request("GET", target)).target == shown


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        (b"Access-Control-Allow-Credentials", b"true", b"true"),
        (b"WWW-Authenticate", b"Bearer realm=a", b"Bearer realm=a"),
        (b"X-Credentials", SECRET, b"$TOKEN"),
        (b"Set-Cookie", b"sid=" + SECRET + b"; Path=/", b"sid=$TOKEN; Path=/"),
    ],
)
def test_headers_of_answers(name: bytes, value: bytes, shown: bytes) -> None:
    assert mask_response(Response(200, ((name, value),))).headers == ((name, shown),)


def test_bodies_are_masked_where_detection_finds_a_credential() -> None:
    headers = ((b"Content-Type", b"application/json"), (b"Content-Length", b"99"))
    request = masked(Request("POST", b"/", headers, b'{"access_token": "' + SECRET + b'", "q": 1}'))
    assert SECRET not in request.body
    assert b'"q": 1' in request.body


def test_the_client_s_own_parameters_are_masked() -> None:
    request = Request("GET", b"/a?k=" + SECRET, ((b"X-Mine", SECRET),))
    shown = masked(request, Point.of("header", "X-MINE"), Point.of("get", "k"))
    assert shown.headers == ((b"X-Mine", b"$TOKEN"),)
    assert shown.target == b"/a?k=$TOKEN"


def test_cookies_that_an_answer_hands_out_are_masked() -> None:
    response = mask_response(Response(200, ((b"Set-Cookie", b"sid=" + SECRET + b"; HttpOnly"),)))
    assert response.headers == ((b"Set-Cookie", b"sid=$TOKEN; HttpOnly"),)


@pytest.mark.parametrize(
    ("point", "request_", "shown"),
    [
        (("header", "ACCEPT"), Request("GET", b"/", ((b"Accept", SECRET),)), b"$TOKEN"),
        (("get", "q"), Request("GET", b"/?q=" + SECRET), b"/?q=$TOKEN"),
        (
            ("post", "form_urlencoded", "csrf"),
            Request(
                "POST",
                b"/",
                ((b"Content-Type", b"application/x-www-form-urlencoded"),),
                b"a=1&csrf=" + SECRET + b"&b=%24",
            ),
            b"a=1&csrf=$TOKEN&b=%24",
        ),
        (("path", "0"), Request("GET", b"/" + SECRET + b"/x"), b"/$TOKEN/x"),
        (
            ("post", "json_doc", "json_obj", "a", "json_obj", "b"),
            Request("POST", b"/", ((b"Content-Type", b"application/json"),), b'{"a": {"b": "' + SECRET + b'"}}'),
            b'{"a": {"b": "$TOKEN"}}',
        ),
    ],
)
def test_a_point_that_holds_a_credential_is_masked_whatever_it_looks_like(
    point: tuple[str, ...], request_: Request, shown: bytes
) -> None:
    found = mask_request(request_, compile_recogniser(), (Point(point),))
    whole = found.target + found.body + b"".join(value for _, value in found.headers)
    assert SECRET not in whole
    assert shown in whole


def test_a_point_that_the_request_does_not_have_changes_nothing() -> None:
    request = Request("GET", b"/a?b=c", ((b"Accept", b"*/*"),))
    points = (Point.of("post", "json_doc", "json_obj", "a"), Point.of("header", "X-A"), Point.of("get", "q"))
    assert mask_request(request, compile_recogniser(), points) == request


@pytest.mark.parametrize("document_type", [b"", b'<!DOCTYPE s:Envelope [<!ENTITY e SYSTEM "file:///e">]>'])
def test_the_password_of_a_username_token_is_masked_whatever_else_the_document_holds(document_type: bytes) -> None:
    envelope = (
        b"<s:Envelope xmlns:s='urn:s'><s:Header><w:Security xmlns:w='urn:w'><w:UsernameToken><w:Username>ann</w:Username>"
        b"<w:Password Type='urn:text'>%b</w:Password></w:UsernameToken></w:Security></s:Header>"
        b"<s:Body><Word>kept</Word></s:Body></s:Envelope>"
    )
    shown = masked(
        Request("POST", b"/", ((b"Content-Type", b"text/xml"),), document_type + envelope % b"s3&e;cret")
    ).body
    assert b"cret" not in shown
    assert b"<Word>kept</Word>" in shown
    assert b"<w:Password Type='urn:text'>$TOKEN</w:Password>" in shown
