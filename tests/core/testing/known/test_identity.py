"""An identity is a name, a rank and what the application calls it: nothing of its credentials."""

from gatecrash.core.testing.known.identity import Identity, peer_of


def test_it_holds_no_credentials() -> None:
    assert Identity.__struct_fields__ == ("name", "rank", "known")
    assert Identity("alice") == Identity("alice", 0)


def test_a_peer_is_of_the_same_rank_or_the_highest_below() -> None:
    ann, ben, ida, guest = Identity("ann", 5), Identity("ben", 5), Identity("ida", 9), Identity("guest", 1)
    assert peer_of((ann, ida, guest, ben)) == ben
    assert peer_of((ann, guest, ida)) == guest
    assert peer_of((ann, ida)) is None
    assert peer_of((ann,)) is None
    assert peer_of(()) is None
