"""Built-in and own policies are found alike, and nobody else's."""

from gatecrash.control import wall
from gatecrash.control.policies import queries, services
from gatecrash.control.policies.bodies import NewPolicy
from gatecrash.core.testing.policy import BUILT_IN


def test_both_kinds_are_found_and_what_is_neither_is_not(client_id: str, other_id: str) -> None:
    with wall.client(client_id):
        row = services.create(NewPolicy(name="own", types=["xss"]).model_dump())
        own = queries.policy(row.id)
        assert own is not None
        assert (own.id, own.types) == (row.id, ("xss",))
        assert queries.policy("quick") is BUILT_IN["quick"]
        assert queries.names(["quick", row.id, "pol_none"]) == {row.id: "own"}
        for unknown in ("pol_none", "", "no identifier", "x" * 100):
            assert queries.policy(unknown) is None
    with wall.client(other_id):
        assert queries.policy(row.id) is None
        assert queries.names([row.id]) == {}
        assert [one["id"] for one in queries.listed()] == list(BUILT_IN)
