"""The contract's types, under the names of the command line's JSON."""

from gatecrash.core.auth.scheme import DISPLAY_NAMES, AuthType

JSON_NAMES = "api_key aws_sigv4 basic bearer cookie digest hawk hmac negotiate ntlm scram"


def test_the_eleven_types_have_the_names_of_the_contract():
    assert " ".join(AuthType) == JSON_NAMES


def test_every_type_has_a_name_for_people():
    assert set(AuthType) == set(DISPLAY_NAMES)
