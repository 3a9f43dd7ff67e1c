"""The body has every field of the document, and tells nobody what was wrong in it by repeating it."""

from gatecrash.control.api import fields
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.profiles.bodies import NewProfile
from gatecrash.core.testing.profiles.profile_document import FIELDS


def test_it_has_the_documents_fields() -> None:
    assert set(NewProfile.model_fields) == set(FIELDS)


def test_a_faulty_field_is_named_and_its_value_is_not_repeated() -> None:
    given = {"name": 5, "identites": [{"password": "hunter2"}], "login": "\x00hunter2"}
    try:
        fields.validate(NewProfile, given)
    except FieldErrors as error:
        found = error.problems
    assert {name: one["error"] for name, one in found.items()} == {
        "name": "invalid_type",
        "identites": "unknown_field",
        "login": "invalid_value",
    }
    assert "hunter2" not in str(found)


def test_what_is_null_is_not_given() -> None:
    assert NewProfile(name="x", base=None, sign={"scheme": "hawk"}).document() == {
        "name": "x",
        "sign": {"scheme": "hawk"},
    }
