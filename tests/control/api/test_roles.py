from gatecrash.control.api.roles import ADMIN, EDIT, NODE, READ, RUN, Role


def test_roles_are_those_of_the_contract() -> None:
    assert [role.value for role in Role] == ["admin", "analyst", "viewer", "ci", "node"]


def test_an_administrator_may_do_all_and_a_node_only_its_protocol() -> None:
    every = (READ, RUN, EDIT, ADMIN, NODE)
    assert all(Role.ADMIN in one for one in every)
    assert [Role.NODE in one for one in every] == [False, False, False, False, True]
    assert [Role.VIEWER in one for one in every] == [True, False, False, False, False]
    assert [Role.CI in one for one in every] == [True, True, False, False, True]
