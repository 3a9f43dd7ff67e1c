"""What a profile changes in a plan."""

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.injectable import injectable
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.profiles.planning import foreseen, is_public, limited, made_anew, masked_points
from gatecrash.core.testing.profiles.profile import RECORDED, Holder, Placed
from gatecrash.core.testing.profiles.profile_document import read_profile

REQUEST = Request("POST", b"/a?x=1", ((b"Host", b"h"), (b"X-Csrf", b"old"), (b"X-Time", b"1")))
PROFILE = read_profile(
    {
        "values": [{"point": ["header", "Authorization"], "value": "v"}, {"point": ["post", "form_urlencoded", "t"], "value": "v"}],
        "once": [{"values": [{"point": ["header", "X-Csrf"], "value": "${uuid}"}]}],
        "sign": {"scheme": "hmac", "key": "k", "header": "X-Sig", "signed": "${body}", "headers": {"X-Time": "${timestamp}"}},
    },
    "p",
)  # fmt: skip


def test_credentials_are_foreseen_where_they_will_stand() -> None:
    dressed, points = foreseen(REQUEST, PROFILE.identities[0])
    assert points == (("header", "AUTHORIZATION"), ("header", "X-SIG")), "a body without the field gets none"
    assert dressed.first(b"Authorization") == b"0"


def test_nothing_is_inserted_where_each_request_is_filled_anew() -> None:
    anew = made_anew(PROFILE.identities[0])
    assert anew == (("header", "X-CSRF"), ("header", "X-SIG"), ("header", "X-TIME"))
    baseline = Baseline("bl_1", Exchange(REQUEST))
    kept = [point for point, _ in injectable(baseline, limited(THOROUGH, anew), ())]
    assert ("get", "x") in kept
    assert not set(anew) & set(kept)
    assert limited(THOROUGH, ()) is THOROUGH


def test_what_is_asked_without_credentials_by_its_own_clients_is_public() -> None:
    recorded, drafted = Exchange(REQUEST), Exchange(REQUEST, drafted=True)
    profile, bare = PROFILE, msgspec.structs.replace(PROFILE, bare=True)
    key = Point.of("header", "X-KEY")
    assert is_public(profile, recorded, ())
    assert not is_public(profile, recorded, (key,))
    assert not is_public(profile, drafted, ()), "a description does not show what clients send"
    assert not is_public(bare, recorded, ()), "nor does a record without any credentials"
    signed_in_anew = msgspec.structs.replace(
        bare, id=RECORDED, holders=(Holder("ann", (Placed(("header", "COOKIE"), "a"),)),)
    )
    assert is_public(signed_in_anew, recorded, ()), "who has no cookie where all others have one"
    with_one = msgspec.structs.replace(REQUEST, headers=(*REQUEST.headers, (b"Cookie", b"sid=a")))
    assert not is_public(signed_in_anew, Exchange(with_one), ()), "a visitor's session may be somebody's by now"
    assert is_public(bare, Exchange(REQUEST, drafted=True, public=True), ()), "one that says so does"
    assert "auth" not in limited(THOROUGH, (), public=True).types
    assert limited(THOROUGH, (), public=True).exclude == THOROUGH.exclude


def test_whatever_an_identity_sets_is_shown_nowhere() -> None:
    assert set(masked_points(PROFILE)) == {
        ("header", "AUTHORIZATION"), ("post", "form_urlencoded", "t"), ("header", "X-CSRF"), ("header", "X-SIG"),
        ("header", "X-TIME"),
    }  # fmt: skip
    assert masked_points(None) == ()
