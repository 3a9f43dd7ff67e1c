"""What a batch leaves in the rows beside the sums: who is without, what was weak, old nodes' requests."""

import pytest
from tests.control.inventory.traffic import BEARER, HOUR, NOW, count, number, observe, shown

from gatecrash.control import wall
from gatecrash.control.bulk_sql import select
from gatecrash.control.inventory import counting, details, services
from gatecrash.core.inventory.agents import FAMILIES
from gatecrash.wire.counts import MOST_NOTES, MOST_WITHOUT, Counts, NoteCount, ParameterCount, WithoutCount

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_who_is_without_adds_up_and_keeps_the_first_and_last_sight(client_id: str) -> None:
    observe(
        client_id,
        count(without=(WithoutCount("curl", 2, 3, NOW, NOW + 9), WithoutCount("curl", 4, 1, NOW, NOW))),
        at=NOW + 9,
    )
    observe(client_id, count(without=(WithoutCount("curl", 2, 2, NOW - 7, NOW + 1),)), at=NOW + 9)
    with wall.client(client_id):
        rows = select(
            "SELECT hour, family, status, requests, first_seen, last_seen FROM hourly_without"
            " WHERE client_id = %s ORDER BY status",
            [client_id],
        )
    assert rows == [(HOUR, "curl", 2, 5, NOW - 7, NOW + 9), (HOUR, "curl", 4, 1, NOW, NOW)]


def test_what_a_clock_that_is_ahead_calls_the_future_is_now(client_id: str) -> None:
    ahead = NOW + 5 * 3600
    without, note = WithoutCount("curl", 2, 3, ahead, ahead), NoteCount("basic_without_tls", BEARER, 2, NOW - 5, ahead)
    observe(client_id, count(at=ahead, without=(without,), notes=(note,)), at=NOW)
    assert (shown(client_id)["/a"]["first_seen"], shown(client_id)["/a"]["last_seen"]) == (NOW, NOW)
    with wall.client(client_id):
        one = number(client_id, "/a")
        assert details.without(one, NOW)["clients"][0]["last_seen"] == NOW
        assert [(row["first_seen"], row["last_seen"]) for row in details.notes(one)] == [(NOW - 5, NOW)]


def test_a_family_or_answer_that_nobody_knows_is_another(client_id: str) -> None:
    assert "other" in FAMILIES
    observe(client_id, count(without=(WithoutCount("Alice's own", 9, 2, NOW, NOW),)))
    with wall.client(client_id):
        [client] = details.without(number(client_id, "/a"), NOW)["clients"]
    assert (client["family"], client["statuses"]["unknown"]) == ("other", 2)


def test_a_node_cannot_fill_the_tables_with_kinds_of_clients_or_weaknesses(client_id: str) -> None:
    families = sorted(FAMILIES)
    without = tuple(
        WithoutCount(families[place % len(families)], place % 6, 1, NOW, NOW) for place in range(MOST_WITHOUT * 3)
    )
    notes = tuple(NoteCount("jwt_without_exp", ("get", f"n{place}"), 1, NOW, NOW) for place in range(MOST_NOTES + 20))
    observe(client_id, count(without=without, notes=notes))
    with wall.client(client_id):
        one = number(client_id, "/a")
        assert details.without(one, NOW)["requests"] == MOST_WITHOUT
        assert len(details.notes(one)) == MOST_NOTES


def test_weaknesses_add_up_by_kind_and_point(client_id: str) -> None:
    note = NoteCount("basic_without_tls", BEARER, 2, NOW, NOW + 1)
    observe(client_id, count(notes=(note,)), count("/b", notes=(note,)), at=NOW + 1)
    observe(client_id, count(notes=(NoteCount("basic_without_tls", BEARER, 3, NOW - 5, NOW),)))
    with wall.client(client_id):
        assert details.notes(number(client_id, "/a")) == [
            {
                "kind": "basic_without_tls",
                "point": [list(BEARER)],
                "requests": 5,
                "first_seen": NOW - 5,
                "last_seen": NOW + 1,
            }
        ]


def test_two_rows_of_one_endpoint_in_a_batch_are_added(client_id: str) -> None:
    earlier = count(requests=3, valid=1, at=NOW - 3600)
    observe(client_id, count(), earlier, count(requests=2, valid=2))
    found = shown(client_id)["/a"]
    assert (found["requests"], found["authenticated"]) == (15, 7)
    assert (found["first_seen"], found["last_seen"]) == (NOW - 3600, NOW)
    assert found["parameters"][0]["valid"] == 7


def test_a_session_that_nobody_proved_is_listed_until_it_is(client_id: str) -> None:
    cookie = ("header", "COOKIE", "cookie", "JSESSIONID")
    observe(client_id, count(valid=0, parameters=(ParameterCount("cookie", cookie, 5, 0, unproven=True),)))
    [listed] = shown(client_id)["/a"]["parameters"]
    assert (listed["unproven"], listed["coverage"]) == (True, 0.0)
    assert shown(client_id)["/a"]["types"] == []
    observe(client_id, count(valid=5, parameters=(ParameterCount("cookie", cookie, 5, 5),)))
    [listed] = shown(client_id)["/a"]["parameters"]
    assert (listed["unproven"], listed["seen"], listed["valid"]) == (False, 10, 5)
    assert shown(client_id)["/a"]["types"] == ["cookie"]


def test_an_old_nodes_requests_stand_apart_and_name_it(client_id: str) -> None:
    observe(client_id, count())
    old = Counts("node_9", "s", "p", 1, (count(requests=7, valid=0),), detection=False)
    services.apply_counts(client_id, "node_9", old, at=NOW, version="native 0.23.0")
    found = shown(client_id)["/a"]
    assert (found["requests"], found["undetected_requests"], found["coverage"]) == (10, 7, 40.0)
    assert (found["undetected_node"], found["undetected_version"]) == ("node_9", "native 0.23.0")


def test_an_hour_ahead_of_our_clock_is_the_present_one(client_id: str) -> None:
    observe(client_id, count(at=NOW + 7200))
    with wall.client(client_id):
        assert select("SELECT hour FROM hourly_count WHERE client_id = %s", [client_id]) == [(HOUR,)]
    assert counting.MAX_FAMILY == 32
