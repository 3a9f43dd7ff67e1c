"""What is sent before the tests goes out in the session of whoever sent it, with a token of now."""

from typing import Any

import msgspec
from tests.node.loop import run
from tests.node.test.answering import Application, get, traffic

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile, Holder, Placed, ProfileIdentity
from gatecrash.node.test.beforehand.as_own import as_own, is_own, own_name
from gatecrash.node.test.sessions.principal import SIGNED_OUT

RECOGNISER = compile_recogniser()
PROFILE: dict[str, Any] = {
    "values": [{"point": ["header", "Authorization"], "value": "Bearer of-${who}-0123456789"}],
    "identities": [{"name": "ann", "variables": {"who": "ann"}}, {"name": "ben", "variables": {"who": "ben"}}],
}
ANN, BEN, CAT = (b"Bearer recorded-%s-0123456789" % name for name in (b"ann", b"ben", b"cat"))
HOLDERS = tuple(
    Holder(name, (Placed(("header", "AUTHORIZATION"), value.decode()),)) for name, value in (("ann", ANN), ("ben", BEN))
)


def made_by(credentials: bytes, token: str = "f3a9c01b77de2b6445aa") -> Request:
    request = get(
        "/loads",
        (b"Authorization", credentials),
        (b"Content-Type", b"application/x-www-form-urlencoded"),
        method="POST",
    )
    sent: Request = msgspec.structs.replace(request, body=b"name=Ulm&csrf_token=%s" % token.encode())
    return sent


@run
async def test_each_goes_out_once_as_who_sent_it_with_a_form_token_of_now() -> None:
    tokens = iter(f"00aa11bb22cc33dd44e{number}" for number in range(9))
    page = get("/loads/new", (b"Authorization", ANN))

    def says(request: Request) -> Response:
        if request.method == "GET":
            return Response(
                200, body=b'<form><input type="hidden" name="csrf_token" value="%s"></form>' % next(tokens).encode()
            )
        return Response(201, body=b'{"id": 41}')

    application = Application(says)
    way = traffic(application, PROFILE)
    assert way.sessions.profile is not None
    way.sessions.profile = msgspec.structs.replace(way.sessions.profile, holders=HOLDERS)
    shown = b'<form><input type="hidden" name="csrf_token" value="f3a9c01b77de2b6445aa"></form>'
    way.forms.sources.see(Exchange(page, Response(200, body=shown)))
    answers = [await as_own(way, RECOGNISER, "questions")(made_by(each)) for each in (ANN, BEN)]
    assert [answer.exchange.response and answer.exchange.response.status for answer in answers] == [201, 201]
    sent = [request for request in application.asked if request.method == "POST"]
    assert [each.first(b"Authorization") for each in sent] == [b"Bearer of-ann-0123456789", b"Bearer of-ben-0123456789"]
    assert all(b"f3a9c01b77de2b6445aa" not in each.body and b"00aa11bb" in each.body for each in sent)


@run
async def test_who_cannot_be_signed_in_sends_nothing() -> None:
    refused = PROFILE | {"login": [{"path": "/login", "method": "POST", "json": {}}], "base": "https://shop.example"}
    application = Application(lambda _request: Response(401))
    answer = await as_own(traffic(application, refused), RECOGNISER, "questions")(made_by(ANN))
    assert (answer.failure, answer.exchange.response) == (SIGNED_OUT, None)
    assert set(application.paths()) == {"/login"}


def test_what_an_unknown_user_sent_belongs_to_none_of_several() -> None:
    several = AuthProfile(
        id="prof_1", name="p", identities=(ProfileIdentity(name="ann"), ProfileIdentity(name="ben")), holders=HOLDERS
    )
    alone = msgspec.structs.replace(several, identities=several.identities[:1], holders=())
    assert [is_own(made_by(each), several, RECOGNISER) for each in (ANN, BEN, CAT)] == [True, True, False]
    assert is_own(get("/loads/3"), several, RECOGNISER), "nobody sent it"
    assert is_own(made_by(CAT), alone, RECOGNISER)
    assert is_own(made_by(CAT), None, RECOGNISER)


@run
async def test_a_recorded_request_is_called_after_who_sent_it_and_an_unknown_users_after_nobody() -> None:
    way = traffic(Application(lambda _request: Response(200)), PROFILE)
    assert way.sessions.profile is not None
    assert own_name(way, made_by(ANN), RECOGNISER) == "", "which of the two it was is not known yet"
    way.sessions.profile = msgspec.structs.replace(way.sessions.profile, holders=HOLDERS)
    assert [own_name(way, made_by(each), RECOGNISER) for each in (ANN, BEN, CAT)] == ["ann", "ben", ""]
    assert own_name(way, get("/loads/3"), RECOGNISER) == "ann", "nobody sent it: it is asked as the first"


@run
async def test_where_there_is_one_identity_alone_everything_is_his() -> None:
    way = traffic(Application(lambda _request: Response(200)), PROFILE | {"identities": PROFILE["identities"][:1]})
    assert own_name(way, made_by(CAT), RECOGNISER) == "ann"
