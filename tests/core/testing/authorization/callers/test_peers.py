"""Who of several of one rank is asked as: not whoever rules the others, as long as there is anybody else."""

from collections.abc import Generator

import msgspec
import pytest

from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.callers.peers import as_all, as_each, peers_of
from gatecrash.core.testing.dialogues.asking import NotSignedIn
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, safe

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
    verdicts = {detail: safe("idor", Point(), detail) for detail in ("kept", "shared")}
    verdicts["done"] = msgspec.structs.replace(verdicts["kept"], outcome=Outcome.VULNERABLE, detail="done")

    def asked_as(other: Identity) -> Generator[TestRequest, Answer, Verdict]:
        detail = told[other.name]
        if detail is None:
            raise NotSignedIn(Inconclusive.SESSION, other.name)
        return verdicts[detail]
        yield  # it asks nothing

    dialogue = as_all([Identity(name) for name in told], asked_as, lambda verdict: verdict.detail == "kept")
    with pytest.raises(StopIteration) as end:
        next(dialogue)
    assert end.value.value.detail == expected
