"""Profiles are found by their own client; points stay masked when their profile is gone."""

from typing import Any

from gatecrash.control import wall
from gatecrash.control.profiles import queries, services
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.core.point import Point
from gatecrash.core.testing.known.identity import Identity


def test_another_client_finds_none(client_id: str, other_id: str, document: dict[str, Any]) -> None:
    with wall.client(client_id):
        row = services.create(document)
        assert queries.find(row.id) == row
        assert queries.profile(row.id) is not None
    with wall.client(other_id):
        assert (queries.find(row.id), queries.profile(row.id), queries.masked_points()) == (None, None, ())


def test_who_tests_may_be_sent_as_is_known_without_opening_anything(client_id: str, document: dict[str, Any]) -> None:
    with wall.client(client_id):
        row = services.create(document)
        AuthProfileRow.objects.filter(id=row.id).update(sealed=b"")
        assert queries.identities(row.id) == (Identity("alice", 1), Identity("bob"), Identity("robot"))
        assert (queries.identities(None), queries.identities("prof_gone")) == ((), ())


def test_what_is_no_identifier_never_reaches_the_database(client_id: str) -> None:
    with wall.client(client_id):
        assert queries.find("no identifier\x00") is None


def test_points_stay_masked_when_a_version_or_the_profile_is_gone(client_id: str, document: dict[str, Any]) -> None:
    other = {"name": "other", "values": [{"point": ["header", "X-LATER"], "value": "x"}]}
    with wall.client(client_id):
        row = services.replace(services.create(document), other)
        services.delete(row)
        assert list(queries.rows()) == []
        assert set(queries.masked_points()) == {
            Point.of("header", "AUTHORIZATION"),
            Point.of("post", "json_doc", "json_obj", "who"),
            Point.of("header", "X-LATER"),
        }
