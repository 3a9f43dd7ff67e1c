"""Who the sender of a baseline is."""

from base64 import b64encode
from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.holder import (
    common_tenants,
    holder_values,
    named_by,
    named_himself,
    values_of,
)
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

AUTHORIZATION = Point.of("header", "AUTHORIZATION")


def sent_by(*identities: Identity) -> frozenset[str]:
    return holder_values(situation_of(*identities))


def situation_of(*identities: Identity) -> Situation:
    basic = b"Basic " + b64encode(b"Ann:secret")
    request = Request("GET", b"/", ((b"Authorization", basic),))
    return Situation(
        baseline=Baseline("bl_1", Exchange(request, Response(200))),
        point=Point(),
        value=b"",
        credentials=(AUTHORIZATION,),
        policy=DEFAULT,
        random=Random(1),
        identities=identities,
    )


def test_credentials_and_the_record_say_who_it_is():
    assert sent_by() == {"ann"}
    assert sent_by(Identity("recorded 1", known=("ann@x.example", "7"))) == {"ann", "ann@x.example", "7"}


def test_what_another_is_called_too_tells_nobody_apart():
    both = (Identity("recorded 1", known=("7", "shop")), Identity("recorded 2", known=("8", "shop")))
    assert sent_by(*both) == {"ann", "7"}


def test_what_another_is_called_and_the_sender_is_not():
    own, other = Identity("recorded 1", known=("7", "shop")), Identity("recorded 2", known=("8", "shop"))
    assert values_of(other, situation_of(own, other)) == {"8"}


def test_of_what_the_request_names_the_surest_is_last():
    known = situation_of()
    request = Request("PUT", b"/cards/blue?card_id=7", known.baseline.request.headers)
    asked = msgspec.structs.replace(known, baseline=Baseline("bl_1", Exchange(request, Response(200))))
    named = named_by(asked)
    assert named[-1].value == "7"
    assert [each.sure for each in named] == sorted(each.sure for each in named)


def test_the_tenant_that_two_belong_to():
    ann, ben = Identity("recorded 1", known=("ann", "tenant=red")), Identity("recorded 2", known=("ben", "tenant=red"))
    eva = Identity("recorded 3", known=("eva", "tenant=blue"))
    assert common_tenants(ben, situation_of(ann, ben)) == {"tenant=red"}
    assert common_tenants(eva, situation_of(ann, eva)) == frozenset()
    mia, zoe = Identity("recorded 1", known=("present tenant=1",)), Identity("recorded 2", known=("present tenant=1",))
    assert common_tenants(zoe, situation_of(mia, zoe)) == {"tenant=1"}
    lee, kim = Identity("recorded 1", known=("together team=1",)), Identity("recorded 2", known=("together team=1",))
    assert common_tenants(kim, situation_of(lee, kim)) == {"together team=1"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"phone": "+15550100", "username": "Ann", "city": "x"}', "username"),
        (b'{"phone": "+15550100", "id": 7, "city": "x"}', None),
        (b'{"phone": "+15550100", "username": "ben"}', None),
    ],
)
def test_the_field_of_a_body_that_calls_the_sender_by_his_name(body, field):
    known = situation_of(Identity("recorded 1", known=("7",)))
    headers = (*known.baseline.request.headers, (b"Content-Type", b"application/json"))
    exchange = Exchange(Request("PUT", b"/profile", headers, body), Response(200))
    named = named_himself(msgspec.structs.replace(known, baseline=Baseline("bl_1", exchange)))
    assert (named and named.point[-1]) == field


def test_the_name_beside_a_password_lets_in_and_names_nobody():
    known = situation_of(Identity("recorded 1", known=("ann",)))
    body = b'{"by": {"user": "ann", "password": "k"}, "owner": "ann"}'
    exchange = Exchange(Request("POST", b"/boats", ((b"Content-Type", b"application/json"),), body), Response(200))
    letting_in = (Point.of("post", "json_doc", "json_obj", "by", "json_obj", "user"),)
    named = named_himself(msgspec.structs.replace(known, baseline=Baseline("bl_1", exchange), credentials=letting_in))
    assert named is not None
    assert named.point[-1] == "owner"
