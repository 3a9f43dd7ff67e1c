"""The objects that a request sends, and the same request with others in their place."""

import json

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.fields.sent_objects import body_of, sending, views_of

JSON = (b"Content-Type", b"application/json")
FORM = (b"Content-Type", b"application/x-www-form-urlencoded")


@pytest.mark.parametrize(
    ("header", "body", "values"),
    [
        (JSON, b'{"a": 1}', {"a": 1}),
        (FORM, b"a=1&b=x+y", {"a": "1", "b": "x y"}),
        (JSON, b"[1]", None),
        (JSON, b"{}", None),
        (JSON, b"{", None),
        (FORM, b"", None),
        ((b"Content-Type", b"text/plain"), b"a=1", None),
    ],
)
def test_the_object_of_a_body(header, body, values):
    assert body_of(Request("POST", b"/", (header,), body)) == values


def test_a_body_is_written_in_the_form_that_the_request_has():
    values = {"a": "x y", "admin": True, "n": 5}
    made = sending(Request("POST", b"/", (JSON, (b"Content-Length", b"2")), b"{}"), values)
    assert (json.loads(made.body), made.first(b"Content-Length")) == (values, str(len(made.body)).encode())
    assert sending(Request("POST", b"/", (FORM,), b"a=1"), values).body == b"a=x+y&admin=true&n=5"


@pytest.mark.parametrize(
    ("body", "inner", "wrapped"),
    [
        (b'{"user": {"name": "ann"}}', {"name": "ann"}, {"user": {"name": "ann", "role": "admin"}}),
        (b'[{"name": "ann"}, {"name": "ben"}]', {"name": "ann"}, [{"name": "ann", "role": "admin"}, {"name": "ben"}]),
        (
            b'[{"op": "replace", "path": "/name", "value": "ann"}, {"op": "test", "path": "/a/b"}]',
            {"name": "ann"},
            [{"op": "replace", "path": "/name", "value": "ann"}, {"op": "replace", "path": "/role", "value": "admin"}],
        ),
        (
            b'[{"op": "add", "path": "/name", "value": "ann"}]',
            {"name": "ann"},
            [{"op": "add", "path": "/name", "value": "ann"}, {"op": "add", "path": "/role", "value": "admin"}],
        ),
    ],
)
def test_the_object_of_a_body_may_be_wrapped(body, inner, wrapped):
    view = views_of(Request("PUT", b"/", (JSON,), body))[-1]
    assert view.inner == inner
    assert view.wrap({**inner, "role": "admin"}) == wrapped


@pytest.mark.parametrize(("name", "sent"), [("a.b", b"a.b=1&user.role=x"), ("a", b"a=1&user%5Brole%5D=x")])
def test_an_object_in_a_form_is_named_as_the_form_names_others(name, sent):
    assert sending(Request("PUT", b"/", (FORM,), b"a=1"), {name: "1", "user": {"role": "x"}}).body == sent


def test_names_in_brackets_are_objects_within_objects_and_are_written_so_again():
    form = b"user%5Bphone%5D=5&user%5Bprofile%5D%5Bnick%5D=Ann"
    request = Request("POST", b"/account", ((b"Content-Type", b"application/x-www-form-urlencoded"),), form)
    view = views_of(request)[-1]
    assert view.inner == {"phone": "5", "profile": {"nick": "Ann"}}
    assert sending(request, view.wrap({"profile": {"nick": "Ann", "tier": "gold"}})).body == (
        b"user%5Bprofile%5D%5Bnick%5D=Ann&user%5Bprofile%5D%5Btier%5D=gold"
    )


def test_of_a_graphql_operation_the_input_objects_are_looked_at():
    message = {
        "query": "mutation M($n: Int, $in: I!) { m(n: $n, in: $in) { id } }",
        "variables": {"n": 1, "in": {"a": 2}},
    }
    request = Request("POST", b"/graphql", (JSON,), json.dumps(message).encode())
    (view,) = views_of(request)
    assert view.inner == {"a": 2}
    assert view.wrap({"a": 3}) == {**message, "variables": {"n": 1, "in": {"a": 3}}}
    flat = {**message, "variables": {"n": 1}}
    assert views_of(Request("POST", b"/graphql", (JSON,), json.dumps(flat).encode())) == []


@pytest.mark.parametrize("sent", [{"bio": "tea"}, {"bio": "tea", "isAdmin": False}])
def test_of_a_graphql_operation_that_declares_a_right_the_variables_are_looked_at(sent: dict):
    message = {
        "query": "mutation M($bio: String, $isAdmin: Boolean) { m(bio: $bio, isAdmin: $isAdmin) { id } }",
        "variables": sent,
    }
    (view,) = views_of(Request("POST", b"/graphql", (JSON,), json.dumps(message).encode()))
    assert view.inner == sent
    assert view.wrap({"isAdmin": True}) == {**message, "variables": {"isAdmin": True}}


def test_of_a_call_by_json_rpc_the_arguments_are_looked_at_and_the_objects_among_them():
    call = {"jsonrpc": "2.0", "id": 4, "method": "user.update", "params": {"id": 7, "changes": {"city": "York"}}}
    request = Request("POST", b"/rpc", (JSON,), json.dumps(call).encode())
    arguments, changes = views_of(request)
    assert (arguments.inner, changes.inner) == (call["params"], {"city": "York"})
    assert arguments.wrap({"id": 8}) == {**call, "params": {"id": 8}}
    assert changes.wrap({"plan": "gold"}) == {**call, "params": {"id": 7, "changes": {"plan": "gold"}}}
    listed = Request("POST", b"/rpc", (JSON,), json.dumps({**call, "params": [call["params"]]}).encode())
    arguments, changes = views_of(listed)
    assert arguments.wrap({"id": 8}) == {**call, "params": [{"id": 8}]}
    assert changes.wrap({"plan": "gold"}) == {**call, "params": [{"id": 7, "changes": {"plan": "gold"}}]}
    by_position = {**call, "params": [7, "York"]}
    assert views_of(Request("POST", b"/rpc", (JSON,), json.dumps(by_position).encode())) == []
    no_call = Request("POST", b"/jobs", (JSON,), b'{"params": {"a": 1}}')
    assert [view.inner for view in views_of(no_call)] == [{"params": {"a": 1}}, {"a": 1}]


@pytest.mark.parametrize(
    ("form", "inner", "sent"),
    [
        (b"t=1&user%5Bname%5D=Ann", {"name": "Ann"}, b"t=1&user%5Bname%5D=Ann&user%5Brole%5D=x"),
        (b"user.name=Ann&t=1", {"name": "Ann"}, b"user.name=Ann&user.role=x&t=1"),
        (b"t=1&my_name=Ann&my_town=York", {"name": "Ann", "town": "York"}, b"t=1&my_name=Ann&my_town=York&my_role=x"),
        (
            b"rows%5B0%5D.a=1&rows%5B0%5D.b=2",
            {"a": "1", "b": "2"},
            b"rows%5B0%5D.a=1&rows%5B0%5D.b=2&rows%5B0%5D.role=x",
        ),
    ],
)
def test_the_fields_of_a_form_that_are_about_one_thing_are_an_object(form: bytes, inner: dict, sent: bytes):
    request = Request("POST", b"/account", (FORM,), form)
    whole, view = views_of(request)
    assert view.inner == inner
    assert sending(request, whole.inner).body == form
    assert sending(request, view.wrap({**view.inner, "role": "x"})).body == sent


def test_a_view_knows_what_the_form_sets_under_its_whole_name():
    request = Request("POST", b"/orders", (FORM,), b"user_id=7&user_name=Ann")
    whole, view = views_of(request)
    assert view.sets("user_id")
    assert view.sets("userName")
    assert not view.sets("role")
    assert (whole.names, view.inner) == (frozenset(), {"id": "7", "name": "Ann"})
    assert view.fits({"Name": "Bea"})
    assert not view.fits({"user_name": "Bea"})


def test_a_name_that_is_a_text_and_an_object_is_left_as_it_stands():
    for form in (b"user=Ann&user%5Bname%5D=Ann", b"user%5Bname%5D=Ann&user=Ann"):
        request = Request("POST", b"/account", (FORM,), form)
        assert set(views_of(request)[0].inner) == {"user", "user[name]"}
        assert sending(request, views_of(request)[0].inner).body == form


def test_a_request_without_a_body_sends_what_stands_in_its_address():
    request = Request("PUT", b"/me?name=Ann", (JSON,))
    assert body_of(request) is None
    (view,) = views_of(request)
    assert sending(request, view.wrap({**view.inner, "admin": True})).target == b"/me?name=Ann&admin=true"


def test_what_a_call_by_soap_is_given_is_an_object():
    body = b'<e:Envelope xmlns:e="x"><e:Body><Enrol xmlns="urn:club"><name>Ann</name></Enrol></e:Body></e:Envelope>'
    request = Request("POST", b"/services", ((b"Content-Type", b"text/xml"),), body)
    (view,) = views_of(request)
    assert view.inner == {"name": "Ann"}
    sent = sending(request, view.wrap({**view.inner, "role": "chief"}))
    assert b'<Enrol xmlns="urn:club"><name>Ann</name><role>chief</role></Enrol>' in sent.body
