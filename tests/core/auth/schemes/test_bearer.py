"""Bearer: what can be a token."""

from hypothesis import given
from hypothesis import strategies as st

from gatecrash.core.auth.scheme import Candidate, Place
from gatecrash.core.auth.schemes.bearer import is_token, judge

visible = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="\"',*{$<:"), max_size=40)


@given(visible.filter(lambda token: not token.startswith("eyJ") and token.lower() not in {"undefined", "redacted"}))
def test_eight_visible_characters_make_a_token(token):
    assert is_token(token.encode()) == (len(token) >= 8 and token.lower() not in ("changeme", "[filtered]"))


def test_a_value_without_its_word_is_only_its_own_when_it_begins_as_a_jwt():
    assert judge(Candidate(Place.HEADER, "AUTHORIZATION", b"", b"9f8e7d6c5b4a")) is None
    assert judge(Candidate(Place.HEADER, "AUTHORIZATION", b"token", b"9f8e7d6c5b4a")) is None


def test_bytes_outside_ascii_are_refused():
    assert not is_token("tökentöken".encode())
