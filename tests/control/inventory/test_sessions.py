"""What one node learned of session cookies is known to all: a login proves for good, names are bounded."""

import pytest

from gatecrash.control import wall
from gatecrash.control.inventory import queries, sessions
from gatecrash.core.auth.families.session_cookies import LISTED
from gatecrash.core.auth.sessions import MOST_LEARNED, LearnedCookie, State

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def cookie(name: str = "tea", host: str = "a.example", state: State = State.UNPROVEN) -> LearnedCookie:
    return LearnedCookie(host, name, state)


def test_news_reach_every_node_and_repetition_is_no_news(client_id: str) -> None:
    with wall.client(client_id):
        before = queries.config_version(client_id)
        assert sessions.learn([cookie(), cookie("pot", state=State.PROVEN)])
        assert queries.config_version(client_id) == before + 1
        assert not sessions.learn([cookie(), cookie("pot", state=State.PROVEN)])
        assert not sessions.learn([])
        assert queries.config_version(client_id) == before + 1
    assert queries.client_config(client_id).sessions == (cookie("pot", state=State.PROVEN), cookie())


def test_a_login_proves_for_good(client_id: str) -> None:
    with wall.client(client_id):
        sessions.learn([cookie()])
        assert sessions.learn([cookie(state=State.PROVEN)])
        assert not sessions.learn([cookie(state=State.UNPROVEN)])
        assert list(queries.learned_sessions()) == [cookie(state=State.PROVEN)]


def test_what_only_tests_take_for_a_credential_stays_that_until_a_login_proves_it(client_id: str) -> None:
    likely = LearnedCookie("a.example", "tea", State.UNPROVEN, likely=True)
    with wall.client(client_id):
        assert sessions.learn([likely])
        assert list(queries.learned_sessions()) == [likely]
        assert sessions.learn([cookie(state=State.PROVEN)])
        assert not sessions.learn([likely])
        assert list(queries.learned_sessions()) == [cookie(state=State.PROVEN)]


def test_a_host_has_at_most_50_names_that_no_table_lists(client_id: str) -> None:
    listed = [cookie(name) for name in sorted(LISTED)[:5]]
    with wall.client(client_id):
        sessions.learn([cookie(f"n{place}") for place in range(MOST_LEARNED + 9)] + listed)
        known = list(queries.learned_sessions())
        assert len(known) == MOST_LEARNED + len(listed)
        assert not sessions.learn([cookie("one-more")])
        assert sessions.learn([cookie("one-more", "b.example")])


def test_hosts_are_bounded(client_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_HOSTS", 2)
    with wall.client(client_id):
        sessions.learn([cookie(host=f"{letter}.example") for letter in "abcd"])
        assert [one.host for one in queries.learned_sessions()] == ["a.example", "b.example"]
        assert not sessions.learn([cookie(host="e.example")])
        assert sessions.learn([cookie("another")])


@pytest.mark.parametrize(
    "odd", [cookie(""), cookie(host=""), cookie("a\x00"), cookie("n" * 257), cookie(host="h" * 301)]
)
def test_what_no_table_holds_is_left_out(client_id: str, odd: LearnedCookie) -> None:
    with wall.client(client_id):
        assert not sessions.learn([odd])
        assert list(queries.learned_sessions()) == []
