"""The circumstances of a signature are all passed in."""

from gatecrash.core.testing.profiles.moment import Challenge, Moment


def test_without_a_challenge_there_is_none_and_the_count_begins_at_one() -> None:
    moment = Moment(now=1.5, nonce="n")
    assert (moment.challenge, moment.count) == (None, 1)
    assert Challenge(realm="r", nonce="n").algorithm == "MD5", "RFC 7616 section 3.3: where it is absent"
