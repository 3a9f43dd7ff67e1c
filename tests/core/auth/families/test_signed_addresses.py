"""Signed addresses: each name documented, once, in a form that exists."""

from gatecrash.core.auth.families.signed_addresses import ADDRESSES


def test_every_name_has_a_source_and_a_form_and_is_there_once():
    assert len({row.name for row in ADDRESSES}) == len(ADDRESSES)
    for row in ADDRESSES:
        assert row.source
        assert row.form in ("digest", "fields", "dashes")
        assert row.beside or row.form != "digest", "a bare digest says too little by its name alone"
