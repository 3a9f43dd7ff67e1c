"""A profile at rest opens for its own row only, and what is shown of it holds no value."""

import json
from typing import Any

import pytest
from tests.control.profiles.conftest import SECRETS

from gatecrash.control import vault, wall
from gatecrash.control.profiles import services
from gatecrash.control.profiles.bodies import ProfileView
from gatecrash.control.profiles.mapping import outline, points, shown, to_profile
from gatecrash.control.profiles.models import AuthProfileRow
from gatecrash.core.testing.profiles.profile_document import read_profile


def test_what_is_shown_tells_names_ranks_places_and_means_and_no_value(document: dict[str, Any]) -> None:
    told = outline(read_profile(document, "prof_1"))
    assert told["base"] == "http://127.0.0.1:9"
    alice, bob, robot = told["identities"]
    assert (alice["name"], alice["rank"], alice["kinds"]) == ("alice", 1, ["values", "login"])
    assert (alice["points"], alice["variables"]) == ([["header", "AUTHORIZATION"]], ["password"])
    assert (alice["login_steps"], alice["refresh_steps"], alice["signature"]) == (1, 0, None)
    assert (alice["check"], alice["hosts"]) == (True, "")
    assert bob["points"] == [["post", "json_doc", "json_obj", "who"]]
    assert (robot["kinds"], robot["signature"], robot["points"]) == (["sign"], "hawk", [["header", "AUTHORIZATION"]])
    assert not [secret for secret in SECRETS if secret in json.dumps(told)]


def test_each_point_is_named_once(document: dict[str, Any]) -> None:
    found = points(read_profile(document, "prof_1"))
    assert found == [["header", "AUTHORIZATION"], ["post", "json_doc", "json_obj", "who"]]


def test_a_row_gives_back_the_profile_and_nothing_of_it_is_readable(client_id: str, document: dict[str, Any]) -> None:
    with wall.client(client_id):
        row = services.create(document)
        kept = AuthProfileRow.objects.get(id=row.id)
        assert to_profile(kept) == read_profile(document, row.id)
        whole = b"".join(
            bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
            for value in vars(kept).values()
        )
        assert not [secret for secret in SECRETS if secret.encode() in whole]
        ProfileView.model_validate(shown(kept), strict=True)


def test_a_sealed_profile_does_not_open_in_another_row(client_id: str, document: dict[str, Any]) -> None:
    with wall.client(client_id):
        row = services.create(document)
        row.id = "prof_other"
        with pytest.raises(vault.CannotOpen):
            to_profile(row)
