"""Whether somebody is none of those whom a description means."""

import pytest

from gatecrash.core.testing.authorization.ranks.described_roles import is_none_of, is_outside_of_all_told
from gatecrash.core.testing.known.declared import Meant
from gatecrash.core.testing.known.identity import ANYBODY, Identity


@pytest.mark.parametrize(
    ("roles", "how", "name", "held", "none"),
    [
        ("admin", "words", "ann", "", True),
        ("admin", "group", "ann", "", True),
        ("admin", "words", "ann", "customer", True),
        ("admin", "words", "ann", "manager", True),
        ("manager", "words", "ann", "customer", True),
        ("warden", "words", "ann", "customer", True),
        ("admin", "scope", "ann", "customer", True),
        ("admin", "scope", "ann", "", False),
        ("manager", "words", "ann", "", False),
        ("warden", "words", "ann", "vet", False),
        ("manager", "words", "ann", "manager", False),
        ("manager", "words", "ann", "supervisor", False),
        ("manager", "words", "ann", "superadmin", False),
        ("admin", "group", "ann", "manager", False),
        ("admin", "words", "ann", "staff", False),
        ("admin", "words", "ann", "owner", False),
        ("admin moderator", "words", "ann", "moderator", False),
        ("admin", "words", "shop-admin", "", False),
    ],
)
def test_whoever_may_be_meant_is_not_taken_for_somebody_else(
    roles: str, how: str, name: str, held: str, none: bool
) -> None:
    known = (f"is={held}", "ann@x.example") if held else ("ann@x.example",)
    assert is_none_of(Meant(tuple(roles.split()), "its summary", how), Identity(name, 0, known)) is none


def test_what_is_known_of_an_ordinary_caller_may_speak_against_it() -> None:
    admins, wardens = Meant(("admin",), "its summary"), Meant(("warden",), "its summary")
    scope = Meant(("admin",), "the scope", "scope")
    assert is_outside_of_all_told(admins, None)
    assert is_outside_of_all_told(scope, None)
    assert not is_outside_of_all_told(wardens, None)
    assert is_outside_of_all_told(admins, Identity("ann", ANYBODY))
    assert not is_outside_of_all_told(scope, Identity("ann", ANYBODY))
    assert not is_outside_of_all_told(admins, Identity("ann", ANYBODY, ("is=admin",)))
