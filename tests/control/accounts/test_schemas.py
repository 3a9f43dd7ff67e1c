import time

import pytest

from gatecrash.control.accounts import schemas
from gatecrash.control.api.errors import FieldErrors
from gatecrash.control.api.fields import Body, validate
from gatecrash.control.api.roles import Role


def codes(model: type[Body], **given: object) -> dict[str, str]:
    try:
        validate(model, given)
    except FieldErrors as error:
        return {name: one["error"] for name, one in error.problems.items()}
    return {}


def test_a_token_may_have_every_role_and_a_member_those_of_people() -> None:
    assert [codes(schemas.NewToken, name="x", role=role.value) for role in Role] == [{}] * 5
    refused = [role.value for role in Role if codes(schemas.NewMember, email="a@b", role=role.value)]
    assert refused == ["ci", "node"]


@pytest.mark.parametrize("address", ["", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a\n@b", "x" * 255 + "@b", 1, None])
def test_what_is_no_address_is_refused(address: object) -> None:
    assert set(codes(schemas.NewMember, email=address, role="viewer")) == {"email"}


@pytest.mark.parametrize("password", ["", "short", "1234567890", "password12", "x" * 1025])
def test_a_weak_password_is_refused(password: str) -> None:
    assert set(codes(schemas.MemberChange, password=password)) == {"password"}


def test_an_expiry_is_ahead() -> None:
    assert codes(schemas.NewToken, name="x", role="ci", expires_at=int(time.time()) + 60) == {}
    assert codes(schemas.TokenChange, expires_at=int(time.time()) - 1) == {"expires_at": "out_of_range"}
    assert codes(schemas.TokenChange, expires_at=None) == {}
