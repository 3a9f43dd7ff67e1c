"""An application's login is sent as the auth profile signs in."""

import pytest

from gatecrash.core.message import Request
from gatecrash.core.testing.profiles.profile import ProfileIdentity, Step
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.own_login import entering

JSON = (("Content-Type", "application/json"),)
ANN = ProfileIdentity(
    name="ann",
    variables=(("user", "ann@shop.example"), ("password", "ann-1")),
    login=(Step(method="POST", url="/rest/login"),),
)


def draft(target: str, body: str) -> Draft:
    headers = ((b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(body)))
    return Draft(Request("POST", target.encode(), headers, body.encode(), host="shop.example"), drafted=True)


@pytest.mark.parametrize("name", ["email", "username"])
@pytest.mark.parametrize("url", ["/rest/login", "http://shop.example/rest/login"])
def test_a_login_lets_in_whom_the_profile_tells(name: str, url: str) -> None:
    ann = ProfileIdentity(name="ann", variables=ANN.variables, login=(Step(method="POST", url=url),))
    found = entering(draft("/rest/login", f'{{"{name}":"user@example.com","password":"x"}}'), [ann])
    assert found.request.body == f'{{"{name}":"ann@shop.example","password":"ann-1"}}'.encode()


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/rest/login", '{"email":"user@example.com","password":"x","tenant":"y"}'),  # asks for what nobody told
        ("/admin/login", '{"email":"user@example.com","password":"x"}'),  # another one
        ("/rest/members", '{"email":"user@example.com","password":"x"}'),  # makes an account
        ("/rest/notes", '{"text":"x"}'),
    ],
)
def test_anything_else_stays(target: str, body: str) -> None:
    given = draft(target, body)
    assert entering(given, [ANN]).request == given.request


def test_nobody_signs_in_where_no_profile_tells_how() -> None:
    given = draft("/rest/login", '{"email":"user@example.com","password":"x"}')
    assert entering(given, []).request == given.request
    assert entering(given, [ProfileIdentity(name="bob", login=ANN.login)]).request == given.request


def test_a_login_without_any_field_has_those_of_the_profiles_step() -> None:
    step = Step(method="POST", url="/rest/login", headers=JSON, body='{"mail":"${user}","word":"${password}"}')
    ann = ProfileIdentity(name="ann", variables=ANN.variables, login=(step,))
    bare = Draft(Request("POST", b"/rest/login", host="shop.example"), drafted=True)
    found = entering(bare, [ann]).request
    assert found.body == b'{"mail":"ann@shop.example","word":"ann-1"}'
    assert found.first(b"Content-Type") == b"application/json"
    later = Step(method="POST", url="/rest/login", headers=JSON, body='{"ticket":"${ticket}"}')
    assert entering(bare, [ProfileIdentity(name="bob", login=(later,))]).request == bare.request


def test_a_name_is_what_the_profiles_step_sends_as_one() -> None:
    body = '{"login":"ann@shop.example","password":"ann-1"}'
    step = Step(method="POST", url="/rest/login", headers=JSON, body=body)
    told = (("user", "ann"), ("mail", "ann@shop.example"), ("password", "ann-1"))
    ann = ProfileIdentity(name="ann", variables=told, login=(step,))
    found = entering(draft("/rest/login", '{"login":"ann","password":"x"}'), [ann])
    assert found.request.body == body.encode()
