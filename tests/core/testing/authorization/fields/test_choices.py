"""Which other words a field takes, by what refusals and answers say."""

import json

import pytest

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.fields.choices import other_words
from gatecrash.core.testing.authorization.fields.markable import Markable

JSON = ((b"Content-Type", b"application/json"),)
STAGE = Markable(Point.of("post", "json_doc", "json_obj", "stage"), "stage", "draft", is_text=True)


def refused(text: str) -> Response:
    return Response(422, JSON, json.dumps({"error": text}).encode())


@pytest.mark.parametrize(
    "text",
    [
        "stage must be one of draft, review, open",
        "stage is draft, review, or open",
        "Input should be 'draft', 'review' or 'open'",
        'Invalid enum value. Expected "draft" | "review" | "open", received "xyz"',
        "must be one of the following values: [draft, review, open]",
        "stage: draft/review/open",
    ],
)
def test_a_refusal_lists_them(text: str) -> None:
    assert other_words(STAGE, refused(text), []) == ["review", "open"]


def test_words_that_may_have_no_way_back_are_left_alone() -> None:
    told = refused("one of: draft, cancelled, approved, submitted, deleted, closed, sent, paid, archived, admin, open")
    assert other_words(STAGE, told, []) == ["open"]
    told = refused("draft|published|released|issued|voided|revoked|declined|denied|dismissed|trashed|merged|dispatched")
    assert other_words(STAGE, told, []) == []


def test_answers_show_them_by_the_very_field() -> None:
    shown = Response(200, JSON, b'[{"stage": "review", "kind": "open"}, {"stage": "draft"}, {"stage": "x y"}]')
    assert other_words(STAGE, Response(400), [shown]) == ["review"]


@pytest.mark.parametrize(
    "field",
    [STAGE._replace(value="two words"), STAGE._replace(value="3"), STAGE._replace(value="review", is_text=False)],
)
def test_what_is_no_word_has_no_other(field: Markable) -> None:
    assert other_words(field, refused("one of two words, 3, review, open"), []) == []


@pytest.mark.parametrize("text", ["no such stage", "please choose one of high, low", "a draft, please"])
def test_a_list_without_the_word_says_nothing(text: str) -> None:
    assert other_words(STAGE._replace(value="review"), refused(text), []) == []


@pytest.mark.parametrize("status", [200, 401, 403, 404, 500])
def test_who_is_not_told_that_the_word_does_not_suit_is_asked_no_more(status: int) -> None:
    told = Response(status, JSON, b'{"error": "one of draft, review, open"}')
    assert other_words(STAGE, told, [told]) == []
