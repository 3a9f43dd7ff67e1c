import pytest

from gatecrash.control import wall
from gatecrash.control.accounts import callers, services
from gatecrash.control.api.errors import ApiError
from gatecrash.control.api.roles import Role

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_a_token_says_who_calls(client_id: str) -> None:
    with wall.client(client_id):
        row, text = services.create_token("ci", Role.CI, node_id="node_1")
    caller = callers.authenticate(text)
    assert (caller.token_id, caller.client_id, caller.role, caller.node_id, caller.deployment) == (
        row.id,
        client_id,
        Role.CI,
        "node_1",
        False,
    )


def test_a_remembered_caller_costs_no_query(client_id: str, django_assert_num_queries) -> None:
    with wall.client(client_id):
        _, text = services.create_token("x", Role.ADMIN)
    callers.authenticate(text)
    with django_assert_num_queries(0):
        callers.authenticate(text)
    callers.forget()
    with django_assert_num_queries(1):
        callers.authenticate(text)


@pytest.mark.parametrize("text", ["", "x", "gck_", "\udcff", "x" * 10_000_000])
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(ApiError) as caught:
        callers.authenticate(text)
    assert caught.value.status == 401


def test_a_longer_text_is_not_cut_to_a_token_that_exists(client_id: str) -> None:
    longest = "t" * 256
    with wall.client(client_id):
        services.create_token("x", Role.ADMIN, text=longest)
    assert callers.authenticate(longest)
    for text in (longest + "t", longest + "\x00", longest[:-1]):
        with pytest.raises(ApiError):
            callers.authenticate(text)
