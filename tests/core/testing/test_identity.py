"""An identity is a name and a rank: nothing of its credentials."""

from gatecrash.core.testing.identity import Identity


def test_it_holds_a_name_and_a_rank_and_no_more() -> None:
    assert Identity.__struct_fields__ == ("name", "rank")
    assert Identity("alice") == Identity("alice", 0)
