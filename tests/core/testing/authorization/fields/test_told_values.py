"""What a refusal lists for a property is what is tried next."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.authorization.fields.properties import Property
from gatecrash.core.testing.authorization.fields.told_values import in_words_of_refusal

TIER = Property("tier", "basic", "enterprise")


@pytest.mark.parametrize(
    ("told", "new"),
    [
        ("tier: one of basic, business, admin", "admin"),
        ("tier must be basic, business or premium", "premium"),
        ("invalid tier; allowed: basic|manager|business", "manager"),
        ("tier should be 'basic', 'admin' or 'business'", "admin"),
        ({"errors": {"tier": ["basic", "business"]}}, "business"),
        ("tier: one of gold, silver", "enterprise"),
        ("colour: one of basic, business, admin", "enterprise"),
        ("tier: basic", "enterprise"),
        ("tier is read-only", "enterprise"),
    ],
)
def test_a_value_that_is_listed_beside_the_present_one_is_taken(told: object, new: str) -> None:
    response = Response(422, ((b"Content-Type", b"application/json"),), json.dumps(told).encode())
    assert in_words_of_refusal(response, [TIER])[0].new == new


def test_only_a_refusal_says_what_may_be_sent() -> None:
    body = b"tier: one of basic, business, admin"
    for status in (200, 500):
        assert in_words_of_refusal(Response(status, (), body), [TIER]) == [TIER]
    number = Property("credits", 10, 50)
    assert in_words_of_refusal(Response(400, (), b"credits: one of 10, 20, 30"), [number]) == [number]
