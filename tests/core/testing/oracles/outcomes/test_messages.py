"""Answers that tell another sentence of what was done."""

import pytest

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.outcomes.messages import says_otherwise


def told(body: str) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), body.encode())


def test_another_sentence_under_the_same_name_is_told_apart():
    kept = told('{"status": "open", "message": "Your review was kept.", "shown": null}')
    refused = told('{"status": "open", "message": "This request did not come from our page.", "shown": null}')
    assert says_otherwise(kept, refused)
    assert not says_otherwise(kept, kept)


@pytest.mark.parametrize(
    ("good", "other"),
    [
        ('{"message": "Order 17 was placed."}', '{"message": "order 21 was placed."}'),
        ('{"message": "ok"}', '{"message": "done"}'),
        ('{"message": "It was kept."}', '{"id": 7}'),
        ('{"title": "A good day"}', '{"title": "Another good day"}'),
        ('["It was kept."]', '["It was not."]'),
        ("It was kept.", "It was not."),
    ],
)
def test_numbers_codes_and_other_members_say_nothing_of_it(good: str, other: str):
    assert not says_otherwise(told(good), told(other))
