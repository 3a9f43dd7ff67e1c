"""Signed schemes: each word documented, once, in lower case, in a form that exists."""

from gatecrash.core.auth.families.signed_schemes import SCHEMES


def test_every_word_has_a_source_and_a_form_and_is_there_once():
    assert len({row.word for row in SCHEMES}) == len(SCHEMES)
    for row in SCHEMES:
        assert row.source
        assert row.form in ("colon", "pairs", "any")
        assert row.word == row.word.lower()
