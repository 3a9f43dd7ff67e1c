"""Who of several of one rank is asked as: not whoever rules the others, as long as there is anybody else."""

from collections.abc import Generator

import msgspec
import pytest

from gatecrash.core.message import Response
from gatecrash.core.point import Point
from gatecrash.core.testing.asking import NotSignedIn
from gatecrash.core.testing.authorization.callers.peers import Did, as_all, as_each, is_about_him, peers_of
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, safe

ANN, BEN = Identity("ann", known=("is=customer",)), Identity("ben", known=("is=customer",))
ADA = Identity("ada", known=("is=admin",))


def test_a_few_peers_are_all_of_one_rank() -> None:
    ann, ben, eva, max_, guest = (Identity(name, rank) for name, rank in zip("abemg", (5, 5, 5, 5, 1), strict=True))
    assert peers_of((ann, guest, ben, eva, max_)) == (ben, eva)
    assert peers_of((ann, guest)) == (guest,)
    assert peers_of((guest, ann)) == peers_of(()) == ()


def test_whoever_rules_the_others_may_see_what_is_theirs() -> None:
    assert peers_of((ANN, BEN, ADA)) == peers_of((ANN, ADA, BEN)) == (BEN,)
    assert peers_of((ANN, ADA)) == (ADA,)
    assert peers_of((ADA, ANN, BEN)) == (ANN, BEN)


def test_of_two_who_manage_by_different_roles_neither_is_asked_as_the_other() -> None:
    oli, ada = Identity("oli", 1, ("is=operator",)), Identity("ada", 1, ("is=admin",))
    assert peers_of((oli, ada, ANN)) == peers_of((ada, oli, ANN)) == (ANN,)
    assert peers_of((oli, ada)) == peers_of((ada, oli)) == ()


def test_the_manager_of_another_tenant_rules_nobody_here() -> None:
    ann = Identity("ann", known=("is=member", "tenant=acme"))
    elsewhere = Identity("bob", known=("is=admin", "tenant=bolt"))
    here = Identity("ada", known=("is=admin", "tenant=acme"))
    assert peers_of((ann, elsewhere, here)) == (elsewhere,)


def asked(told: dict[str, bool | None]) -> tuple[bool, list[str]]:
    """What comes of asking as each, and as whom it was. told: what each leads to; None for who cannot be signed in."""
    names: list[str] = []

    def asked_as(other: Identity) -> Generator[TestRequest, Answer, bool]:
        names.append(other.name)
        answered = told[other.name]
        if answered is None:
            raise NotSignedIn(Inconclusive.SESSION, other.name)
        return answered
        yield  # it asks nothing

    dialogue = as_each([Identity(name) for name in told], asked_as, bool)
    with pytest.raises(StopIteration) as end:
        next(dialogue)
    return end.value.value, names


def test_who_cannot_be_signed_in_keeps_nobody_from_being_asked_as() -> None:
    assert asked({"ben": None, "eva": True}) == (True, ["ben", "eva"])
    assert asked({"ben": True, "eva": False}) == (True, ["ben"])
    assert asked({"ben": False, "eva": False}) == (False, ["ben", "eva"])
    for told in ({"ben": None, "eva": False}, {"ben": False, "eva": None}, {"ben": None}):
        with pytest.raises(NotSignedIn):
            asked(told)


def came_of(told: dict[str, str | None], *, ends_at_kept: bool = True) -> tuple[str, list[str]]:
    """What came of asking as all, and as whom it was."""
    names: list[str] = []

    def asked_as(other: Identity) -> Generator[TestRequest, Answer, Did]:
        names.append(other.name)
        detail = told[other.name]
        if detail is None:
            raise NotSignedIn(Inconclusive.SESSION, other.name)
        verdict = safe("idor", Point(), detail)
        if detail.startswith("done"):
            verdict = msgspec.structs.replace(verdict, outcome=Outcome.VULNERABLE)
        return Did(verdict, is_kept=detail == "kept", is_final=detail.endswith("for certain"))
        yield  # it asks nothing

    dialogue = as_all([Identity(name) for name in told], asked_as, ends_at_kept=ends_at_kept)
    with pytest.raises(StopIteration) as end:
        next(dialogue)
    return end.value.value.detail, names


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"ben": "done", "eva": "done"}, "done"),
        ({"ben": "done", "eva": "kept"}, "kept"),
        ({"ben": "kept", "eva": "done"}, "kept"),
        ({"ben": "shared", "eva": "done"}, "done"),
        ({"ben": "done", "eva": None}, "done"),
        ({"ben": "shared", "eva": "shared"}, "shared"),
    ],
)
def test_what_one_may_do_and_another_may_not_is_no_finding(told: dict[str, str | None], expected: str) -> None:
    assert came_of(told)[0] == expected


def test_nobody_is_asked_as_behind_whoever_is_kept_unless_something_he_may_do_is_final() -> None:
    told = {"ben": "kept", "eva": "done for certain"}
    assert came_of(told) == ("kept", ["ben"])
    assert came_of(told, ends_at_kept=False) == ("done for certain", ["ben", "eva"])
    assert came_of({"ben": "kept", "eva": "done"}, ends_at_kept=False) == ("kept", ["ben", "eva"])
    assert came_of({"ben": "done for certain", "eva": "kept"}) == ("done for certain", ["ben"])


@pytest.mark.parametrize(
    ("status", "expected"), [(200, True), (403, True), (404, True), (401, False), (409, False), (429, False)]
)
def test_a_conflict_and_a_lost_session_keep_nobody_for_who_he_is(status: int, expected: bool) -> None:
    assert is_about_him(Response(status)) is expected
