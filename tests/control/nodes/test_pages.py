"""The page of nodes: how each is, the command that starts one, and nothing of another client."""

import re
import time
from collections.abc import Callable

import pytest
from tests.control.browsing import Person

from gatecrash.control import wall
from gatecrash.control.nodes.models import Node

pytestmark = pytest.mark.django_db  # every statement of a page runs on PostgreSQL in test_page.py


def node(client_id: str, name: str) -> None:
    with wall.client(client_id):
        existing = Node.objects.first()
        fields = {field.name: getattr(existing, field.name) for field in Node._meta.concrete_fields} if existing else {}
        assert not fields, "no node is there before one says hello"
        Node.objects.create(
            id=f"node_{client_id[3:]}",
            name=name,
            kind="native",
            version="0.24.0",
            is_default=True,
            created_at=1,
            last_seen=1,
        )


def test_without_a_node_the_page_says_how_to_start_one(person: Callable[..., Person]) -> None:
    text = person("viewer").text("/nodes/")
    assert "gatecrash node" in text
    assert "http://testserver" in text


def test_only_who_may_issue_tokens_is_led_to_them(person: Callable[..., Person]) -> None:
    assert '<a href="/tokens/">API token' in person("admin").text("/nodes/")
    assert "/tokens/" not in person("viewer").text("/nodes/")


def test_behind_a_proxy_a_node_is_started_with_the_outer_address(
    person: Callable[..., Person], settings: object
) -> None:
    settings.PUBLIC_URL = "https://gatecrash.example"  # type: ignore[attr-defined]
    assert "--api https://gatecrash.example " in person("viewer").text("/nodes/")


def test_a_silent_node_is_told_and_its_name_stays_text(client_id: str, person: Callable[..., Person]) -> None:
    node(client_id, "<b>east</b>")
    someone = person("viewer")
    text = someone.text("/nodes/")
    assert "&lt;b&gt;east&lt;/b&gt;" in text
    assert "0.24.0" in text
    live = someone.get("/nodes/", headers={"HX-Request": "true"}).content.decode()
    assert "&lt;b&gt;east" in live
    assert "<html" not in live


def test_a_clock_that_is_off_is_told(client_id: str, person: Callable[..., Person]) -> None:
    node(client_id, "east")
    someone = person("viewer")
    for offset, words in ((5.0, ""), (3 * 86400.0, "clock 3 d behind"), (-5 * 3600.0, "clock 5 h ahead")):
        with wall.client(client_id):
            Node.objects.update(clock_offset=offset)
        text = someone.text("/nodes/")
        assert words in text
        assert bool(words) == (">clock " in text)


def test_traffic_is_sent_by_the_proxy_of_a_node_that_is_there(client_id: str, person: Callable[..., Person]) -> None:
    node(client_id, "east")
    someone = person("viewer")
    assert "Send traffic" not in someone.text("/nodes/")
    with wall.client(client_id):
        Node.objects.update(last_seen=int(time.time()), proxy_address="127.0.0.1:26101")
    assert "curl --proxy http://127.0.0.1:26101 " in someone.text("/nodes/")


def test_anothers_nodes_are_not_there(client_id: str, other_id: str, person: Callable[..., Person]) -> None:
    node(other_id, "theirs-alone")
    assert "theirs-alone" not in person("admin").text("/nodes/")


def test_an_administrator_takes_silent_nodes_off(client_id: str, person: Callable[..., Person]) -> None:
    node(client_id, "east")
    with wall.client(client_id):
        for number in range(3):
            one = Node(id=f"node_build{number}", name="ci", build_id=str(number), identity=f"t/build/{number}")
            one.created_at, one.last_seen = 2, time.time() - number * 2 * 86400
            one.save()
    admin, viewer = person("admin"), person("viewer")
    assert "Remove 2 of earlier builds" in admin.text("/nodes/")
    assert "Remove" not in viewer.text("/nodes/")
    silent = re.findall(r'<strong>(\w+)</strong>.*?badge (\w+)">Silent', viewer.text("/nodes/"))
    assert set(silent) == {("east", "bad"), ("ci", "idle")}, "a build's node is meant to fall silent"
    assert viewer.post("/nodes/node_build2/remove/").status_code == 403
    assert viewer.post("/nodes/builds/remove/").status_code == 403
    admin.post("/nodes/node_build2/remove/")
    assert "is removed" in admin.text("/nodes/")
    assert admin.post("/nodes/node_build2/remove/").status_code == 404
    admin.post(f"/nodes/node_{client_id[3:]}/remove/")
    assert "there is no other to take its place" in admin.text("/nodes/")
    admin.post("/nodes/builds/remove/")
    text = admin.text("/nodes/")
    assert "1 node of earlier builds removed" in text
    assert ("node_build0" in text, "node_build1" in text, "node_build2" in text) == (True, False, False)
