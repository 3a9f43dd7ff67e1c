"""Each saved request of a Postman collection becomes one that can be sent."""

import io
import json
from typing import Any

import pytest

from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.saved import postman

INFO = {"name": "n", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}


def read(*items: Any, **collection: Any) -> list[Any]:
    return list(postman.read(io.BytesIO(json.dumps({"info": INFO, "item": items, **collection}).encode())))


def saved(url: Any, method: str = "GET", **more: Any) -> dict[str, Any]:
    return {"name": "saved", "request": {"method": method, "url": url, **more}}


def variables(**values: str) -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in values.items()]


def test_variables_have_the_value_of_the_innermost_folder() -> None:
    inner = {
        "name": "f",
        "item": [saved("{{base}}/a/{{deep}}")],
        "variable": variables(base="http://127.0.0.1:9/{{v}}"),
    }
    (one,) = read(inner, variable=variables(base="http://outer.example", v="v1", deep="x y"))
    assert one.request.url == "http://127.0.0.1:9/v1/a/x%20y"
    assert one.drafted


def test_what_is_off_is_not_sent() -> None:
    url = {
        "raw": "http://h.example/a?on=1&off=2",
        "query": [{"key": "on", "value": "1"}, {"key": "off", "value": "2", "disabled": True}],
    }
    headers = [{"key": "X-On", "value": "1"}, {"key": "X-Off", "value": "1", "disabled": True}]
    (one,) = read(saved(url, "POST", header=headers))
    assert (one.request.target, one.spare) == (b"/a?on=1", None)
    assert [name for name, _ in one.request.headers] == [b"Host", b"X-On"]


def test_what_is_off_in_the_query_of_what_only_reads_is_optional() -> None:
    pairs = [("status", "open", True), ("on", "1", False), ("on", "2", True), ("status", "sent", True)]
    url = {"raw": "http://h.example/a?on=1", "query": [{"key": k, "value": v, "disabled": off} for k, v, off in pairs]}
    (one,) = read(saved(url))
    assert one.spare is not None
    assert (one.request.target, one.spare.target) == (b"/a?on=1&status=open", b"/a?on=1")
    assert [(hole.name, tuple(hole.point), hole.given, hole.loose) for hole in one.holes] == [
        ("status", ("get", "status"), True, True)
    ]


def test_what_only_reads_may_be_asked_by_what_was_saved_without_a_value() -> None:
    url = {"raw": "http://h.example/a?owner=&q", "query": [{"key": "owner", "value": ""}, {"key": "q", "value": None}]}
    reads, changes = read(saved(url), saved(url, "POST"))
    assert [(hole.name, hole.point, hole.loose) for hole in reads.holes] == [("owner", ("get", "owner"), True)]
    assert changes.holes == ()


def test_variables_without_a_value_are_holes_and_one_in_the_host_asks_for_a_target() -> None:
    url = {"raw": "{{api}}/users/:id/{{order}}", "variable": [{"key": "id", "value": ""}]}
    (one,) = read(saved(url))
    assert (one.request.host, one.request.target) == ("", b"/users/1/example")
    assert [(hole.name, tuple(hole.point), hole.given) for hole in one.holes] == [
        ("id", ("path", "1"), False),
        ("order", ("path", "2"), False),
    ]


def test_an_address_that_is_one_text_is_asked_with_what_is_there_too() -> None:
    (one,) = read(saved("http://127.0.0.1:9/clips/convert?clip_id=1&size={{size}}&q&owner=#top"))
    assert one.request.target == b"/clips/convert?clip_id=1&size=1&q&owner="
    assert [(hole.name, hole.given, hole.loose) for hole in one.holes] == [
        ("clip_id", True, False),
        ("size", False, False),
        ("owner", False, True),
    ]


def test_variables_of_a_body_are_holes_but_what_goes_with_a_password() -> None:
    def body(text: str) -> dict[str, Any]:
        return {"mode": "raw", "raw": text, "options": {"raw": {"language": "json"}}}

    form = {"mode": "urlencoded", "urlencoded": variables(orderId="{{orderId}}", known="{{known}}")}
    one, two, three = read(
        saved("http://h.example/", "POST", body=body('{"order": {{order}}, "why": "{{why}}"} // x')),
        saved("http://h.example/", "POST", body=body('{"user": "{{user}}", "password": "{{password}}"}')),
        saved("http://h.example/", "POST", body=form),
        variable=variables(known="7"),
    )
    assert one.request.body.strip() == b'{"order": 1, "why": "1"}'
    assert [hole.name for hole in one.holes] == ["order", "why"]
    assert two.holes == ()
    assert [tuple(hole.point) for hole in three.holes] == [("post", "form_urlencoded", "orderId")]


def test_an_address_in_parts_is_put_together() -> None:
    url = {"protocol": "https", "host": ["api", "example", "com"], "port": "8443", "path": ["v1", "things"]}
    assert read(saved(url))[0].request.url == "https://api.example.com:8443/v1/things"


@pytest.mark.parametrize(
    ("auth", "header"),
    [
        ({"type": "bearer", "bearer": variables(token="T1")}, b"Bearer T1"),
        ({"type": "bearer", "bearer": {"token": "T2"}}, b"Bearer T2"),
        ({"type": "basic", "basic": variables(username="a", password="b")}, b"Basic YTpi"),
        ({"type": "apikey", "apikey": variables(key="Authorization", value="K")}, b"K"),
        ({"type": "noauth"}, None),
    ],
)
def test_authorization_is_taken_over(auth: Any, header: bytes | None) -> None:
    (one,) = read(saved("http://h.example/"), auth=auth)
    assert one.request.first(b"Authorization") == header
    assert one.wants == ()


def test_an_api_key_may_stand_in_the_query_and_a_request_may_switch_its_folders_authorization_off() -> None:
    key = {"type": "apikey", "apikey": variables(key="k", value="v", **{"in": "query"})}
    with_key, without = read(
        saved("http://h.example/a"), saved("http://h.example/b", auth={"type": "noauth"}), auth=key
    )
    assert (with_key.request.target, without.request.target) == (b"/a?k=v", b"/b")


def test_credentials_that_have_no_value_are_left_out_and_named() -> None:
    bearer = {"type": "bearer", "bearer": variables(token="{{secret}}")}
    header = [{"key": "Authorization", "value": "Bearer {{secret}}"}]
    for one in (*read(saved("http://h.example/"), auth=bearer), *read(saved("http://h.example/", header=header))):
        assert one.request.first(b"Authorization") is None
        assert len(one.wants) == 1


@pytest.mark.parametrize(
    ("body", "kind", "data"),
    [
        ({"mode": "raw", "raw": '{"a": "{{$guid}}"}'}, b"application/json", b'{"a": "3f2b8c1e-5d47-4a6b-9c0e-1a2b3c4d5e6f"}'),
        ({"mode": "raw", "raw": "<a/>", "options": {"raw": {"language": "xml"}}}, b"application/xml", b"<a/>"),
        ({"mode": "raw", "raw": "plain"}, b"text/plain", b"plain"),
        ({"mode": "urlencoded", "urlencoded": variables(a="1 2", b="&")}, b"application/x-www-form-urlencoded", b"a=1%202&b=%26"),
        ({"mode": "graphql", "graphql": {"query": "{a}", "variables": '{"b": 1}'}}, b"application/json", b'{"query": "{a}", "variables": {"b": 1}}'),
        ({"mode": "raw", "raw": "x", "disabled": True}, None, b""),
    ],
)  # fmt: skip
def test_bodies_of_every_mode(body: Any, kind: bytes | None, data: bytes) -> None:
    (one,) = read(saved("http://h.example/", "POST", body=body))
    assert (one.request.first(b"Content-Type"), one.request.body) == (kind, data)


def test_a_form_with_a_file() -> None:
    fields = [{"key": "a", "value": "1"}, {"key": "f", "type": "file", "src": "/tmp/x"}]
    (one,) = read(saved("http://h.example/", "POST", body={"mode": "formdata", "formdata": fields}))
    assert b'name="f"; filename="x"' in one.request.body
    assert b"/tmp/x" not in one.request.body


def test_what_cannot_be_sent_is_told_by_its_folders_and_name() -> None:
    file = {"mode": "file", "file": {"src": "/x"}}
    circle = saved("http://h.example/{{a}}")
    told = read(
        {"name": "F", "item": [saved("http://h.example/", "POST", body=file), saved(""), circle]},
        variable=variables(a="{{a}}"),
    )
    assert [one.place for one in told if isinstance(one, Malformed)] == [1, 2, 3] or len(told) == 3
    assert "F / saved" in told[0].why
    assert "no address" in told[1].why


def test_a_collection_that_is_wrapped_once_more_is_read() -> None:
    wrapped = {"collection": {"info": INFO, "item": [saved("http://h.example/w")]}}
    (one,) = postman.read(io.BytesIO(json.dumps(wrapped).encode()))
    assert one.request.target == b"/w"


def test_what_has_no_items_is_no_collection() -> None:
    with pytest.raises(UnreadableCapture, match="item"):
        list(postman.read(io.BytesIO(b'{"info": {}}')))


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://h.example/a?x=%26&y=a+b&z=c=d&flag", b"/a?x=%26&y=a+b&z=c=d&flag"),
        ({"raw": "http://h.example/a", "query": [{"key": "flag", "value": None}, {"key": "e", "value": ""}]}, b"/a?flag&e="),
        ({"raw": "http://h.example/a", "query": [{"key": "ids[]", "value": "{{t}}"}]}, b"/a?ids[]=true"),
    ],
)  # fmt: skip
def test_a_query_is_sent_as_it_was_typed(url: Any, target: bytes) -> None:
    (one,) = read(saved(url), variable=[{"key": "t", "value": True}])
    assert one.request.target == target


def test_comments_are_taken_out_of_json_and_stay_within_its_texts() -> None:
    text = '{"a": "http://x", // note\n "b": /* two */ 2}'
    body = {"mode": "raw", "raw": text, "options": {"raw": {"language": "json"}}}
    (one,) = read(saved("http://h.example/", "POST", body=body))
    assert json.loads(one.request.body) == {"a": "http://x", "b": 2}


def test_a_file_keeps_its_name_and_gets_the_type_of_its_ending() -> None:
    fields = [{"key": "f", "type": "file", "src": ["/pictures/pic.png", "/b"]}]
    (one,) = read(saved("http://h.example/", "POST", body={"mode": "formdata", "formdata": fields}))
    assert b'filename="pic.png"\r\nContent-Type: image/png' in one.request.body


def test_the_operation_of_a_graphql_body_is_named() -> None:
    body = {"mode": "graphql", "graphql": {"query": "query Q {a} query R {b}", "operationName": "R"}}
    (one,) = read(saved("http://h.example/", "POST", body=body))
    assert json.loads(one.request.body)["operationName"] == "R"


@pytest.mark.parametrize(
    ("place", "target", "header"),
    [("header", b"/", b"Bearer t.k"), ("queryParams", b"/?access_token=t.k", None)],
)
def test_an_access_token_that_was_saved_is_sent(place: str, target: bytes, header: bytes | None) -> None:
    told = [{"key": "accessToken", "value": "t.k"}, {"key": "addTokenTo", "value": place}]
    (one,) = read(saved("http://h.example/", auth={"type": "oauth2", "oauth2": told}))
    assert (one.request.target, one.request.first(b"Authorization"), one.wants) == (target, header, ())


NONE, BEARER = {"type": "noauth"}, {"type": "bearer", "bearer": variables(token="{{token}}")}


@pytest.mark.parametrize(
    ("auth", "inherited", "header", "public"),
    [
        (NONE, BEARER, None, True),
        (None, NONE, None, True),
        (None, BEARER, None, False),
        (None, None, None, False),
        (NONE, BEARER, "Bearer {{token}}", False),
        (NONE, BEARER, "Bearer x", False),
    ],
)
def test_what_says_that_it_has_no_authorization_where_others_have_one_is_for_everybody(
    auth: Any, inherited: Any, header: str | None, *, public: bool
) -> None:
    given = [{"key": "Authorization", "value": header}] if header else []
    one, other = read(saved("http://h.example/a", auth=auth, header=given), saved("/b", auth=BEARER), auth=inherited)
    assert (one.public, other.public) == (public, False)


def test_nothing_is_said_where_no_request_has_an_authorization() -> None:
    (one,) = read(saved("http://h.example/a", auth=NONE))
    assert not one.public


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ('{"a": "//b", /* c */ "d": 1} // e', '{"a": "//b",  "d": 1} '),
        ('{"a": "b // c', '{"a": "b // c'),
        ('{"a": 1} /* b // c', '{"a": 1} /* b // c'),
    ],
)
def test_comments_are_taken_out_of_json_and_what_nothing_closes_is_left(written: str, sent: str) -> None:
    assert postman._uncommented(written) == sent


def test_a_call_whose_caller_is_a_variable_without_a_value_takes_the_token_of_the_login() -> None:
    raw = '{"jsonrpc": "2.0", "method": "item.get", "params": {"itemid": 7}, "auth": "{{token}}", "id": 1}'
    headers = [{"key": "Content-Type", "value": "application/json-rpc"}]
    (one,) = read(saved("http://h.example/rpc", "POST", header=headers, body={"mode": "raw", "raw": raw}))
    assert [place.point for place in one.places] == [("post", "json_doc", "json_obj", "auth")]
    assert (one.holes, one.wants) == ((), ("auth",))


def test_a_variable_with_a_value_that_is_a_segment_is_a_hole_that_is_given() -> None:
    url = {"raw": "{{base}}/orders/{{order_id}}/{{part}}/x-{{order_id}}"}
    values = variables(base="http://127.0.0.1:9/{{tenant_id}}", tenant_id="7", order_id="999", part="lines")
    (one,) = read(saved(url), variable=values)
    assert one.request.target == b"/7/orders/999/lines/x-999"
    assert [(hole.name, tuple(hole.point), hole.given) for hole in one.holes] == [("order_id", ("path", "2"), True)]
