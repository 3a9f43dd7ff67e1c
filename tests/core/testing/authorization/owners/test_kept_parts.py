"""The last word behind a thing says that its owner keeps that part to himself."""

import json

import pytest
from tests.core.testing.driving import credentials_of, record
from tests.core.testing.probes.as_tenants import OPAQUE, drive_as, identities

from gatecrash.core.message import Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.owners.kept_parts import is_kept_part
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import Named
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probes.idor import PROBE
from gatecrash.core.testing.verdict import Outcome

JSON = ((b"Content-Type", b"application/json"),)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (b"/api/songs/7/draft", True),
        (b"/api/songs/7/private-notes/", True),
        (b"/api/songs/7/page", False),
        (b"/api/songs/7/notes", False),
        (b"/api/songs/7/verses/draft", False),
        (b"/api/songs/7", False),
    ],
)
def test_a_word_right_behind_the_identifier_says_so(path: bytes, *, kept: bool):
    assert is_kept_part(Request("GET", path), Named(Point(("path", "2")), "7", b"/api/songs")) is kept
    assert not is_kept_part(Request("GET", path), Named(Point(("get", "id")), "7", None))


@pytest.mark.parametrize(("part", "found"), [("draft", True), ("cover", False)])
def test_the_draft_of_a_song_that_all_know_is_its_authors(part: str, *, found: bool):
    def choir(request: Request) -> Response:
        if request.first(b"Authorization") is None:
            return Response(401)
        songs = {
            b"/songs": [{"id": 7, "title": "Hymn"}],
            b"/songs/7": {"id": 7, "title": "Hymn", "owner": "ann@post.example"},
        }
        songs[f"/songs/7/{part}".encode()] = {"id": 7, "owner": "ann@post.example", part: "second verse is weak"}
        return Response(200, JSON, json.dumps(songs[request.path]).encode()) if request.path in songs else Response(404)

    request = Request("GET", f"/songs/7/{part}".encode(), ((b"Authorization", OPAQUE["ann"].encode()),), host="a")
    known = tuple(Identity(each.name, each.rank, (f"{each.name}@post.example",)) for each in identities(request)[:2])
    checks = plan(record(choir, request), DEFAULT, credentials_of(request), (PROBE,), identities=known)
    assert [drive_as(check, choir).verdict.outcome is Outcome.VULNERABLE for check in checks] == [found]
