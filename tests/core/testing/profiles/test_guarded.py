"""Whatever holds secrets shows its type and nothing else, however deep it stands."""

import msgspec

from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.wire.session import RunOrder


def test_a_profile_shows_no_secret_in_any_text_of_it() -> None:
    profile = read_profile(
        {
            "login": [{"path": "/l", "form": {"p": "hunter2"}, "take": {"t": {"header": "X"}}}],
            "values": [{"point": ["header", "A"], "value": "hunter2 ${t}"}],
            "sign": {"scheme": "hawk", "key_id": "k", "key": "hunter2"},
        },
        "prof_1",
    )
    identity = profile.identities[0]
    texts = (profile, identity, identity.login, identity.values, identity.sign, [profile], {"p": profile})
    assert "hunter2" not in "".join(f"{text!r} {text!s}" for text in texts)
    assert repr(profile) == "AuthProfile(…)"


def test_it_travels_whole_all_the_same() -> None:
    profile = read_profile({"sign": {"scheme": "digest", "username": "u", "password": "hunter2"}}, "prof_1")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(profile), type=AuthProfile) == profile
    assert "hunter2" not in repr(RunOrder.__struct_fields__)
