"""The page of authentication parameters: each location's form, its preview, refusals in words, and who may change."""

from collections.abc import Callable

import pytest
from tests.control.browsing import Person

from gatecrash.control import wall
from gatecrash.control.inventory import parameter_pages
from gatecrash.control.inventory.models import AuthParameter
from gatecrash.core.auth.parameters import DEFAULTS
from gatecrash.core.errors import InvalidPoint

pytestmark = [pytest.mark.database, pytest.mark.django_db]
HERE = "/auth-parameters/"


def points(client_id: str) -> list[list[str]]:
    with wall.client(client_id):
        return list(AuthParameter.objects.order_by("created_at", "id").values_list("point", flat=True))


@pytest.mark.parametrize(
    ("location", "name", "point"),
    [
        ("header", "x-tea", ["header", "X-TEA"]),
        ("cookie", "Tea", ["header", "COOKIE", "cookie", "Tea"]),
        ("get", "tea", ["get", "tea"]),
        ("form", "tea", ["post", "form_urlencoded", "tea"]),
        ("json", " tea ", ["post", "json_doc", "json_obj", "tea"]),
    ],
)
def test_each_location_has_its_form(
    client_id: str, person: Callable[..., Person], location: str, name: str, point: list[str]
) -> None:
    someone = person("analyst")
    assert someone.post(HERE, location=location, name=name).status_code == 302
    assert points(client_id) == [point]
    assert point[-1] in someone.text(HERE)


@pytest.mark.parametrize("name", ["", "a b", "x" * 257, "HOST", "X-TOKEN"])
def test_what_cannot_be_added_is_said_in_words_and_kept_in_the_field(
    client_id: str, person: Callable[..., Person], name: str
) -> None:
    answer = person("analyst").post(HERE, location="header", name=name)
    assert answer.status_code == 400
    assert points(client_id) == []
    assert f'value="{name[:400]}"' in answer.content.decode()


def test_all_defaults_and_the_built_in_rules_are_shown(person: Callable[..., Person]) -> None:
    text = person("viewer").text(HERE)
    assert [point for point in DEFAULTS if point[-1].replace("<", "&lt;").replace(">", "&gt;") not in text] == []


def test_a_preview_is_a_part_of_the_page(person: Callable[..., Person]) -> None:
    someone = person("analyst")
    part = someone.get(f"{HERE}?location=header&name=x-tea", headers={"HX-Request": "true"}).content.decode()
    assert "X-TEA" in part
    assert "<html" not in part
    assert "<html" in someone.text(f"{HERE}?location=nowhere&name=x")


def test_a_custom_parameter_is_removed_once(client_id: str, person: Callable[..., Person]) -> None:
    someone = person("analyst")
    someone.post(HERE, location="get", name="tea")
    with wall.client(client_id):
        one = AuthParameter.objects.get().id
    assert someone.post(f"{HERE}{one}/remove/").status_code == 302
    assert points(client_id) == []
    assert someone.post(f"{HERE}{one}/remove/").status_code == 404


def test_viewers_and_strangers_change_nothing(client_id: str, other_id: str, person: Callable[..., Person]) -> None:
    person("analyst").post(HERE, location="get", name="odd-tea-7")
    with wall.client(client_id):
        one = AuthParameter.objects.get().id
    viewer, stranger = person("viewer"), person("admin", other_id)
    assert viewer.post(HERE, location="get", name="pot").status_code == 403
    assert viewer.post(f"{HERE}{one}/remove/").status_code == 403
    assert stranger.post(f"{HERE}{one}/remove/").status_code == 404
    assert "odd-tea-7" not in stranger.text(HERE)
    assert points(client_id) == [["get", "odd-tea-7"]]


def test_a_location_and_a_name_make_a_point() -> None:
    assert list(parameter_pages.point_of("cookie", "Sid")) == ["header", "COOKIE", "cookie", "Sid"]
    with pytest.raises(InvalidPoint):
        parameter_pages.point_of("header", "a b")
