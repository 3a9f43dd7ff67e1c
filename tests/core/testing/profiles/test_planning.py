"""What a profile changes in a plan."""

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.derive import injectable
from gatecrash.core.testing.policy import THOROUGH
from gatecrash.core.testing.profiles.planning import foreseen, limited, made_anew
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
