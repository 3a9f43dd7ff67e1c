"""Who of several of one rank is asked as: not whoever rules the others, as long as there is anybody else."""

from gatecrash.core.testing.authorization.callers.identity import Identity
from gatecrash.core.testing.authorization.callers.peers import peers_of

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
