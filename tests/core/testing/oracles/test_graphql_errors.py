"""Errors of GraphQL are told under a good status, and words about errors are none."""

import pytest

from gatecrash.core.testing.oracles.graphql_errors import tells_errors


def test_a_list_of_messages_is_told():
    assert tells_errors('{"data": null, "errors": [{"message": "Something failed", "path": ["a"]}]}')


@pytest.mark.parametrize(
    "text",
    [
        '{"data": {"errors": [{"message": "x"}]}}',
        '{"errors": []}',
        '{"errors": {"name": "is taken"}}',
        '{"errors": [3]}',
        '{"errors": [{"message": "cut off',
        'errors: [{"message": "x"}]',
        "{}",
    ],
)
def test_other_words_about_errors_are_none(text):
    assert not tells_errors(text)
