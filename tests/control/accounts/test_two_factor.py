"""The second factor's secrets are sealed at rest, follow the keys, and an administrator can take a lost one away."""

import base64
from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from tests.control.browsing import Person

from gatecrash.control import vault
from gatecrash.control.accounts import two_factor

pytestmark = [pytest.mark.database, pytest.mark.django_db]
SECRET = "JBSWY3DPEHPK3PXP"


def enrolled(person: Person) -> Authenticator:
    data = {"secret": two_factor.Adapter().encrypt(SECRET)}
    return Authenticator.objects.create(user=person.user, type=Authenticator.Type.TOTP, data=data)


def test_a_secret_is_sealed_and_comes_back() -> None:
    sealed = two_factor.Adapter().encrypt(SECRET)
    assert SECRET not in sealed
    assert SECRET.encode() not in base64.b64decode(sealed)
    assert two_factor.Adapter().encrypt(SECRET) != sealed, "sealed anew each time"
    assert two_factor.Adapter().decrypt(sealed) == SECRET


def test_what_was_changed_on_the_disk_does_not_open() -> None:
    raw = bytearray(base64.b64decode(two_factor.Adapter().encrypt(SECRET)))
    raw[-1] ^= 1
    with pytest.raises(vault.CannotOpen):
        two_factor.Adapter().decrypt(base64.b64encode(bytes(raw)).decode())


def test_who_must_show_a_code(person: Callable[..., Person]) -> None:
    one, other = person("viewer"), person("admin")
    enrolled(one)
    assert (two_factor.is_on(one.user.pk), two_factor.is_on(other.user.pk)) == (True, False)
    assert two_factor.users_with([one.user.pk, other.user.pk, "usr_none"]) == {one.user.pk}
    two_factor.take_away(one.user.pk)
    assert two_factor.users_with([one.user.pk]) == set()


def test_sealing_again_keeps_what_it_says_and_counts_what_does_not_open(person: Callable[..., Person]) -> None:
    row = enrolled(person("viewer"))
    broken = enrolled(person("admin"))
    Authenticator.objects.filter(pk=broken.pk).update(data={"secret": base64.b64encode(b"x" * 60).decode()})
    done, unopened = two_factor.reseal()
    assert (done <= 1, unopened) == (True, 1)
    row.refresh_from_db()
    assert two_factor.Adapter().decrypt(row.data["secret"]) == SECRET
